import {
  type ApiTestRun,
  type ApiTestStep,
  apiTestNeed,
  apiTestProgress,
  apiTestRunOf,
  apiTestStepOf,
} from "../../shared/api-test.ts";
import type { ElementSpec } from "../../shared/job.ts";
import type { Draft } from "../memory/draft.ts";
import type { OpenTask } from "../schedule/open-task.ts";
import { retryOrFail } from "./failed-attempts.ts";
import type { Farm } from "./farm.ts";

/** A task of an api_test job, and its current or next simulated run. */
export type SimulatedTask = { readonly task: OpenTask; readonly script: ApiTestStep; readonly run: ApiTestRun };

export const isSimulated = ({ requires }: Pick<OpenTask, "requires">): boolean => requires.includes(apiTestNeed);

/** Derives the simulated run from stored data only, so that a restart continues where it stopped. */
export const simulatedTask = (
  spec: Pick<ElementSpec, "script"> | undefined,
  task: OpenTask,
  retryNr: number,
): SimulatedTask => {
  const script = spec?.script ?? apiTestStepOf(undefined, "");
  return { task, script, run: apiTestRunOf(script, task.readyTime, retryNr) };
};

/** Moves tasks of api_test jobs through their scripts, without nodes or media. */
export const simulate = async (farm: Farm): Promise<void> => {
  const now = farm.clock.steady();
  for (let due = dueTasks(farm, now); due.length > 0; due = dueTasks(farm, now)) {
    await farm.change(
      due.map(({ task }) => task.jobId),
      (draft) => {
        for (const each of due) moveOn(farm, draft, each);
      },
    );
  }
  for (const each of farm.simulated.values()) if (each.task.state === "running") showProgress(farm, each, now);
};

const dueTasks = (farm: Farm, now: number): SimulatedTask[] =>
  [...farm.simulated.values()].filter(({ task, run }) => (task.state === "ready" ? run.startsAt : run.endsAt) <= now);

const moveOn = (farm: Farm, draft: Draft, { task, script, run }: SimulatedTask): void => {
  const row = draft.task({ job_id: task.jobId, id: task.id });
  if (row?.state !== task.state) return; // stopped meanwhile
  const now = farm.clock.now();
  draft.touch(task.jobId);
  if (row.state === "ready") draft.moveTask(row, "assign", { start_time: row.start_time ?? now });
  else if (run.fails) retryOrFail(farm, draft, row, { cause: script.cause, message: script.message });
  else draft.moveTask(row, "complete", { published: { outputs: {}, found: {} }, end_time: now });
};

const showProgress = (farm: Farm, { task, script, run }: SimulatedTask, now: number): void => {
  const percent = apiTestProgress(script, run, now);
  if (farm.progress.task(task.id)?.percent === percent) return;
  farm.progress.setTask(task.jobId, task.id, { percent });
  farm.events.tell(() => ({
    type: "task.progress",
    job_id: String(task.jobId),
    task_id: String(task.id),
    job_progress: farm.progress.job(task.jobId) ?? 0,
    progress: { percent },
  }));
};
