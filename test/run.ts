import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync } from "node:fs";

/**
 * `check`: types, lint, unit tests, unused code. `test`: all of that, then the pages' build, flows, pages, Electron and
 * media. `long`: the tests of all projects with MEDIAFARM_LONG=1; words behind it choose files.
 * Every step runs, whatever became of the one before; the last line counts the tests, and what was skipped is
 * listed with its reason.
 */
type Step = {
  readonly name: string;
  readonly argv: readonly string[];
  readonly report?: string;
  readonly env?: Readonly<Record<string, string>>;
};

const reports = ".build/reports";
const vitest = (projects: readonly string[], ...more: string[]): Step => {
  const report = `${reports}/${projects.join("-")}.json`;
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const chosen = projects.map((project) => `--project=${project}`);
  return { name: `${projects.join(", ")} tests`, argv: ["vitest", "run", ...chosen, ...reporters, ...more], report };
};

const check: readonly Step[] = [
  { name: "types", argv: ["tsc", "-b"] },
  { name: "lint", argv: ["biome", "ci", "--error-on-warnings", "."] },
  vitest(["unit"]),
  { name: "unused code", argv: ["knip"] },
];

const stories = ["flows", "pages", "electron", "media"];
const build: Step = { name: "pages' build", argv: ["vite", "build"] };

const words = process.argv.slice(3);
const long = (project: string): Step => ({
  ...vitest([project], "--passWithNoTests", ...(project === "unit" ? ["--testTimeout=21600000"] : []), ...words),
  env: { MEDIAFARM_LONG: "1" },
});

const plans: Record<string, readonly Step[]> = {
  check,
  // All at once: while one story waits, another one works.
  test: [...check, build, vitest(stories)],
  long: [build, ...["unit", ...stories].map(long)],
};

type Count = { passed: number; failed: number; skipped: string[] };

const main = (name: string): number => {
  const steps = plans[name];
  if (!steps) throw new Error(`There is no plan "${name}"`);
  rmSync(reports, { recursive: true, force: true });
  mkdirSync(reports, { recursive: true });
  const results = steps.map((step) => ({ step, ...runStep(step) }));
  const counts = results.map(({ step, status }) => countOf(step, status));
  console.log("\n--- summary");
  for (const { step, status, took } of results)
    console.log(`${status === 0 ? "ok  " : "FAIL"} ${step.name} (${took} s)`);
  const skipped = counts.flatMap((count) => count.skipped);
  for (const test of skipped) console.log(`skipped: ${test}`);
  const [passed, failed] = [sum(counts.map((each) => each.passed)), sum(counts.map((each) => each.failed))];
  console.log(`${passed} passed, ${failed} failed${skipped.length > 0 ? `, ${skipped.length} skipped` : ""}`);
  return results.every(({ status }) => status === 0) && failed === 0 ? 0 : 1;
};

const runStep = ({ name, argv, env }: Step): { status: number; took: number } => {
  console.log(`\n--- ${name}: ${argv.slice(0, 4).join(" ")}`);
  const begun = performance.now();
  const [program = "", ...words] = argv;
  const { status } = spawnSync(`node_modules/.bin/${program}`, words, {
    stdio: ["ignore", "inherit", "inherit"],
    env: { ...process.env, ...env },
  });
  return { status: status ?? 1, took: Math.round((performance.now() - begun) / 1000) };
};

type Report = { testResults: { name: string; message: string; assertionResults: Assertion[] }[] };
type Assertion = { fullName: string; status: string };

/** A step without a report counts as one test; so does a test file that could not even be loaded. */
const countOf = ({ report }: Step, status: number): Count => {
  if (report === undefined) return { passed: status === 0 ? 1 : 0, failed: status === 0 ? 0 : 1, skipped: [] };
  try {
    const { testResults }: Report = JSON.parse(readFileSync(report, "utf8"));
    const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
    const broken = testResults.filter((file) => file.assertionResults.length === 0 && file.message !== "").length;
    return {
      passed: tests.filter((test) => test.status === "passed").length,
      failed: tests.filter((test) => test.status === "failed").length + broken,
      skipped: tests
        .filter((test) => test.status !== "passed" && test.status !== "failed")
        .map((test) => test.fullName),
    };
  } catch {
    return { passed: 0, failed: 1, skipped: [] }; // no report: the runner itself broke, and said so above
  }
};

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);

process.exitCode = main(process.argv[2] ?? "test");
