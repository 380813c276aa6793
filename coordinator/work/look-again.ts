import type { Question } from "../../shared/looks.ts";
import type { AgentMessage } from "../../shared/protocol.ts";
import type { Draft } from "../memory/draft.ts";
import type { Wait } from "../memory/waits.ts";
import { canServe } from "../schedule/fit.ts";
import type { NodeFacts } from "../schedule/node-facts.ts";
import type { TaskRow } from "../store/rows.ts";
import { type Outcome, outcomeOf, sourcesQuestion } from "./arrivals.ts";
import { retryOrFail } from "./failed-attempts.ts";
import type { Farm } from "./farm.ts";
import { storageKeysFor } from "./storage-keys.ts";
import { folderQuestion, takeFolder } from "./watch-folder.ts";

/**
 * Nodes check what tasks wait for; a check takes no slot. The result of a check stays in memory; only the end of a wait
 * is stored.
 */

/** The maximum number of checks requested per tick, and of open checks per node. */
const most = { aTick: 200, aNode: 16 };
/** A check that is not answered within this time is requested again. */
const patienceMs = 120_000;

/** Requests the checks that are due. */
export const lookAgain = async (farm: Farm): Promise<void> => {
  if (![...farm.waits.all()].some(({ task }) => task.awaits.what === "folder")) farm.watches.clear();
  const due = dueLooks(farm);
  if (due.length === 0) return;
  const jobIds = due.map(({ wait }) => wait.task.jobId);
  await farm.change(jobIds, (draft) => {
    for (const each of due) ask(farm, draft, each);
  });
};

type Look = { readonly wait: Wait; readonly nodeId: number };

const dueLooks = (farm: Farm): Look[] => {
  const { waits, registry, clock } = farm;
  const now = clock.steady();
  const nodes = [...registry.offers()].map(({ nodeId, offer }) => ({ nodeId, facts: offer.node }));
  const open = new Map(nodes.map(({ nodeId }) => [nodeId, waits.askedOf(nodeId)]));
  const due: Look[] = [];
  for (const wait of waits.all()) {
    if (due.length >= most.aTick) break;
    if (wait.next > now || isLookedAt(farm, wait, now)) continue;
    const nodeId = lookerOf(wait, nodes, (id) => (open.get(id) ?? 0) < most.aNode);
    if (nodeId === undefined) continue;
    open.set(nodeId, (open.get(nodeId) ?? 0) + 1);
    due.push({ wait, nodeId });
  }
  return due;
};

const isLookedAt = ({ registry }: Farm, { asked }: Wait, now: number): boolean =>
  asked !== undefined && now - asked.at < patienceMs && registry.isConnected(asked.nodeId);

type Looker = { readonly nodeId: number; readonly facts: NodeFacts };

/** Prefers the node that saw the files last, so that one clock and one view of the folder count; otherwise the next. */
const lookerOf = (
  { task, looked, watched, isDoubtful }: Wait,
  nodes: readonly Looker[],
  isFree: (nodeId: number) => boolean,
): number | undefined => {
  const able = nodes.filter(({ nodeId, facts }) => isFree(nodeId) && canServe(facts, task));
  const last = able.findIndex(({ nodeId }) => nodeId === looked?.nodeId);
  const isFolder = task.awaits.what === "folder";
  const stays = !isDoubtful && (isFolder || [...watched.values()].some(({ seen }) => seen !== null));
  return able[last >= 0 && stays ? last : (last + 1) % able.length]?.nodeId;
};

const ask = (farm: Farm, draft: Draft, { wait, nodeId }: Look): void => {
  const { id, jobId } = wait.task;
  const task = draft.task({ job_id: jobId, id });
  const work = task?.state === "ready" && task.awaits ? draft.works([id]).get(id) : undefined;
  if (!task || !work) return;
  const keys = storageKeysFor(farm, draft.job(jobId), task.element_uid, work, nodeId);
  const question: Question = work.watch ? folderQuestion(work.watch, wait) : sourcesQuestion(work, wait);
  draft.after(() => {
    if (farm.waits.get(id) !== wait) return;
    const look = farm.waits.ask(wait, nodeId, farm.clock.steady());
    farm.registry.send(nodeId, { type: "look", epoch: farm.epoch, look, question, ...(keys && { keys }) });
  });
};

type Answered = Extract<AgentMessage, { type: "looked" }>;

/** Takes the result of a check: the task starts, keeps waiting, or fails because its time is over. */
export const takeAnswer = async (farm: Farm, nodeId: number, { look, answer }: Answered): Promise<void> => {
  const isLast = answer.what !== "folder" || answer.isLast;
  const wait = farm.waits.answered(look, nodeId, { at: farm.clock.steady(), isLast });
  if (!wait) return;
  if (wait.task.awaits.what === "folder") return takeFolder(farm, wait, answer);
  if (answer.what === "folder") return;
  const { id, jobId } = wait.task;
  await farm.change([jobId], (draft) => {
    const task = draft.task({ job_id: jobId, id });
    if (task?.state !== "ready" || !task.awaits) return;
    const work = draft.works([id]).get(id);
    if (work) follow(farm, draft, { task, wait }, outcomeOf(wait, work, answer, farm.clock.steady()));
  });
};

const follow = (
  farm: Farm,
  draft: Draft,
  { task, wait }: { readonly task: TaskRow; readonly wait: Wait },
  outcome: Outcome,
): void => {
  if (outcome !== "there" && !("failure" in outcome)) {
    draft.after(() => Object.assign(wait, outcome));
    return;
  }
  if (outcome === "there") draft.setTask(task, { awaits: undefined, ready_time: farm.clock.steady() });
  else retryOrFail(farm, draft, task, outcome.failure);
  draft.touch(task.job_id);
};
