import type { JobInfo } from "../../shared/job-info.ts";
import type { UiJobRow } from "../../shared/job-view.ts";
import { countOf } from "./format.ts";

type Job = Pick<JobInfo, "id" | "name" | "end_time"> & Pick<UiJobRow, "task_counts">;

/** What is asked before a job is stopped: what is lost, in numbers. */
export const stopQuestion = ({ id, task_counts }: Job) => ({
  title: `Stop job ${id}?`,
  text: `${countOf(task_counts.running, "task runs", "tasks run")} now and ${countOf(task_counts.queued, "task waits", "tasks wait")}; what they have made so far is thrown away. Finished outputs stay.`,
  keep: "Keep it",
  go: "Stop the job",
});

export const deleteQuestion = ({ id, name, end_time }: Job) => ({
  title: `Delete job ${id}, ${name}?`,
  text: `${end_time === null ? "It is stopped on every node. " : ""}Its tasks, attempts and logs are forgotten. Files that it made stay where they are.`,
  keep: "Keep it",
  go: "Delete the job",
});
