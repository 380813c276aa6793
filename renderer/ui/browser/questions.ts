import { plural, t } from "@lingui/core/macro";

type Job = {
  readonly id: string;
  readonly name: string;
  readonly task_counts: { readonly running: number; readonly completed: number };
};

const sum = (jobs: readonly Job[], of: "running" | "completed"): number =>
  jobs.reduce((total, { task_counts: counts }) => total + counts[of], 0);

/** The question before jobs are stopped: what is lost, in numbers. */
export const stopQuestion = (jobs: readonly Job[]) => {
  const running = sum(jobs, "running");
  const id = jobs[0]?.id ?? "";
  const lost =
    running === 0
      ? plural(jobs.length, { 1: "None of its tasks is running.", other: "None of their tasks is running." })
      : plural(running, {
          one: "# task is running; its work is thrown away.",
          other: "# tasks are running; their work is thrown away.",
        });
  return {
    title: plural(jobs.length, { 1: `Stop job ${id}?`, other: "Stop # jobs?" }),
    text: t`${lost} Finished outputs stay. A stopped job can be retried from there.`,
    keep: jobs.length === 1 ? t`Keep it` : t`Keep them`,
    go: plural(jobs.length, { 1: `Stop job ${id}`, other: "Stop # jobs" }),
  };
};

/** The same for all jobs of a list, whose tasks nobody has counted. */
export const stopListQuestion = (count: number) => ({
  title: plural(count, { one: "Stop # job?", other: "Stop # jobs?" }),
  text: t`That is every open job of this list, also those that are not in sight. What their running tasks did is thrown away. Finished outputs stay. Undo puts the jobs back into the queue.`,
  keep: t`Keep them`,
  go: plural(count, { one: "Stop # job", other: "Stop # jobs" }),
});

export const deleteListQuestion = (count: number) => ({
  title: plural(count, { one: "Delete # job?", other: "Delete # jobs?" }),
  text: t`That is every job of this list, also those that are not in sight, with its logs and results. Files that jobs made stay.`,
  keep: t`Keep them`,
  go: plural(count, { one: "Delete # job", other: "Delete # jobs" }),
});
