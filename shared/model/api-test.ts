import { z } from "zod";
import { recordOf } from "../basics/bounds.ts";
import { looseInteger, looseNumber } from "../basics/loose-values.ts";
import { type Cause, causeNames } from "./failure.ts";

/** How one element of an api_test job is simulated. */
const step = z.looseObject({
  queued_sec: looseNumber(0, 86_400).optional().describe("Seconds that its task is queued; 1"),
  running_sec: looseNumber(0, 86_400).optional().describe("Seconds that its task runs; 3"),
  progress: z
    .array(looseInteger(0, 100))
    .min(1)
    .max(100)
    .optional()
    .describe("What it shows while it runs, each for an equal time; where absent it goes steadily from 0 to 100"),
  failures: looseInteger(-1, 1000)
    .optional()
    .describe("How many of its runs fail before one succeeds; -1: every one; 0"),
  fail_at_percent: looseNumber(0, 100).optional().describe("How much of its time a run lasts that fails; 100"),
  cause: z.enum(causeNames).optional().describe("Cause of the failures; media"),
  message: z.string().max(4000).optional().describe("Text of the failures"),
});

const usual = {
  queued_sec: 1,
  running_sec: 3,
  failures: 0,
  fail_at_percent: 100,
  cause: "media",
  message: "This failure was asked for",
} as const;
export type ApiTestStep = {
  readonly queued_sec: number;
  readonly running_sec: number;
  readonly failures: number;
  readonly fail_at_percent: number;
  readonly cause: Cause;
  readonly message: string;
  readonly progress?: readonly number[];
};

/** `api_test` of a job: the behaviour of all elements, and exceptions for single ones. */
export const apiTest = step.extend({
  elements: recordOf(step, 5000, z.string().max(200)).optional().describe("Element's uid -> what is different there"),
});
export type ApiTest = z.output<typeof apiTest>;

/** The step of one element: its own settings override the job's, which override the defaults. */
export const apiTestStepOf = (script: ApiTest | undefined, uid: string): ApiTestStep => {
  const { elements, ...all } = script ?? {};
  const own = elements && Object.hasOwn(elements, uid) ? elements[uid] : {};
  return { ...usual, ...all, ...own };
};

/** The needs of such tasks: no node provides them, because the coordinator simulates the tasks itself. */
export const apiTestNeed = "api_test";

/** When a run of a task begins and ends, in milliseconds, and whether it fails. */
export type ApiTestRun = { readonly startsAt: number; readonly endsAt: number; readonly fails: boolean };

/** `readyTime` is when the run was queued, `run` the number of earlier runs. */
export const apiTestRunOf = (script: ApiTestStep, readyTime: number, run: number): ApiTestRun => {
  const fails = script.failures < 0 || run < script.failures;
  const startsAt = readyTime + script.queued_sec * 1000;
  const share = fails ? script.fail_at_percent / 100 : 1;
  return { startsAt, endsAt: startsAt + script.running_sec * 1000 * share, fails };
};

/** 0 to 100, as the task shows it. */
export const apiTestProgress = ({ running_sec, progress }: ApiTestStep, { startsAt }: ApiTestRun, now: number) => {
  const gone = Math.min(1, Math.max(0, (now - startsAt) / Math.max(1, running_sec * 1000)));
  if (!progress) return Math.floor(gone * 100);
  return progress[Math.min(progress.length - 1, Math.floor(gone * progress.length))] ?? 0;
};
