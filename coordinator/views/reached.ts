import type { FarmEvent } from "../../shared/api/events.ts";
import { AppError } from "../../shared/basics/errors.ts";
import type { Node } from "../../shared/model/node.ts";
import type { Scope } from "../../shared/people/scopes.ts";
import { type Owned, type Reach, reaches } from "../../shared/rights/reach.ts";
import { eventRights } from "../../shared/rights/rights.ts";
import { idsIn } from "../jobs/job-ids.ts";
import type { Kernel } from "../kernel/kernel.ts";
import type { JobSelection } from "../store/job-reads.ts";

type Reads = Pick<Kernel, "store">;

/** The selection of the jobs that somebody reaches. */
export const within = (reach: Reach, selection: JobSelection): JobSelection =>
  reach === "all"
    ? selection
    : { ...selection, filters: [...selection.filters, { field: reach.field, values: [reach.value] }] };

/** Those of these jobs that somebody reaches, in the same order. */
export const reachedJobs = async (farm: Reads, reach: Reach, ids: readonly number[]): Promise<number[]> => {
  if (reach === "all") return [...ids];
  const asked = {
    ...within(reach, { ids, filters: [] }),
    sort: "id",
    order: "asc",
    skip: 0,
    take: ids.length,
  } as const;
  const found = new Set((await farm.store.jobs.list(asked)).map(({ id }) => id));
  return ids.filter((id) => found.has(id));
};

/**
 * Throws NOT_FOUND for a job, or a task of one, that somebody does not reach, in the words for one that does not exist.
 * Whoever reaches all costs no look.
 */
export const requireReached = async (
  farm: Reads,
  reach: Reach,
  { job_id, task_id }: { readonly job_id?: string; readonly task_id?: string },
): Promise<void> => {
  if (reach === "all") return;
  const [what, text] = task_id === undefined ? (["job", job_id ?? ""] as const) : (["task", task_id] as const);
  const [id] = idsIn([text]);
  const jobId = id === undefined || what === "job" ? id : (await farm.store.jobs.task(id))?.job_id;
  const job = jobId === undefined ? undefined : await farm.store.load.row("jobs", jobId);
  if (!reaches(reach, job)) throw new AppError("NOT_FOUND", `There is no ${what} ${text.slice(0, 40)}`);
};

/** Whose an open job is. */
export const ownerOfJob = ({ values }: Pick<Kernel, "values">, id: number): Owned | undefined =>
  values.peekJob(id)?.row ?? values.heads.get(id);

/** A node as somebody sees it who reaches some jobs only: of others' tasks it is known that they run. */
export const nodeWithin = (farm: Pick<Kernel, "values">, reach: Reach, node: Node): Node => {
  if (reach === "all") return node;
  const running = node.running.map((each) =>
    reaches(reach, ownerOfJob(farm, Number(each.job_id))) ? each : { ...each, task_id: "", job_id: "", name: "" },
  );
  return { ...node, running };
};

/** An event as a listener may hear it; undefined: not at all. */
export const eventWithin = (
  farm: Pick<Kernel, "values">,
  { reach, scopes }: { readonly reach: Reach; readonly scopes: readonly Scope[] },
  event: FarmEvent,
  owned: Owned | undefined,
): FarmEvent | undefined => {
  const { program, isOfJob } = eventRights[event.type];
  if (program !== "any" && !scopes.includes(program)) return undefined;
  if (isOfJob && !reaches(reach, owned)) return undefined;
  return event.type === "node.changed" ? { ...event, node: nodeWithin(farm, reach, event.node) } : event;
};
