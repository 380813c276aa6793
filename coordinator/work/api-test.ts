import {
  type ApiTestRun,
  type ApiTestStep,
  apiTestNeed,
  apiTestProgress,
  apiTestRunOf,
  apiTestStepOf,
} from "../../shared/api-test.ts";
import type { OpenTask } from "../db/open-tasks.ts";
import type { Changes, Farm } from "./farm.ts";
import { retryOrFail } from "./report.ts";

/** A task of a job of schema api_test, and the run of it that is due or going on. */
export type PretendedTask = { readonly task: OpenTask; readonly script: ApiTestStep; readonly run: ApiTestRun };

export const isPretended = ({ requires }: Pick<OpenTask, "requires">): boolean => requires.includes(apiTestNeed);

/** All of it follows from what is stored, so that a restart goes on where the last life stood. */
export const pretendedTask = (farm: Farm, task: OpenTask): PretendedTask => {
  const row = farm.stores.tasks.read(task.id);
  const run = farm.stores.elementRuns.read(task.jobId).find(({ uid }) => uid === row?.element_uid);
  const script = run?.spec.script ?? apiTestStepOf(undefined, "");
  return { task, script, run: apiTestRunOf(script, task.readyTime, row?.retry_nr ?? 0) };
};

/** Takes tasks of jobs of schema api_test as far as their scripts say: no node is asked, no media touched. */
export const pretend = async (farm: Farm): Promise<void> => {
  const now = farm.clock.steady();
  for (let due = dueTasks(farm, now); due.length > 0; due = dueTasks(farm, now)) {
    await farm.change((changes) => {
      for (const each of due) moveOn(farm, changes, each);
    });
  }
  for (const each of farm.pretended.values()) if (each.task.state === "running") showProgress(farm, each, now);
};

const dueTasks = (farm: Farm, now: number): PretendedTask[] =>
  [...farm.pretended.values()].filter(({ task, run }) => (task.state === "ready" ? run.startsAt : run.endsAt) <= now);

const moveOn = (farm: Farm, changes: Changes, { task, script, run }: PretendedTask): void => {
  const row = farm.stores.tasks.get(task.id);
  changes.tasks.add(task.id);
  if (row?.state !== task.state) return; // stopped meanwhile
  changes.touchedJobs.add(task.jobId);
  if (row.state === "ready") farm.stores.tasks.move(row, "assign", { startTime: farm.clock.now() });
  else if (run.fails) retryOrFail(farm, row, { cause: script.cause, message: script.message });
  else farm.stores.tasks.move(row, "complete", { published: { outputs: {}, found: {} }, endTime: farm.clock.now() });
};

const showProgress = (farm: Farm, { task, script, run }: PretendedTask, now: number): void => {
  const percent = apiTestProgress(script, run, now);
  if (farm.progress.task(task.id)?.percent === percent) return;
  farm.progress.setTask(task.id, { percent });
  farm.events.tell(() => ({
    type: "task.progress",
    job_id: String(task.jobId),
    task_id: String(task.id),
    job_progress: farm.progress.job(task.jobId) ?? 0,
    progress: { percent },
  }));
};
