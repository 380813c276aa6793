export const taskFilters = ["queued", "running", "completed", "failed", "stopped"] as const;
export type TaskFilter = (typeof taskFilters)[number];

/** The task whose log is shown, and which tasks are listed. */
export type JobPageSearch = { readonly task?: string; readonly status?: TaskFilter; readonly element?: string };

export const jobSearch = ({ task, status, element }: Record<string, unknown>): JobPageSearch => ({
  task: task === undefined ? undefined : String(task),
  status: taskFilters.find((each) => each === status),
  element: element === undefined ? undefined : String(element),
});
