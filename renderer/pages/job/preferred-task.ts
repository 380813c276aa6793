import type { UiTask } from "../../../shared/api/job-view.ts";

type Task = Pick<UiTask, "status" | "cause" | "node">;

const isStopped = ({ status, cause }: Task): boolean => status === "failed" && cause === "cancelled";
const order: readonly ((task: Task) => boolean)[] = [
  (task) => task.status === "failed" && !isStopped(task),
  ({ status }) => status === "running",
  // Those that were stopped before they ran have no log.
  (task) => isStopped(task) && task.node !== null,
];

/** The task that people most likely want to read: a failed one, a running one, what was stopped at its work, or the last. */
export const preferredTask = <T extends Task>(tasks: readonly T[]): T | undefined => {
  for (const isWanted of order) {
    const found = tasks.find(isWanted);
    if (found) return found;
  }
  return tasks.at(-1);
};
