import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import { z } from "zod";
import { AppError } from "../../shared/basics/errors.ts";
import { type SampleFarm, startSampleFarm, untilEnded } from "../samples/farm.ts";
import { type Ended, type Finding, type Measured, measured } from "./finding.ts";
import { pictureFindings } from "./picture-findings.ts";
import { soundFindings } from "./sound-findings.ts";
import { lend, makeSource } from "./sources.ts";
import { streamFindings } from "./stream-findings.ts";
import { textFindings } from "./text-findings.ts";

/**
 * node test/findings/run.ts FOLDER [--only PATTERN] [--markdown FILE]
 *
 * Runs job files whose outputs were wrong once, as they are, on a farm, and measures what they make now. Sources are made
 * by the names that the files use. Ends with 1 where one is wrong still.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { only: { type: "string", default: "" }, markdown: { type: "string" } },
});

const findings: Readonly<Record<string, Finding>> = {
  ...{ ...pictureFindings, ...soundFindings, ...textFindings, ...streamFindings },
};

type Row = Measured & { readonly name: string; readonly was: string };

const main = async (): Promise<void> => {
  const [folder] = positionals;
  if (folder === undefined) throw new Error("name the folder with the job files");
  const names = readdirSync(folder).filter((name) => name.endsWith(".json") && new RegExp(values.only).test(name));
  const rows: Row[] = [];
  await using farm = await startSampleFarm();
  for (const name of names.sort()) {
    const row = await runOne(farm, readFileSync(join(folder, name), "utf8"), basename(name, ".json"));
    rows.push(row);
    const { now, faults } = row;
    console.log(`${faults.length > 0 ? "WRONG" : "right"} ${row.name}: ${now.join("; ")}`);
    for (const fault of faults) console.log(`      ${fault}`);
  }
  const wrong = rows.filter(({ faults }) => faults.length > 0).length;
  console.log(`\n${rows.length} job files, ${rows.length - wrong} right, ${wrong} wrong`);
  if (values.markdown) writeFileSync(values.markdown, markdownOf(rows));
  process.exitCode = wrong > 0 ? 1 : 0;
};

const runOne = async (farm: SampleFarm, text: string, name: string): Promise<Row> => {
  const finding = findings[name];
  const was = finding?.was ?? "unknown";
  if (!finding) return { name, was, now: [], faults: ["nobody knows what to measure: it has no entry in the tables"] };
  const folder = join(farm.bucket, "findings");
  try {
    const lacking = await fill(folder, text);
    if (lacking.length > 0) return { name, was, now: [], faults: [`no source is known for ${lacking.join(", ")}`] };
    const job: unknown = JSON.parse(text);
    const { ended, result } = await perform(farm, inFolder(job, folder));
    const told = warned.safeParse(result).data?.job.warnings ?? [];
    return { name, was, ...(await measured(finding, { ended, folder, warnings: told, result })) };
  } catch (problem) {
    return { name, was, now: [], faults: [`not run: ${String(problem).slice(0, 400)}`] };
  }
};

const warned = z.looseObject({ job: z.looseObject({ warnings: z.array(z.string()) }) });
const anyJob = z.looseObject({ definitions: z.looseObject({ folder: z.string() }) });

/** The job for a folder of this machine. */
const inFolder = (job: unknown, folder: string) => {
  const read = anyJob.parse(job);
  return { ...read, definitions: { ...read.definitions, folder } };
};

/** Makes the sources that a job names, once a machine, and puts them where the job looks for them. */
const fill = async (folder: string, text: string): Promise<string[]> => {
  const made = join(tmpdir(), "mediafarm-findings");
  const named = new Set<string>(
    [...text.matchAll(/\{\{folder\}\}\/((?:in|src|out\/j67)\/[^"]+\.\w+)"/g)].map(([, name]) => name ?? ""),
  );
  for (const [, path, name] of componentsIn(text)) named.add(`${path}/${name}`);
  const lacking: string[] = [];
  for (const name of named) if (!(await makeSource(name, made))) lacking.push(name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  if (named.size > lacking.length) lend(made, folder);
  return lacking;
};

/** Components are named apart from their folder, which stands before or behind them. */
const componentsIn = (text: string): string[][] => {
  const folder = /"path": "\{\{folder\}\}\/((?:in|src)(?:\/seq)?)\/?"/.exec(text)?.[1];
  if (folder === undefined) return [];
  return [...text.matchAll(/"(?:name|base)": "([^"]+\.\w+)"/g)].map(([all, name]) => [all, folder, name ?? ""]);
};

const perform = async (
  { client }: SampleFarm,
  job: object,
): Promise<{ readonly ended: Ended; readonly result?: unknown }> => {
  const accepted = await submit(client, job);
  if (accepted instanceof AppError) return { ended: { kind: "refused", words: accepted.message } };
  const status = await untilEnded(client, accepted.id, 600);
  const result = await client.getResult({ job_id: accepted.id });
  if (status === "completed") return { ended: { kind: "completed" }, result };
  const words = status === undefined ? "it did not end" : JSON.stringify(result.errors).slice(0, 600);
  return { ended: { kind: "failed", words }, result };
};

const submit = async (client: SampleFarm["client"], job: object) => {
  try {
    // It is sent as it is; whether it is a job is for the farm to say.
    return await client.createJob(job as Parameters<typeof client.createJob>[0]);
  } catch (problem) {
    if (problem instanceof AppError) return problem;
    throw problem;
  }
};

const markdownOf = (rows: readonly Row[]): string =>
  [
    "| file | what was wrong | what is measured now | |",
    "| --- | --- | --- | --- |",
    ...rows.map(({ name, was, now, faults }) =>
      `| ${name} | ${was} | ${[...now, ...faults.filter((fault) => !now.includes(fault))].join("; ").replaceAll("|", "\\|")} | ${faults.length > 0 ? `**wrong: ${faults.join("; ")}**` : "right"} |`.replaceAll(
        "\n",
        " ",
      ),
    ),
    "",
  ].join("\n");

await main();
