import { type Failure, isTransient } from "../../shared/causes.ts";
import type { Answer, AnswerOf, Question } from "../../shared/looks.ts";
import type { AgentMessage } from "../../shared/protocol.ts";
import { awaitedAssets, judge, nextLookMs, tooLate } from "../../shared/waiting.ts";
import type { Work } from "../../shared/work.ts";
import type { Draft } from "../memory/draft.ts";
import type { Wait } from "../memory/waits.ts";
import { canServe } from "../schedule/fit.ts";
import type { NodeFacts } from "../schedule/node-facts.ts";
import type { TaskRow } from "../store/rows.ts";
import type { Farm } from "./farm.ts";
import { retryOrFail } from "./report.ts";
import { storageKeysFor } from "./storage-keys.ts";

/**
 * What tasks wait for is looked at by nodes, beside their slots. What a look saw stays in memory; only the end of a wait
 * is stored.
 */

/** Looks that are asked for with one tick, and that one node has open. */
const most = { aTick: 200, aNode: 16 };
/** A look that was not answered after so long is asked for anew. */
const patienceMs = 120_000;

/** Asks nodes to look at what is due. */
export const lookAgain = async (farm: Farm): Promise<void> => {
  const due = dueLooks(farm);
  if (due.length === 0) return;
  await farm.change([...new Set(due.map(({ wait }) => wait.task.jobId))], (draft) => {
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

/** The node that saw it last looks again, so that one clock and one view of the folder tell; otherwise the next one. */
const lookerOf = (
  { task, looked, watched }: Wait,
  nodes: readonly Looker[],
  isFree: (nodeId: number) => boolean,
): number | undefined => {
  const able = nodes.filter(({ nodeId, facts }) => isFree(nodeId) && canServe(facts, task));
  const last = able.findIndex(({ nodeId }) => nodeId === looked?.nodeId);
  const stays = [...watched.values()].some(({ seen }) => seen !== null);
  return able[last >= 0 && stays ? last : (last + 1) % able.length]?.nodeId;
};

const ask = (farm: Farm, draft: Draft, { wait, nodeId }: Look): void => {
  const { id, jobId } = wait.task;
  const task = draft.task({ job_id: jobId, id });
  const work = task?.state === "ready" && task.awaits ? draft.works([id]).get(id) : undefined;
  if (!task || !work) return;
  const keys = storageKeysFor(farm, draft.job(jobId), task.element_uid, work);
  const question = questionOf(work, wait);
  draft.after(() => {
    if (farm.waits.get(id) !== wait) return;
    const look = farm.waits.ask(wait, nodeId, farm.clock.steady());
    farm.registry.send(nodeId, { type: "look", epoch: farm.epoch, look, question, ...(keys && { keys }) });
  });
};

const questionOf = (work: Work, { watched }: Wait): Question => {
  const manifests = manifestsOf(work);
  const sources = awaitedAssets(work.assets).map(([id, asset]) => {
    const last = watched.get(id)?.seen;
    return [id, { asset, isManifest: manifests.has(id), ...(last && { last }) }];
  });
  return { what: "sources", sources: Object.fromEntries(sources) };
};

type Answered = Extract<AgentMessage, { type: "looked" }>;

/** What a node saw: the task may start, or waits on, or its time is over. */
export const takeAnswer = async (farm: Farm, nodeId: number, { look, answer }: Answered): Promise<void> => {
  const wait = farm.waits.answered(look, nodeId, farm.clock.steady());
  if (!wait) return;
  const { id, jobId } = wait.task;
  await farm.change([jobId], (draft) => {
    const task = draft.task({ job_id: jobId, id });
    if (task?.state !== "ready" || !task.awaits) return;
    const work = draft.works([id]).get(id);
    if (work) follow(farm, draft, { task, wait }, outcomeOf(farm, wait, work, answer));
  });
};

/** What an answer leads to: the task's failure, its start, or a later look. */
type Outcome = { readonly failure: Failure } | "there" | Pick<Wait, "watched" | "why" | "next">;

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

const outcomeOf = (farm: Farm, wait: Wait, work: Work, answer: Answer): Outcome => {
  const now = farm.clock.steady();
  const waitedMs = now - wait.task.readyTime;
  if (answer.what === "failure") return afterFailure(wait, answer.failure, now, waitedMs);
  const verdicts = verdictsOf(wait, work, answer, now);
  const missing = verdicts.filter(({ why }) => why !== undefined);
  const late = missing.find(({ waitSec }) => waitedMs >= waitSec * 1000);
  if (late) return { failure: tooLate(late.uri, late.waitSec, late.why ?? "") };
  const [first] = missing;
  if (!first) return "there";
  const watched = new Map(verdicts.map(({ id, watched }) => [id, watched]));
  const untilEnd = Math.min(...missing.map(({ waitSec }) => waitSec * 1000 - waitedMs));
  const next = now + Math.min(nextLookMs(waitedMs, [...watched.values()]), untilEnd);
  return { watched, why: `${first.uri}: ${first.why}`, next };
};

/** A folder that cannot be reached for a while is waited for as well; what the job itself has wrong is not. */
const afterFailure = ({ task }: Wait, failure: Failure, now: number, waitedMs: number): Outcome => {
  if (waitedMs >= task.awaits.sec * 1000 || !isTransient(failure)) return { failure };
  return { watched: new Map(), why: failure.message, next: now + nextLookMs(waitedMs, []) };
};

const verdictsOf = ({ watched }: Wait, work: Work, { saw }: AnswerOf<"sources">, now: number) => {
  const manifests = manifestsOf(work);
  return awaitedAssets(work.assets).map(([id, { uri, waitSec = 0 }]) => ({
    ...{ id, uri, waitSec },
    ...judge(watched.get(id), saw[id] ?? null, now, manifests.has(id)),
  }));
};

const manifestsOf = ({ steps }: Work): ReadonlySet<string> =>
  new Set(steps.flatMap((step) => (step.do === "manifest" ? [step.asset] : [])));
