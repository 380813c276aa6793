import { AppError } from "../../shared/basics/errors.ts";
import type { Narrowed } from "../../shared/people/narrowed.ts";
import { breadthOf, narrowRefusal, retags, type Within } from "../../shared/rights/narrowing.ts";
import type { Right } from "../../shared/rights/rights.ts";
import { idsIn } from "../jobs/job-ids.ts";
import type { Kernel } from "../kernel/kernel.ts";
import { requireJobWithin, requireNodeWithin, requireWithin, withinNow } from "../nodes/narrowing.ts";

/** What a call names, as far as it decides whether somebody may make it. */
type Named = {
  readonly job_id?: string;
  readonly task_id?: string;
  readonly node_id?: string;
  /** A job's new tags. */
  readonly task_tags?: readonly string[];
};

/**
 * Throws NOT_ALLOWED for a call that somebody may not make because their role is narrowed: by its row in the rights table, and
 * by the tags of the job, the task or the node that its path names. Calls about many jobs are decided job by job.
 */
export const requireNarrow = async (
  farm: Pick<Kernel, "store" | "values">,
  right: Pick<Right, "object" | "action">,
  narrowed: Narrowed | undefined,
  args: object,
): Promise<void> => {
  if (narrowed === undefined || breadthOf(right) === "all") return;
  refuseNarrow(right, narrowed);
  const within = withinNow(farm, narrowed);
  const { job_id, task_id, node_id, task_tags }: Named = args; // the parsed fields of the table's routes
  if (right.object === "node") return requireNode(farm, within, node_id, args);
  if (task_tags !== undefined) requireWithin(within, task_tags, "What you want");
  const jobId = task_id === undefined ? numberOf(job_id) : await jobOfTask(farm, task_id);
  if (jobId !== undefined) await requireJobWithin(farm, within, jobId);
};

/** Throws NOT_ALLOWED for what nobody changes whose role is narrowed. */
export const refuseNarrow = (right: Pick<Right, "object" | "action">, narrowed: Narrowed | undefined): void => {
  if (narrowed !== undefined && breadthOf(right) === "nothing") throw new AppError("NOT_ALLOWED", narrowRefusal(right));
};

const requireNode = (farm: Pick<Kernel, "values">, within: Within, nodeId: string | undefined, args: object): void => {
  if (retags(args))
    throw new AppError("NOT_ALLOWED", "Tags and groups of nodes are changed by people whose role is not narrowed");
  requireNodeWithin(farm, within, numberOf(nodeId) ?? 0);
};

const numberOf = (text = ""): number | undefined => idsIn([text])[0];

const jobOfTask = async ({ store }: Pick<Kernel, "store">, text: string): Promise<number | undefined> => {
  const id = numberOf(text);
  return id === undefined ? undefined : (await store.jobs.task(id))?.job_id;
};
