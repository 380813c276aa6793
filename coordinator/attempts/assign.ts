import { isUnavailable } from "../../shared/basics/errors.ts";
import { isRemote } from "../../shared/files/storage.ts";
import { limitsFor } from "../../shared/model/time-limits.ts";
import { writeJobState } from "../jobs/advance.ts";
import type { Transaction } from "../kernel/transaction.ts";
import { fullTags } from "../nodes/compute-groups.ts";
import type { Nodes } from "../nodes/nodes.ts";
import { choose, type Situation } from "../schedule/choose.ts";
import { closest, isAlikeEverywhere, type NodesNear } from "../schedule/locality.ts";
import type { Offer } from "../schedule/node-facts.ts";
import type { OpenTask } from "../schedule/open-task.ts";
import { reserve } from "../schedule/reserve.ts";
import type { Turn } from "../schedule/round-robin.ts";
import { secretWordsFor } from "../secrets/secret-words.ts";
import { storageKeysFor } from "../secrets/storage-keys.ts";
import { fenceOf, isPaused } from "../store/rows.ts";
import type { Attempts } from "./attempts.ts";
import { reindexTask } from "./indexes.ts";

/**
 * Hands ready tasks to free slots until nothing fits. A chosen task leaves the ready list and takes its slot at once,
 * so that the next choice sees it. The claim is durable before the node is told.
 */
export const assignReady = (farm: Attempts): void => {
  const situation = { full: fullTags(farm), hasOthers: farm.registry.hasOthers };
  let hasAssigned = true;
  while (hasAssigned && farm.ready.size() > 0) {
    hasAssigned = false;
    for (const { offer } of farm.registry.offers()) {
      if (offer.free.slots <= 0 && offer.free.light <= 0) continue;
      const task = choose(offer, farm.ready.sets(), situation);
      if (!task) continue;
      hasAssigned = true;
      const taker = chooseNode(farm, task, offer, situation);
      const chosen = { nodeId: taker, task, turn: farm.ready.take(task) };
      farm.registry.claim(taker, task.id, task);
      if (farm.values.limits.size > 0) situation.full = fullTags(farm);
      claim(farm, chosen).catch((problem) => {
        farm.log[isUnavailable(problem) ? "info" : "error"](
          { err: problem, task: task.id, node: taker },
          "claim failed",
        );
      });
    }
  }
};

/** Of the nodes that would choose this task now, the one that is closest to its inputs. */
const chooseNode = (
  { registry, ready, fileLocations }: Pick<Attempts, "ready" | "registry" | "fileLocations">,
  task: OpenTask,
  offer: Offer,
  situation: Situation,
): number => {
  if (isAlikeEverywhere(task, fileLocations.of)) return offer.node.id;
  const others = placesFor(registry.offers(), task, fileLocations.of);
  const wouldTake = (other: Offer) => choose(other, ready.sets(), situation) === task;
  return closest(task, [offer, ...others], fileLocations.of, wouldTake).node.id;
};

/** Nodes that are compared beside those that are known to be close: a large farm has thousands. */
const mostCompared = 50;

const placesFor = (offers: Iterable<{ readonly offer: Offer }>, { inputs = [] }: OpenTask, nodesNear: NodesNear) => {
  const close = new Set(inputs.flatMap(nodesNear));
  let left = inputs.some(isRemote) ? mostCompared : 0;
  const places: Offer[] = [];
  for (const { offer } of offers) {
    if (offer.free.slots <= 0 && offer.free.light <= 0) continue;
    if (close.has(offer.node.id)) places.push(offer);
    else if (left > 0) {
      left -= 1;
      places.push(offer);
    }
  }
  return places;
};

type Chosen = { readonly nodeId: number; readonly task: OpenTask; readonly turn: Turn };

const claim = async (farm: Attempts, chosen: Chosen): Promise<void> => {
  const { nodeId, task, turn } = chosen;
  farm.checkpoint("chosen");
  const needs = { jobs: [task.jobId], works: [task.id] };
  let isClaimed = false;
  try {
    isClaimed = await farm.change(needs, (draft) => decideClaim(farm, draft, nodeId, task));
  } finally {
    if (isClaimed) farm.ready.keepTurn(turn);
    else giveBack(farm, chosen);
  }
  if (!isClaimed) farm.wake(); // the slot is free again for another task
};

const giveBack = (farm: Attempts, { nodeId, task, turn }: Chosen): void => {
  farm.registry.unclaim(nodeId, task.id);
  farm.ready.giveBackTurn(turn);
  reindexTask(farm, task);
};

/** False if there is nothing to assign: the job was deleted, stopped or paused meanwhile. */
const decideClaim = (farm: Attempts, draft: Transaction, nodeId: number, { id, jobId }: OpenTask): boolean => {
  const { registry, checkpoint, epoch } = farm;
  const job = draft.job(jobId);
  const task = draft.task({ job_id: jobId, id });
  if (task?.state !== "ready" || registry.isBarred(nodeId) || isPaused(job.schedule)) return false;
  if (!registry.isClaimed(nodeId, id) || registry.isOverbooked(nodeId)) return false; // what freed the slot was undone
  const work = draft.works([id]).get(id);
  if (!work) return false;
  const now = farm.clock.now();
  const attempt = draft.insertAttempt({ epoch, task_id: id, job_id: jobId, node_id: nodeId, assigned: now });
  // Of a task that is tried again, people see how long this attempt runs.
  draft.moveTask(task, "assign", { attempt: attempt.counter, node_id: nodeId, start_time: now });
  writeJobState(farm, draft, job); // a starting task changes no element, so there is nothing to advance
  checkpoint("claiming");
  const fence = fenceOf(attempt);
  const limits = limitsFor(task.kind, farm.config.timeLimits);
  const secretWords = secretWordsFor(farm, job, task, work, nodeId);
  const keys = storageKeysFor(farm, job, task.element_uid, work, nodeId);
  const assignment = {
    fence,
    taskId: id,
    name: task.name,
    work,
    previousIntent: task.intent ?? null,
    limits,
    ...(secretWords && { secretWords }),
    ...(keys && { keys }),
  };
  draft.after(() => {
    checkpoint("claimed");
    // Stopped or lost since: a node that was told to drop the attempt must not be assigned it afterwards.
    if (!registry.isHeld(nodeId, fence)) return;
    registry.send(nodeId, { type: "assign", epoch, assignment });
    checkpoint("assigned");
  });
  return true;
};

/** Reserves nodes for tasks that need more than a single free slot. */
export const reserveNodes = (farm: Pick<Nodes, "config" | "clock" | "ready" | "registry">): void => {
  const { registry, ready, clock, config } = farm;
  const offers = [...registry.offers()].map(({ offer }) => offer);
  registry.keepFree(reserve(ready.sets(), offers, registry.reservations(), clock.steady() - config.reserveAfterMs));
};
