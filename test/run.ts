import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { text } from "node:stream/consumers";

/**
 * `check`: types, lint, unit tests, unused code. `test`: all of that, then the pages' build, flows, pages, Electron and
 * media. `long`: the tests of all projects with MEDIAFARM_LONG=1; words behind it choose files.
 * Every step runs, whatever became of the one before; short ones run beside the unit tests. The last line counts the
 * tests, and what was skipped is listed with its reason. Story files that failed run once more, alone: a test that passes then is counted as passed and
 * listed as unsteady, one that fails twice has failed.
 */
type Step = {
  readonly name: string;
  readonly argv: readonly string[];
  readonly report?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** How many failed files are worth a second run. Without it none is. */
  readonly again?: number;
};

const reports = ".build/reports";
const vitest = (projects: readonly string[], ...more: string[]): Step => {
  const report = `${reports}/${projects.join("-")}.json`;
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const chosen = projects.map((project) => `--project=${project}`);
  return { name: `${projects.join(", ")} tests`, argv: ["vitest", "run", ...chosen, ...reporters, ...more], report };
};

const short: readonly Step[] = [
  { name: "types", argv: ["tsc", "-b"] },
  { name: "lint", argv: ["biome", "ci", "--error-on-warnings", "."] },
  { name: "unused code", argv: ["knip"] },
];

const stories = ["flows", "pages", "electron", "media"];
const build: Step = { name: "pages' build", argv: ["vite", "build"] };

const words = process.argv.slice(3);
const long = (project: string): Step => ({
  ...vitest([project], "--passWithNoTests", ...(project === "unit" ? ["--testTimeout=21600000"] : []), ...words),
  env: { MEDIAFARM_LONG: "1" },
});

/** What runs in turn, and what in turn beside it. */
type Plan = { readonly steps: readonly Step[]; readonly beside?: readonly Step[] };

const plans: Record<string, readonly Plan[]> = {
  check: [{ steps: [vitest(["unit"])], beside: short }],
  // All at once: while one story waits, another one works.
  test: [{ steps: [vitest(["unit"])], beside: short }, { steps: [build, { ...vitest(stories), again: 6 }] }],
  long: [{ steps: [build, ...["unit", ...stories].map(long)] }],
};

type Count = { readonly passed: number; readonly failed: number; readonly skipped: readonly string[] };
type Run = { readonly status: number; readonly took: number };
type Settled = { readonly count: Count; readonly unsteady: readonly string[]; readonly took: number };
type Result = Settled & { readonly step: Step };
type Shown = "its output at once" | "its output at its end";
type Assertion = { readonly fullName: string; readonly status: string };
type TestFile = { readonly name: string; readonly status: string; readonly assertionResults: readonly Assertion[] };

const main = async (name: string): Promise<number> => {
  const plan = plans[name];
  if (!plan) throw new Error(`There is no plan "${name}"`);
  rmSync(reports, { recursive: true, force: true });
  mkdirSync(reports, { recursive: true });
  const results: Result[] = [];
  for (const { steps, beside = [] } of plan) {
    const lanes = [inTurn(beside, "its output at its end"), inTurn(steps, "its output at once")];
    results.push(...(await Promise.all(lanes)).flat());
  }
  console.log("\n--- summary");
  for (const { step, count, took } of results)
    console.log(`${count.failed === 0 ? "ok  " : "FAIL"} ${step.name} (${took} s)`);
  for (const test of results.flatMap(({ unsteady }) => unsteady))
    console.log(`unsteady: ${test} (failed beside others, passed alone)`);
  const skipped = results.flatMap(({ count }) => count.skipped);
  for (const test of skipped) console.log(`skipped: ${test}`);
  const failed = sum(results.map(({ count }) => count.failed));
  const passed = sum(results.map(({ count }) => count.passed));
  console.log(`${passed} passed, ${failed} failed${skipped.length > 0 ? `, ${skipped.length} skipped` : ""}`);
  return failed === 0 ? 0 : 1;
};

