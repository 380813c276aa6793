import type { Draft } from "../memory/draft.ts";
import { type Change, joined } from "../store/batch.ts";
import type { JobRow, TaskRow } from "../store/rows.ts";
import type { Farm } from "./farm.ts";
import { jobInfoOf, taskInfoOf } from "./info.ts";
import { publishNode } from "./nodes.ts";

/** Sends the events of a decision once it is durable. */
export const announce = (farm: Farm, draft: Draft): void => {
  const jobs = new Set<number>();
  for (const change of joined(draft.changes)) {
    if (change.job !== undefined && isTold(change)) jobs.add(change.job);
    if (change.table === "nodes" && change.after?.revoked === null)
      draft.after(() => publishNode(farm, Number(change.key[0])));
    if (change.table === "tasks" && change.after) announceTask(farm, draft, change.after);
  }
  for (const id of jobs) announceJob(farm, draft, id, draft.job(id).row);
};

const told: ReadonlySet<Change["table"]> = new Set(["jobs", "schedules", "tasks", "runs"]);

/** Not for a job that was just stored, and not for progress alone, which is sent with its tasks' progress. */
const isTold = ({ table, before, after }: Change): boolean =>
  told.has(table) &&
  !(table === "jobs" && !before) &&
  !(
    table === "jobs" &&
    before &&
    after &&
    Object.keys(after).every((key) => key === "progress" || isSame(before, after, key))
  );

const isSame = (before: object, after: object, key: string): boolean =>
  Reflect.get(before, key) === Reflect.get(after, key);

const announceTask = (farm: Farm, draft: Draft, task: TaskRow): void =>
  draft.after(() =>
    farm.events.tell(() => ({
      type: "task.changed",
      job_id: String(task.job_id),
      task: taskInfoOf(task, farm.progress),
    })),
  );

const announceJob = (farm: Farm, draft: Draft, id: number, row: JobRow | undefined): void =>
  draft.after(() => {
    if (row) farm.events.tell(() => ({ type: "job.changed", job: jobInfoOf(row, farm.progress) }));
    else farm.events.publish({ type: "job.deleted", job_id: String(id) });
  });
