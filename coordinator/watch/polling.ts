import { isTransient } from "../../shared/model/failure.ts";
import type { AgentMessage } from "../../shared/protocol/messages.ts";
import { type PollRequest, type PollResponse, pollPatienceMs } from "../../shared/protocol/polling.ts";
import { retryOrFail } from "../attempts/failed-attempts.ts";
import type { Transaction } from "../kernel/transaction.ts";
import { canServe } from "../schedule/fit.ts";
import type { NodeFacts } from "../schedule/node-facts.ts";
import type { OpenTask } from "../schedule/open-task.ts";
import type { Poll } from "../schedule/polls.ts";
import { storageKeysFor } from "../secrets/storage-keys.ts";
import type { TaskRow } from "../store/rows.ts";
import { buildFolderQuestion, takeFolderAnswer } from "./folder-polling.ts";
import { buildSourcesQuestion, judgeSources, type PollOutcome } from "./source-polling.ts";
import type { Watches } from "./watches.ts";

/**
 * Nodes check what tasks wait for; a check takes no slot. The result of a check stays in memory; only the end of a wait
 * is stored.
 */

/** The maximum number of checks requested per tick, and of open checks per node. */
const most = { aTick: 200, aNode: 16 };

/** Requests the checks that are due. */
export const pollDue = async (farm: Watches): Promise<void> => {
  if (![...farm.polls.all()].some(({ task }) => task.awaits.what === "folder")) farm.watchedFiles.clear();
  const due = dueLooks(farm);
  if (due.length === 0) return;
  // One decision each, so that no job waits until another one is loaded.
  await Promise.all(due.map((each) => farm.change(rowsOf(each.wait.task), (draft) => ask(farm, draft, each))));
};

const rowsOf = ({ id, jobId }: OpenTask) => ({ jobs: [jobId], works: [id] });

type Look = { readonly wait: Poll; readonly nodeId: number };

const dueLooks = (farm: Pick<Watches, "clock" | "polls" | "registry">): Look[] => {
  const { polls, registry, clock } = farm;
  const now = clock.steady();
  const nodes = [...registry.offers()].map(({ nodeId, offer }) => ({ nodeId, facts: offer.node }));
  const open = new Map(nodes.map(({ nodeId }) => [nodeId, polls.askedOf(nodeId)]));
  const due: Look[] = [];
  for (const wait of polls.all()) {
    if (due.length >= most.aTick) break;
    if (wait.next > now || isLookedAt(farm, wait, now)) continue;
    const nodeId = chooseNode(wait, nodes, (id) => (open.get(id) ?? 0) < most.aNode);
    if (nodeId === undefined) continue;
    open.set(nodeId, (open.get(nodeId) ?? 0) + 1);
    due.push({ wait, nodeId });
  }
  return due;
};

const isLookedAt = ({ registry }: Pick<Watches, "registry">, { request }: Poll, now: number): boolean =>
  request !== undefined && now - request.at < pollPatienceMs && registry.isTrusted(request.nodeId);

type Looker = { readonly nodeId: number; readonly facts: NodeFacts };

/** Prefers the node that saw the files last, so that one clock and one view of the folder count; otherwise the next. */
const chooseNode = (
  { task, lastAnswer, watched, isDoubtful }: Poll,
  nodes: readonly Looker[],
  isFree: (nodeId: number) => boolean,
): number | undefined => {
  const able = nodes.filter(({ nodeId, facts }) => isFree(nodeId) && canServe(facts, task));
  const last = able.findIndex(({ nodeId }) => nodeId === lastAnswer?.nodeId);
  const isFolder = task.awaits.what === "folder";
  const stays = !isDoubtful && (isFolder || [...watched.values()].some(({ seen }) => seen !== null));
  return able[last >= 0 && stays ? last : (last + 1) % able.length]?.nodeId;
};

const ask = (farm: Watches, draft: Transaction, { wait, nodeId }: Look): void => {
  const { id, jobId } = wait.task;
  const task = draft.task({ job_id: jobId, id });
  const work = task?.state === "ready" && task.awaits ? draft.works([id]).get(id) : undefined;
  if (!task || !work) return;
  const keys = storageKeysFor(farm, draft.job(jobId), task.element_uid, work, nodeId);
  const request: PollRequest = work.watch ? buildFolderQuestion(work.watch, wait) : buildSourcesQuestion(work, wait);
  draft.after(() => {
    if (farm.polls.get(task.id) !== wait) return;
    const id = farm.polls.ask(wait, nodeId, farm.clock.steady());
    farm.registry.send(nodeId, { type: "poll", epoch: farm.epoch, id, request, ...(keys && { keys }) });
  });
};

type Answered = Extract<AgentMessage, { type: "polled" }>;

/** Takes the result of a check: the task starts, keeps waiting, or fails because its time is over. */
export const takePollAnswer = async (
  farm: Watches,
  nodeId: number,
  { id: pollId, response }: Answered,
): Promise<void> => {
  if (!farm.registry.isTrusted(nodeId)) return; // it was found out since it was asked: another one is asked at once
  const isLast = response.what !== "folder" || response.isLast;
  const wait = farm.polls.answered(pollId, nodeId, { at: farm.clock.steady(), isLast });
  if (!wait || isForAnother(farm, wait, nodeId, response)) return;
  if (wait.task.awaits.what === "folder") return takeFolderAnswer(farm, wait, response);
  if (response.what === "folder") return;
  const { id, jobId } = wait.task;
  await farm.change(rowsOf(wait.task), (draft) => {
    const task = draft.task({ job_id: jobId, id });
    if (task?.state !== "ready" || !task.awaits) return;
    const work = draft.works([id]).get(id);
    if (work) follow(farm, draft, { task, wait }, judgeSources(wait, work, response, farm.clock.steady()));
  });
};

/** Whether another node looks before this one ends the task: a look is no attempt, which would be judged and tried again. */
const isForAnother = (
  { registry, clock }: Pick<Watches, "registry" | "clock">,
  wait: Poll,
  nodeId: number,
  response: PollResponse,
): boolean => {
  const before = wait.refusedBy;
  const refuses = response.what === "failure" && !isTransient(response.failure);
  wait.refusedBy = refuses ? nodeId : undefined;
  if (!refuses || (before !== undefined && before !== nodeId)) return false;
  if (!registry.hasOthers({ ...wait.task, avoids: [nodeId] })) return false;
  const { message: why } = response.failure;
  Object.assign(wait, { why, listed: [], isDoubtful: true, next: clock.steady() } satisfies Partial<Poll>);
  return true;
};

const follow = (
  farm: Pick<Watches, "config" | "clock" | "random">,
  draft: Transaction,
  { task, wait }: { readonly task: TaskRow; readonly wait: Poll },
  outcome: PollOutcome,
): void => {
  if (outcome !== "there" && !("failure" in outcome)) {
    draft.after(() => Object.assign(wait, outcome));
    return;
  }
  if (outcome === "there") draft.setTask(task, { awaits: undefined, ready_time: farm.clock.steady() });
  else retryOrFail(farm, draft, task, outcome.failure);
  draft.touch(task.job_id);
};
