import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { startSampleFarm } from "./farm.ts";
import { lineOf, type Outcome } from "./outcome.ts";
import { blockersOf, countsOf, markdownOf, type Row, totalLine } from "./report.ts";
import { runSample } from "./run-sample.ts";
import { hasSamples, sampleNames, samplesFolder } from "./samples.ts";

/**
 * node test/samples/run.ts [--only PATTERN] [--from NAME] [--json FILE] [--markdown FILE] [--patience SECONDS]
 *
 * Runs sample jobs one after the other on a farm, as they are, and prints what became of each. Ends with 1 where one of
 * them failed: a sample whose feature is refused in words did not. The names are sorted: a run that was interrupted goes
 * on with `--from` the sample that it did not reach.
 */
const { values } = parseArgs({
  options: {
    only: { type: "string", default: "" },
    from: { type: "string", default: "" },
    json: { type: "string" },
    markdown: { type: "string" },
    patience: { type: "string", default: "600" },
  },
});

const main = async (): Promise<void> => {
  if (!hasSamples) throw new Error(`there are no samples at ${samplesFolder}; MEDIAFARM_SAMPLES names another folder`);
  const names = sampleNames().filter((name) => name >= values.from && new RegExp(values.only).test(name));
  const rows: Row[] = [];
  await using farm = await startSampleFarm();
  for (const sample of names) {
    const begun = performance.now();
    const outcome = await runSample(farm, sample, Number(values.patience)).catch(brokenInstrument);
    const seconds = (performance.now() - begun) / 1000;
    rows.push({ sample, outcome, seconds });
    console.log(lineOf(sample, outcome, seconds));
  }
  console.log(`\n${totalLine(rows)}`);
  for (const [blocker, samples] of blockersOf(rows)) console.log(`${samples.length} × ${blocker}`);
  if (values.json) writeFileSync(values.json, JSON.stringify({ counts: countsOf(rows), rows }, null, 1));
  if (values.markdown) writeFileSync(values.markdown, markdownOf(rows));
  process.exitCode = countsOf(rows).failed > 0 ? 1 : 0;
};

const brokenInstrument = (problem: unknown): Outcome => ({ kind: "failed", faults: [`the check broke: ${problem}`] });

await main();
