import { parentPort, workerData } from "node:worker_threads";
import { getQuickJS, type QuickJSContext, type QuickJSHandle, shouldInterruptAfterDeadline } from "quickjs-emscripten";
import { systemClock } from "../../shared/basics/system-clock.ts";
import { prelude } from "./prelude.ts";

/** The thread's input and its messages. */
export type Script = {
  readonly code: string;
  readonly input: string;
  readonly timeoutMs: number;
  readonly memoryBytes: number;
};
export type Said =
  /** `state` is JSON produced by the script: not trusted. */
  { readonly state: string } | { readonly problem: string; readonly state?: string };

const stackBytes = 128 * 1024;
const maxStateCharacters = 2_000_000;

const run = async ({ code, input, timeoutMs, memoryBytes }: Script): Promise<Said> => {
  const runtime = (await getQuickJS()).newRuntime();
  runtime.setMemoryLimit(memoryBytes);
  runtime.setMaxStackSize(stackBytes);
  const isLate = shouldInterruptAfterDeadline(systemClock.now() + timeoutMs);
  runtime.setInterruptHandler(isLate);
  const context = runtime.newContext();
  context.setProp(context.global, "input", context.newString(input));
  const report = context.unwrapResult(context.evalCode(prelude, "prelude.js", { type: "global" }));
  const result = context.evalCode(code, "script.js", { type: "global" });
  const broken = problemOf(context, result) ?? pendingProblem(context) ?? promiseProblem(context, result);
  // A promise may swallow its own interruption.
  const problem = isLate(runtime) ? "InternalError: interrupted" : broken;
  const state = textOf(context, report);
  return problem === undefined ? { state: state ?? "" } : { problem, ...(state !== undefined && { state }) };
};

type Result = ReturnType<QuickJSContext["evalCode"]>;

const problemOf = (context: QuickJSContext, result: Result): string | undefined => {
  if (!result.error) return undefined;
  const problem = describe(context, result.error);
  result.error.dispose();
  return problem;
};

/** Pending promises of a script are part of it. */
const pendingProblem = (context: QuickJSContext): string | undefined => {
  const result = context.runtime.executePendingJobs();
  if (!result.error) return undefined;
  return describe(result.error.context, result.error);
};

/** If the script's last value is a promise, the script ends with it. */
const promiseProblem = (context: QuickJSContext, result: Result): string | undefined => {
  if (result.error || context.typeof(result.value) !== "object") return undefined;
  const state = context.getPromiseState(result.value);
  if (state.type === "pending") return "Error: its promise never ends";
  return state.type === "rejected" ? describe(context, state.error) : undefined;
};

/** An error as text. The thrown value cannot influence how it is formatted. */
const describe = (context: QuickJSContext, error: QuickJSHandle): string => {
  const dumped: unknown = context.dump(error);
  if (typeof dumped !== "object" || dumped === null) return String(dumped).slice(0, 2000);
  const { name = "Error", message = "", stack = "" } = dumped as Record<string, unknown>; // some object
  const at = /script\.js:(\d+)/.exec(String(stack))?.[1];
  return `${name}: ${message}${at ? ` (line ${at})` : ""}`.slice(0, 2000);
};

const textOf = (context: QuickJSContext, report: QuickJSHandle): string | undefined => {
  const told = context.callFunction(report, context.undefined);
  if (told.error) return undefined;
  const text = context.typeof(told.value) === "string" ? context.getString(told.value) : "";
  return text.length <= maxStateCharacters ? text : undefined;
};

run(workerData as Script).then(
  (said) => parentPort?.postMessage(said),
  (error: unknown) => parentPort?.postMessage({ problem: error instanceof Error ? error.message : String(error) }),
);
