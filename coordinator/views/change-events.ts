import type { Owned } from "../../shared/rights/reach.ts";
import type { Transaction } from "../kernel/transaction.ts";
import { publishNode } from "../nodes/node-info.ts";
import type { Nodes } from "../nodes/nodes.ts";
import { type Change, joinChanges } from "../store/batch.ts";
import type { JobRow, TaskRow } from "../store/rows.ts";
import { buildJobInfo, buildTaskInfo } from "./job-info.ts";

type Parts = Pick<Nodes, "clock" | "events" | "progress" | "registry">;

/** Sends the events of a decision once it is durable. */
export const publishChanges = (farm: Parts, draft: Transaction): void => {
  const jobs = new Set<number>();
  const removed = new Map<number, Owned>();
  for (const change of joinChanges(draft.changes)) {
    if (change.table === "jobs" && change.before && !change.after) removed.set(Number(change.key[0]), change.before);
    if (change.job !== undefined && isTold(change)) jobs.add(change.job);
    if (change.table === "nodes" && change.after?.revoked === null)
      draft.after(() => publishNode(farm, Number(change.key[0])));
    if (change.table === "tasks" && change.after)
      announceTask(farm, draft, change.after, draft.job(change.after.job_id).row);
  }
  for (const id of jobs) announceJob(farm, draft, id, draft.job(id).row, removed.get(id));
};

const told: ReadonlySet<Change["table"]> = new Set(["schedules", "tasks", "runs"]);

/** Not for a job that was just stored, and not for progress alone, which is sent with its tasks' progress. */
const isTold = ({ table, before, after }: Change): boolean => {
  if (table !== "jobs") return told.has(table);
  if (!before || !after) return before !== undefined;
  return Object.keys(after).some((key) => key !== "progress" && !isSame(before, after, key));
};

const isSame = (before: object, after: object, key: string): boolean =>
  Reflect.get(before, key) === Reflect.get(after, key);

const announceTask = (farm: Parts, draft: Transaction, task: TaskRow, owned: Owned | undefined): void =>
  draft.after(() =>
    farm.events.publishIfHeard(
      () => ({
        type: "task.changed",
        job_id: String(task.job_id),
        task: buildTaskInfo(task, farm.progress),
      }),
      owned,
    ),
  );

const announceJob = (
  farm: Parts,
  draft: Transaction,
  id: number,
  row: JobRow | undefined,
  before: Owned | undefined,
): void =>
  draft.after(() => {
    if (row) farm.events.publishIfHeard(() => ({ type: "job.changed", job: buildJobInfo(row, farm.progress) }), row);
    else farm.events.publish({ type: "job.deleted", job_id: String(id) }, before);
  });
