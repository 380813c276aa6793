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
      ? t`None of their tasks is running.`
      : plural(running, {
          one: "# task is running; their work is thrown away.",
          other: "# tasks are running; their work is thrown away.",
        });
  return {
    title: plural(jobs.length, { 1: `Stop job ${id}?`, other: "Stop # jobs?" }),
    text: t`${lost} Finished outputs stay. A stopped job can be retried from there.`,
    keep: jobs.length === 1 ? t`Keep it` : t`Keep them`,
    go: plural(jobs.length, { 1: `Stop job ${id}`, other: "Stop # jobs" }),
  };
};