const inTurn = async (steps: readonly Step[], shown: Shown): Promise<Result[]> => {
  const results: Result[] = [];
  for (const step of steps) results.push({ step, ...(await settled(step, await runStep(step, shown))) });
  return results;
};

const runStep = async ({ name, argv, env }: Step, shown: Shown): Promise<Run> => {
  const title = `\n--- ${name}: ${argv.slice(0, 4).join(" ")}`;
  const begun = performance.now();
  const [program = "", ...words] = argv;
  const output = shown === "its output at once" ? "inherit" : "pipe";
  if (output === "inherit") console.log(title);
  const child = spawn(`node_modules/.bin/${program}`, words, {
    stdio: ["ignore", output, output],
    env: { ...process.env, ...env },
  });
  const told = [child.stdout, child.stderr].map((stream) => (stream ? text(stream) : ""));
  const [status] = await once(child, "close");
  if (output === "pipe") console.log([title, ...(await Promise.all(told))].join("\n").trimEnd());
  return { status: status ?? 1, took: Math.round((performance.now() - begun) / 1000) };
};

/** A step's count, after the second run of its failed files where it gets one. A step without a report counts as one test. */
const settled = async (step: Step, { status, took }: Run): Promise<Settled> => {
  const first = step.report === undefined ? undefined : testFiles(step.report);
  if (first === undefined) return { count: atLeastOneFailure(nothing, status, 1), unsteady: [], took };
  const failed = first.filter(hasFailed);
  if (failed.length === 0 || failed.length > (step.again ?? 0))
    return { count: atLeastOneFailure(countOf(first), status, 0), unsteady: [], took };
  const second = await runAgain(step, failed);
  const still = second.files.flatMap(namesOfFailed);
  return {
    count: atLeastOneFailure(countOf([...first.filter((file) => !hasFailed(file)), ...second.files]), second.status, 0),
    unsteady: failed.flatMap(namesOfFailed).filter((name) => !still.includes(name)),
    took: took + second.took,
  };
};

const runAgain = async (
  step: Step,
  failed: readonly TestFile[],
): Promise<Run & { readonly files: readonly TestFile[] }> => {
  const report = `${step.report}`.replace(/\.json$/, "-again.json");
  const argv = step.argv.map((word) => word.replace(`${step.report}`, report));
  const files = failed.map(({ name }) => name);
  const name = `${step.name}, failed files again`;
  const run = await runStep({ ...step, name, argv: [...argv, "--maxWorkers=1", ...files] }, "its output at once");
  return { ...run, files: testFiles(report) ?? failed };
};

/** The files of a report; undefined where there is none because the runner itself broke, and said so. */
const testFiles = (report: string): readonly TestFile[] | undefined => {
  try {
    const { testResults }: { testResults: TestFile[] } = JSON.parse(readFileSync(report, "utf8"));
    return testResults;
  } catch {
    return undefined;
  }
};

const hasFailed = (file: TestFile): boolean => file.status === "failed";
const failedTests = (file: TestFile) => file.assertionResults.filter(({ status }) => status === "failed");

/** A file can also fail as a whole, before or after its tests. */
const namesOfFailed = (file: TestFile): readonly string[] => {
  if (!hasFailed(file)) return [];
  const names = failedTests(file).map(({ fullName }) => fullName);
  return names.length > 0 ? names : [file.name];
};

const nothing: Count = { passed: 0, failed: 0, skipped: [] };

const countOf = (files: readonly TestFile[]): Count => {
  const tests = files.flatMap(({ assertionResults }) => assertionResults);
  return {
    passed: tests.filter(({ status }) => status === "passed").length,
    failed: sum(files.map((file) => namesOfFailed(file).length)),
    skipped: tests.filter(({ status }) => status !== "passed" && status !== "failed").map(({ fullName }) => fullName),
  };
};

/** A run that ended badly has failed, also where no test says so. */
const atLeastOneFailure = (count: Count, status: number, passedWhole: number): Count =>
  status === 0 ? { ...count, passed: count.passed + passedWhole } : { ...count, failed: Math.max(count.failed, 1) };

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);

process.exitCode = await main(process.argv[2] ?? "test");
