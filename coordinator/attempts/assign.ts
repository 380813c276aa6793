import { isRemote } from "../../shared/storage.ts";
import { limitsFor } from "../../shared/time-limits.ts";
import type { Draft } from "../memory/draft.ts";
import { choose, type Offer, type Situation } from "../schedule/choose.ts";
import { closest, isAlikeEverywhere, type NodesNear } from "../schedule/locality.ts";
import type { OpenTask } from "../schedule/open-task.ts";
import type { Turn } from "../schedule/turns.ts";
import { fenceOf, isHeld } from "../store/rows.ts";
import { writeJobState } from "./advance.ts";
import { fullTags } from "./compute-groups.ts";
import type { Farm } from "./farm.ts";
import { placeAgain } from "./place.ts";
import { secretWordsFor } from "./secret-words.ts";
import { storageKeysFor } from "./storage-keys.ts";

/**
 * Hands ready tasks to free slots until nothing fits. A chosen task leaves the ready list and takes its slot at once,
 * so that the next choice sees it. The claim is durable before the node is told.
 */
export const assignReady = (farm: Farm): void => {
  const situation = { full: fullTags(farm), hasOthers: farm.registry.hasOthers };
  let hasAssigned = true;
  while (hasAssigned && farm.ready.size() > 0) {
    hasAssigned = false;
    for (const { offer } of farm.registry.offers()) {
      if (offer.free.slots <= 0 && offer.free.light <= 0) continue;
      const task = choose(offer, farm.ready.sets(), situation);
      if (!task) continue;
      hasAssigned = true;
      const taker = takerOf(farm, task, offer, situation);
      const chosen = { nodeId: taker, task, turn: farm.ready.take(task) };
      farm.registry.claim(taker, task.id, task);
      if (farm.values.limits.size > 0) situation.full = fullTags(farm);
      claim(farm, chosen).catch((problem) => {
        farm.log.error({ err: problem, task: task.id, node: taker }, "claim failed");
      });
    }
  }
};

/** Of the nodes that would choose this task now, the one that is closest to its inputs. */
const takerOf = (
  { registry, ready, whereabouts }: Farm,
  task: OpenTask,
  offer: Offer,
  situation: Situation,
): number => {
  if (isAlikeEverywhere(task, whereabouts.of)) return offer.node.id;
  const others = placesFor(registry.offers(), task, whereabouts.of);
  const wouldTake = (other: Offer) => choose(other, ready.sets(), situation) === task;
  return closest(task, [offer, ...others], whereabouts.of, wouldTake).node.id;
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

const claim = async (farm: Farm, chosen: Chosen): Promise<void> => {
  const { nodeId, task, turn } = chosen;
  farm.checkpoint("chosen");
  try {
    if (await farm.change([task.jobId], (draft) => decideClaim(farm, draft, nodeId, task))) {
      farm.ready.keepTurn(turn);
      return;
    }
    giveBack(farm, chosen);
    farm.wake(); // the slot is free again for another task
  } catch (problem) {
    giveBack(farm, chosen);
    throw problem;
  }
};

const giveBack = (farm: Farm, { nodeId, task, turn }: Chosen): void => {
  farm.registry.unclaim(nodeId, task.id);
  farm.ready.giveBackTurn(turn);
  placeAgain(farm, task);
};

/** False if there is nothing to assign: the job was deleted, stopped or paused meanwhile. */
const decideClaim = (farm: Farm, draft: Draft, nodeId: number, { id, jobId }: OpenTask): boolean => {
  const { registry, checkpoint, epoch } = farm;
  const job = draft.job(jobId);
  const task = draft.task({ job_id: jobId, id });
  if (task?.state !== "ready" || registry.isBarred(nodeId) || isHeld(job.schedule)) return false;
  if (!registry.isClaimed(nodeId, id)) return false; // the decision that freed the slot was undone
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
  const secretWords = secretWordsFor(farm, job, task, work);
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
