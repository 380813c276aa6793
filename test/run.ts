import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { relative } from "node:path";
import { text } from "node:stream/consumers";

/**
 * `check`: types, lint, unit tests, unused code. `test`: all of that, then the pages' build, flows, pages, Electron and
 * real ffmpeg, and at last, with nothing beside it, what compares durations. `long`: the tests of all projects with
 * MEDIAFARM_TESTS=long; words behind it choose files.
 * Every step runs, whatever became of the one before; short ones run beside the unit tests. At the end stand what was
 * skipped with its reason, what was slow, what failed and with which error, and the counts. Files that failed run once
 * more, alone. A test that then passes is unsteady: it is named and counted, and fails the run where there are more than
 * a busy machine explains.
 */
type Step = {
  readonly name: string;
  readonly argv: readonly string[];
  readonly report?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** How many failed files are worth a second run. Without it none is. */
  readonly again?: number;
  /** Files that take longer are named, so that the suite does not grow unseen. */
  readonly slowMs?: number;
};

const reports = ".build/reports";
const vitest = (projects: readonly string[], ...more: string[]): Step => {
  const report = `${reports}/${projects.join("-")}.json`;
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const chosen = projects.map((project) => `--project=${project}`);
  return { name: `${projects.join(", ")} tests`, argv: ["vitest", "run", ...chosen, ...reporters, ...more], report };
};

const short: readonly Step[] = [
  // More checkers than one repeat each other's work: on two cores they take longer.
  { name: "types", argv: ["tsc", "-b", "--checkers", "1"] },
  { name: "lint", argv: ["biome", "ci", "--error-on-warnings", "."] },
  { name: "unused code", argv: ["knip"] },
];

const stories = ["flows", "pages", "electron", "ffmpeg"];
const build: Step = { name: "pages' build", argv: ["vite", "build"] };

const words = process.argv.slice(3);
const long = (project: string): Step => ({
  ...vitest([project], "--passWithNoTests", ...(project === "unit" ? ["--testTimeout=21600000"] : []), ...words),
  env: { MEDIAFARM_TESTS: "long" },
});

/** What runs in turn, and what in turn beside it. */
type Plan = { readonly steps: readonly Step[]; readonly beside?: readonly Step[] };

const unit: Step = { ...vitest(["unit"]), again: 6, slowMs: 2000 };

const plans: Record<string, readonly Plan[]> = {
  check: [{ steps: [unit], beside: short }],
  // All at once: while one story waits, another one works.
  test: [
    { steps: [unit], beside: short },
    { steps: [build, { ...vitest(stories), again: 6 }, { ...vitest(["timed"]), again: 1 }] },
  ],
  long: [{ steps: [build, ...["unit", ...stories, "postgres", "timed"].map(long)] }],
};

const mostErrorLines = 12;
/** More of them say something about the code, not about the machine. */
const mostUnsteady = 2;

type Count = { readonly passed: number; readonly failed: number; readonly skipped: readonly string[] };
type Run = { readonly status: number; readonly took: number };
type Failure = { readonly name: string; readonly error: string; readonly isUnsteady: boolean };
type Settled = Run & { readonly count: Count; readonly failed: readonly Failure[]; readonly slow: readonly string[] };
type Result = Settled & { readonly step: Step };
type Shown = "its output at once" | "its output at its end";
type Assertion = {
  readonly fullName: string;
  readonly status: string;
  readonly duration?: number;
  readonly failureMessages?: readonly string[];
};
type TestFile = {
  readonly name: string;
  readonly status: string;
  readonly message?: string;
  readonly assertionResults: readonly Assertion[];
};

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
  return print(results) === 0 ? 0 : 1;
};

