import type { OpenTask } from "../db/open-tasks.ts";
import type { Ending } from "../schedule/blame.ts";
import { isPretended, pretendedTask } from "./api-test.ts";
import type { Changes, Farm } from "./farm.ts";
import { noteHeld } from "./hold.ts";
import { jobInfoOf, taskInfoOf } from "./info.ts";
import { publishNode } from "./nodes.ts";

/** Carries what a commit did into memory and to nodes and listeners. The only place that does. */
export const applyChanges = (farm: Farm, changes: Changes): void => {
  const { registry, epoch } = farm;
  for (const { nodeId, fence, why } of changes.cancelled) {
    registry.send(nodeId, { type: "cancel", epoch, fence, why });
  }
  for (const { nodeId, held } of changes.begun) registry.hold(nodeId, held);
  for (const { nodeId, fence } of changes.ended) {
    registry.release(nodeId, fence);
    farm.tails.forget(fence);
  }
  for (const [jobId, schedule] of changes.held) noteHeld(farm, jobId, schedule);
  if (changes.limits) readLimits(farm);
  for (const ending of changes.endings) noteEnding(farm, changes, ending);
  for (const nodeId of changes.forgiven) farm.blame.forgetNode(nodeId);
  for (const nodeId of changes.nodes) refreshNode(farm, nodeId);
  for (const nodeId of changes.revoked) dismissNode(farm, nodeId);
  for (const taskId of changes.tasks) placeTask(farm, taskId);
  for (const [jobId, share] of changes.shares) {
    if (share) farm.progress.setJob(jobId, share);
    else forgetJob(farm, jobId);
  }
  for (const jobId of changes.deletedJobs) forgetJob(farm, jobId);
  tellListeners(farm, changes);
};

/**
 * Lets slots and tasks be seen within the commit that frees them, so that their next use is written in the same one. What
 * else changed, such as a node that is not trusted any more, is only seen afterwards: then nothing is foreseen.
 */
export const foresee = (farm: Farm, filled: readonly Changes[]): boolean => {
  if (!filled.some(({ ended }) => ended.length > 0) || !filled.every(isPlain)) return false;
  for (const { ended, tasks } of filled) {
    for (const { nodeId, fence } of ended) farm.registry.letGo(nodeId, fence);
    for (const taskId of tasks) placeTask(farm, taskId);
  }
  return true;
};

/** The commit came to nothing: all stands as the store has it. */
export const takeBack = (farm: Farm, { ended, tasks }: Changes): void => {
  for (const { nodeId, fence } of ended) farm.registry.keep(nodeId, fence);
  for (const taskId of tasks) placeTask(farm, taskId);
};

const isPlain = ({ cancelled, held, limits, nodes, endings, deletedJobs }: Changes): boolean =>
  cancelled.length + held.size + nodes.size + deletedJobs.size === 0 &&
  !limits &&
  endings.every(({ cause }) => cause === undefined);

/** Nothing more is decided of it. */
const forgetJob = (farm: Farm, jobId: number): void => {
  farm.progress.forgetJob(jobId);
  farm.ready.forgetJob(jobId);
  farm.db.memo.forget(jobId);
  farm.blame.forgetJob(jobId);
  farm.held.delete(jobId);
};

/** Where a whole job begins to avoid a node, its waiting tasks move to other lists. */
const noteEnding = (farm: Farm, { tasks }: Changes, ending: Ending): void => {
  const { jobId, cause } = ending;
  const before = farm.blame.avoidedBy(jobId, noTask).length;
  farm.blame.note(ending);
  if (cause === undefined || farm.blame.avoidedBy(jobId, noTask).length === before) return;
  for (const { id, state } of farm.stores.tasks.ofJob(jobId)) if (state === "ready") tasks.add(id);
};

/** Asked about no task of its own, a job tells what all of its tasks avoid. */
const noTask = 0;

const dismissNode = (farm: Farm, nodeId: number): void => {
  const connection = farm.registry.remove(nodeId);
  connection?.send({ type: "refused", message: "The farm has revoked this node", retry: false, reason: "revoked" });
  connection?.close();
  farm.events.publish({ type: "node.removed", node_id: String(nodeId) });
};

const refreshNode = (farm: Farm, nodeId: number): void => {
  const row = farm.stores.nodes.get(nodeId);
  if (!row) return;
  farm.registry.put(row, farm.clock.monotonic());
  publishNode(farm, nodeId);
};

/** A task stands in the one list that fits its state as it was committed. */
const placeTask = (farm: Farm, taskId: number): void => {
  const task = farm.stores.tasks.open(taskId);
  farm.ready.remove(taskId);
  farm.delayed.delete(taskId);
  farm.pretended.delete(taskId);
  if (task) placeOpenTask(farm, task);
  else farm.progress.forgetTask(taskId);
};

export const placeOpenTask = (farm: Farm, task: OpenTask): void => {
  const mayStart = task.state === "ready" && !farm.held.has(task.jobId);
  if ((mayStart || task.state === "running") && isPretended(task)) {
    farm.pretended.set(task.id, pretendedTask(farm, task));
  } else if (mayStart) farm.ready.add(withAvoided(farm, task));
  if (task.state === "delayed") farm.delayed.set(task.id, task);
  if (task.state !== "running" && task.state !== "committing") farm.progress.forgetTask(task.id);
};

export const readLimits = ({ limits, stores }: Farm): void => {
  limits.clear();
  for (const { tag, most } of stores.computeGroups.limits()) limits.set(tag, most);
};

/** The task with the nodes that it avoids. */
export const withAvoided = (farm: Farm, task: OpenTask): OpenTask => {
  const avoids = farm.blame.avoidedBy(task.jobId, task.id);
  return avoids.length > 0 ? { ...task, avoids } : task;
};

const tellListeners = (farm: Farm, changes: Changes): void => {
  for (const taskId of changes.tasks) {
    farm.events.tell(() => {
      const task = farm.stores.tasks.read(taskId);
      return task && { type: "task.changed", job_id: String(task.job_id), task: taskInfoOf(task, farm.progress) };
    });
  }
  for (const jobId of changes.jobs) {
    farm.events.tell(() => {
      const job = farm.stores.jobs.read(jobId);
      return job && { type: "job.changed", job: jobInfoOf(job, farm.progress) };
    });
  }
  for (const jobId of changes.deletedJobs) farm.events.publish({ type: "job.deleted", job_id: String(jobId) });
};
