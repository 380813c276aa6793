import { countOf } from "./format.ts";

type Job = {
  readonly id: string;
  readonly name: string;
  readonly task_counts: { readonly running: number; readonly completed: number };
};

const sum = (jobs: readonly Job[], of: "running" | "completed"): number =>
  jobs.reduce((total, { task_counts: counts }) => total + counts[of], 0);

const nameOf = (jobs: readonly Job[]): string =>
  jobs.length === 1 ? `job ${jobs[0]?.id}` : countOf(jobs.length, "job");

/** The question before jobs are stopped: what is lost, in numbers. */
export const stopQuestion = (jobs: readonly Job[]) => {
  const [running, what] = [sum(jobs, "running"), nameOf(jobs)];
  const lost =
    running === 0
      ? "None of their tasks is running."
      : `${countOf(running, "task is", "tasks are")} running; their work is thrown away.`;
  return {
    title: `Stop ${what}?`,
    text: `${lost} Finished outputs stay. A stopped job can be retried from there.`,
    keep: jobs.length === 1 ? "Keep it" : "Keep them",
    go: `Stop ${what}`,
  };
};
