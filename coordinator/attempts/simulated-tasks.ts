import { apiTestNeed, apiTestProgress, apiTestRunOf, apiTestStepOf } from "../../shared/model/api-test.ts";
import type { ElementSpec } from "../../shared/model/job.ts";
import { changeEach } from "../kernel/committer.ts";
import { restFrom } from "../kernel/lines.ts";
import type { Transaction } from "../kernel/transaction.ts";
import type { OpenTask } from "../schedule/open-task.ts";
import type { Attempts, SimulatedTask } from "./attempts.ts";
import { retryOrFail } from "./failed-attempts.ts";

export const isSimulated = ({ requires }: Pick<OpenTask, "requires">): boolean => requires.includes(apiTestNeed);

export type Scripted = Pick<ElementSpec, "script">;

/** Derives the simulated run from stored data only, so that a restart continues where it stopped. */
export const simulatedTask = (spec: Scripted | undefined, task: OpenTask, retryNr: number): SimulatedTask => {
  const script = spec?.script ?? apiTestStepOf(undefined, "");
  return { task, script, run: apiTestRunOf(script, task.readyTime, retryNr) };
};

/** Tasks that are moved on at once … */
const atOnce = 50;
/** … and for so many times as long as that took, the rest of the farm has its turn. */
const restTimes = 2;

/** Moves tasks of api_test jobs through their scripts, without nodes or media. */
export const simulate = async (farm: Attempts): Promise<void> => {
  const { clock } = farm;
  const now = clock.steady();
  for (let due = dueTasks(farm, now); due.length > 0; due = dueTasks(farm, now)) {
    const begun = clock.monotonic();
    const tasks = due.slice(0, atOnce).map((each) => ({ ...each, jobId: each.task.jobId }));
    await changeEach(farm, tasks, (draft, each) => moveOn(farm, draft, each));
    if (due.length > atOnce) await restFrom(begun, { clock, times: restTimes });
  }
  for (const each of farm.simulated.values()) if (each.task.state === "running") showProgress(farm, each, now);
};

const dueTasks = (farm: Pick<Attempts, "simulated">, now: number): SimulatedTask[] =>
  [...farm.simulated.values()].filter(({ task, run }) => (task.state === "ready" ? run.startsAt : run.endsAt) <= now);

const moveOn = (farm: Attempts, draft: Transaction, { task, script, run }: SimulatedTask): void => {
  const row = draft.task({ job_id: task.jobId, id: task.id });
  if (row?.state !== task.state) return; // stopped meanwhile
  const now = farm.clock.now();
  draft.touch(task.jobId);
  if (row.state === "ready") draft.moveTask(row, "assign", { start_time: row.start_time ?? now });
  else if (run.fails) retryOrFail(farm, draft, row, { cause: script.cause, message: script.message });
  else draft.moveTask(row, "complete", { published: { outputs: {}, found: {} }, end_time: now });
};

const showProgress = (farm: Attempts, { task, script, run }: SimulatedTask, now: number): void => {
  const percent = apiTestProgress(script, run, now);
  if (farm.progress.task(task.id)?.percent === percent) return;
  farm.progress.setTask(task.jobId, task.id, { percent });
  farm.events.publishIfHeard(
    () => ({
      type: "task.progress",
      job_id: String(task.jobId),
      task_id: String(task.id),
      job_progress: farm.progress.job(task.jobId) ?? 0,
      progress: { percent },
    }),
    farm.values.peekJob(task.jobId)?.row,
  );
};
