import { limitsFor } from "../../shared/time-limits.ts";
import { fenceOf } from "../db/attempts.ts";
import { isHeld } from "../db/job-schedules.ts";
import type { OpenTask } from "../db/open-tasks.ts";
import { heldOf } from "../nodes/registry.ts";
import { choose } from "../schedule/choose.ts";
import { writeJobState } from "./advance.ts";
import { fullTags } from "./compute-groups.ts";
import type { Farm } from "./farm.ts";
import { dueOf } from "./overdue.ts";
import { secretWordsFor } from "./secret-words.ts";
import { storageKeysFor } from "./storage-keys.ts";

/**
 * Hands ready tasks to free slots until nothing fits. A chosen task leaves the ready list and takes its slot at once,
 * so that the next choice sees it; the claim is durable before the node hears of it.
 */
export const assignReady = (farm: Farm): void => {
  const situation = { full: fullTags(farm), hasOthers: farm.registry.hasOthers };
  let hasAssigned = true;
  while (hasAssigned && farm.ready.size() > 0) {
    hasAssigned = false;
    for (const { nodeId, offer } of farm.registry.offers()) {
      if (offer.free.slots <= 0 && offer.free.light <= 0) continue;
      const task = choose(offer, farm.ready.sets(), situation);
      if (!task) continue;
      hasAssigned = true;
      farm.ready.take(task);
      farm.registry.claim(nodeId, task.id, task);
      if (farm.limits.size > 0) situation.full = fullTags(farm);
      claim(farm, nodeId, task).catch((problem) => {
        farm.log.error({ err: problem, task: task.id, node: nodeId }, "claim failed");
        farm.ready.add(task);
      });
    }
  }
};

const due = new WeakSet<Farm>();

/** The same, once for all that ends at this moment: what a commit of many lets go is handed out in one round. */
export const assignSoon = (farm: Farm): void => {
  if (due.has(farm)) return;
  due.add(farm);
  queueMicrotask(() => {
    due.delete(farm);
    assignReady(farm);
  });
};

const claim = async (farm: Farm, nodeId: number, task: OpenTask): Promise<void> => {
  const { stores, registry, checkpoint } = farm;
  checkpoint("chosen");
  try {
    const assigned = await farm.change((changes) => {
      const row = stores.tasks.get(task.id);
      const now = farm.clock.now();
      // Deleted, stopped or paused meanwhile: nothing to hand out.
      if (row?.state !== "ready" || registry.isBarred(nodeId) || isHeld(stores.schedules.get(task.jobId)))
        return undefined;
      const attempt = stores.attempts.insert(farm.epoch, task.id, nodeId, now);
      stores.tasks.move(row, "assign", { attempt, startTime: now });
      changes.tasks.add(task.id);
      writeJobState(farm, changes, task.jobId); // a task that starts moves no element: nothing to advance
      checkpoint("claiming");
      const fence = fenceOf(attempt);
      changes.begun.push({ nodeId, held: heldOf(fence, task, dueOf(farm, row.kind)) });
      const limits = limitsFor(row.kind, farm.config.timeLimits);
      const work = stores.tasks.work(task.id);
      const secretWords = work && secretWordsFor(farm, row, work);
      const keys = work && storageKeysFor(farm, { jobId: row.job_id, elementUid: row.element_uid }, work);
      return {
        fence,
        work,
        previousIntent: row.intent ?? null,
        limits,
        ...(secretWords && { secretWords }),
        ...(keys && { keys }),
      };
    });
    if (!assigned?.work) {
      giveBack(farm, nodeId, task);
      return;
    }
    checkpoint("claimed");
    const { work, ...rest } = assigned;
    const { fence } = rest;
    // Stopped or lost by the same commit: a node that was told to let go must not hear of it afterwards.
    if (!registry.isHeld(nodeId, fence)) return;
    const assignment = { taskId: task.id, name: task.name, work, ...rest };
    registry.send(nodeId, { type: "assign", epoch: farm.epoch, assignment });
    checkpoint("assigned");
  } finally {
    registry.unclaim(nodeId, task.id);
  }
};

/** The slot was taken for nothing: whoever was turned away meanwhile may have it. */
const giveBack = (farm: Farm, nodeId: number, task: OpenTask): void => {
  farm.registry.unclaim(nodeId, task.id);
  assignReady(farm);
};