/** The counts come last. What failed stands above them, and once more at the top: a log may be cut. Returns how many. */
const print = (results: readonly Result[]): number => {
  const { MEDIAFARM_TESTS = "quick", MEDIAFARM_TURN = "0" } = process.env;
  console.log(`\n--- summary (MEDIAFARM_TESTS=${MEDIAFARM_TESTS} MEDIAFARM_TURN=${MEDIAFARM_TURN})`);
  for (const { step, count, took } of results)
    console.log(`${count.failed === 0 ? "ok  " : "FAIL"} ${step.name} (${took} s)`);
  const failures = results.flatMap(({ failed }) => failed);
  for (const failure of failures) console.log(sayFailure(failure));
  const skipped = results.flatMap(({ count }) => count.skipped);
  for (const test of skipped) console.log(`skipped: ${test}`);
  for (const file of results.flatMap(({ slow }) => slow)) console.log(`slow: ${file}`);
  for (const failure of failures) console.log(sayFailure(failure));
  const all = sum(results.map(({ count }) => count.failed));
  const found = failures.filter(({ isUnsteady }) => isUnsteady).length;
  const unsteady = found <= mostUnsteady ? found : 0;
  const passed = sum(results.map(({ count }) => count.passed));
  const more = [unsteady > 0 ? `${unsteady} unsteady` : "", skipped.length > 0 ? `${skipped.length} skipped` : ""];
  console.log([`${passed} passed`, `${all - unsteady} failed`, ...more.filter((words) => words !== "")].join(", "));
  return all - unsteady;
};

const sayFailure = ({ name, error, isUnsteady }: Failure): string => {
  const told = error.split("\n").filter((line) => line !== "" && !line.includes("node_modules"));
  const lines = told.slice(0, mostErrorLines).map((line) => `    ${line}`);
  const title = isUnsteady ? `UNSTEADY: ${name} (failed beside others, passed alone)` : `FAILED: ${name}`;
  return [title, ...lines].join("\n");
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

/** What became of a step. A step without a report counts as one test. */
const settled = async (step: Step, { status, took }: Run): Promise<Settled> => {
  const files = step.report === undefined ? undefined : testFiles(step.report);
  if (files === undefined) {
    const count = atLeastOneFailure(nothing, status, 1);
    return { status, took, count, failed: status === 0 ? [] : [failure(step.name)], slow: [] };
  }
  const failed = files.filter(hasFailed);
  const second = failed.length > 0 && failed.length <= (step.again ?? 0) ? await runAgain(step, failed) : undefined;
  const unnamed = status !== 0 && failed.length === 0 ? [failure(`${step.name}, outside of its tests`)] : [];
  return {
    status,
    took: took + (second?.took ?? 0),
    count: atLeastOneFailure(countOf(files), status, 0),
    failed: [...failed.flatMap(failuresOf).map(compared(second?.files)), ...unnamed],
    slow: files.flatMap(sayIfSlow(step.slowMs ?? Number.POSITIVE_INFINITY)),
  };
};

const failure = (name: string, error = ""): Failure => ({ name, error, isUnsteady: false });

/** A failure that does not come again is of the kind that is hardest to find: its error is all there is of it. */
const compared = (second: readonly TestFile[] | undefined) => {
  const again = second?.flatMap(failuresOf).map(({ name }) => name);
  return (failure: Failure): Failure => ({
    ...failure,
    isUnsteady: again !== undefined && !again.includes(failure.name),
  });
};

const sayIfSlow =
  (slowMs: number) =>
  ({ name, assertionResults }: TestFile): readonly string[] => {
    const took = sum(assertionResults.map(({ duration }) => duration ?? 0));
    return took > slowMs ? [`${relative(process.cwd(), name)} (${(took / 1000).toFixed(1)} s)`] : [];
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
const failuresOf = (file: TestFile): readonly Failure[] => {
  if (!hasFailed(file)) return [];
  const path = relative(process.cwd(), file.name);
  const tests = failedTests(file).map((test) => failure(`${path}: ${test.fullName}`, test.failureMessages?.join("\n")));
  return tests.length > 0 ? tests : [failure(path, file.message)];
};

const nothing: Count = { passed: 0, failed: 0, skipped: [] };

const countOf = (files: readonly TestFile[]): Count => {
  const tests = files.flatMap(({ assertionResults }) => assertionResults);
  return {
    passed: tests.filter(({ status }) => status === "passed").length,
    failed: sum(files.map((file) => failuresOf(file).length)),
    skipped: tests.filter(({ status }) => status !== "passed" && status !== "failed").map(({ fullName }) => fullName),
  };
};

/** A run that ended badly has failed, also where no test says so. */
const atLeastOneFailure = (count: Count, status: number, passedWhole: number): Count =>
  status === 0 ? { ...count, passed: count.passed + passedWhole } : { ...count, failed: Math.max(count.failed, 1) };

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);

process.exitCode = await main(process.argv[2] ?? "test");
