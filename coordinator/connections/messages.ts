import type { Standing } from "../../shared/lending/lending.ts";
import type { AgentMessage, Fence } from "../../shared/protocol/messages.ts";
import { messageRights } from "../../shared/rights/rights.ts";
import { mayInspect, takeInspection } from "../attempts/grants.ts";
import { jobsAt, loseAttempt, loseAttempts } from "../attempts/lost-attempts.ts";
import { failRunning, grantCommit, noteStart, takeReport, type Verdict } from "../attempts/report.ts";
import type { Files } from "../files/files.ts";
import { noteBreachLater, noteReturn } from "../nodes/health/breaches.ts";
import type { Connection } from "../nodes/node-entry.ts";
import { publishNode, recordDeparture } from "../nodes/node-info.ts";
import type { Nodes } from "../nodes/nodes.ts";
import { answerKeys } from "../secrets/storage-keys.ts";
import { takePollAnswer } from "../watch/polling.ts";
import { type About, fenceIn } from "./read-message.ts";

type Known = Exclude<AgentMessage, { type: "hello" }>;

/** Handles the messages of a known node; every answer about an attempt waits until it is durable. */
export const takeMessage = async (farm: Files, nodeId: number, message: Known): Promise<void> => {
  farm.registry.heard(nodeId, farm.clock.monotonic());
  noteForeign(farm, nodeId, message);
  switch (message.type) {
    case "heartbeat":
      farm.registry.setDisk(nodeId, message.disk);
      return noteStanding(farm, nodeId, message.standing);
    case "returned":
      return takeBack(farm, nodeId, message);
    case "started":
      farm.checkpoint("started");
      return refuseStale(farm, nodeId, message.fence, noteStart(farm, nodeId, message.fence));
    case "progress":
      return noteProgress(farm, nodeId, message);
    case "ended":
      return keepLog(farm, nodeId, message);
    case "log":
      // Only the node that runs it may report on it.
      if (farm.registry.isHeld(nodeId, message.fence)) farm.liveLogs.take(nodeId, message);
      return;
    case "commit": {
      const { fence, intent } = message;
      farm.checkpoint("asked");
      const verdict = await grantCommit(farm, nodeId, fence, intent);
      farm.checkpoint("granted");
      // Stopped since: a node that was told to drop the attempt must not be granted it afterwards.
      if (verdict === "ok" && farm.registry.isHeld(nodeId, fence))
        farm.registry.send(nodeId, { type: "granted", epoch: farm.epoch, fence });
      farm.checkpoint("told");
      return refuseStale(farm, nodeId, fence, verdict);
    }
    case "report": {
      const { fence } = message.report;
      farm.checkpoint("reported");
      const verdict = await takeReport(farm, nodeId, message.report);
      farm.checkpoint("taken");
      if (verdict === "ok") farm.registry.send(nodeId, { type: "stored", epoch: farm.epoch, fence });
      farm.checkpoint("answered");
      return refuseStale(farm, nodeId, fence, verdict);
    }
    case "response":
      return farm.nodeRequests.take(nodeId, message);
    case "request_keys":
      return answerKeys(farm, nodeId, message.fence);
    case "inspected":
      return takeInspection(farm, nodeId, message);
    case "polled":
      return takePollAnswer(farm, nodeId, message);
    case "goodbye":
      // Its tasks must not be assigned to it again.
      farm.registry.forget(nodeId);
      farm.nodeRequests.leave(nodeId);
      await recordDeparture(farm, nodeId, { saidGoodbye: true });
      return loseAll(farm, nodeId);
  }
};

/** A node that speaks of what another one was given or asked is not answered otherwise, but it is counted. */
const noteForeign = (farm: Files, nodeId: number, message: Known): void => {
  const what = foreignTo(farm, nodeId, message);
  if (what !== undefined) noteBreachLater(farm, nodeId, `sent "${message.type}" about ${what}`);
};

const foreignTo = (farm: Files, nodeId: number, message: Known): string | undefined => {
  const right = messageRights[message.type];
  if (right === "question") return isAsked(farm, nodeId, message) ? undefined : "a question that it was not asked";
  const fence = right === "attempt" ? fenceIn(message) : undefined;
  if (!fence) return undefined;
  if (fence.epoch > farm.epoch) return "an attempt that there has not been yet";
  const attempt = farm.values.attempts.get(fence.counter);
  return attempt?.epoch === fence.epoch && attempt.node_id !== nodeId ? "another node's attempt" : undefined;
};

const isAsked = (farm: Files, nodeId: number, message: Known): boolean => {
  if (message.type === "response") return !farm.nodeRequests.isForeign(nodeId, message.id);
  if (message.type === "polled") return !farm.polls.isForeign(nodeId, message.id);
  return message.type === "inspected" && mayInspect(farm, nodeId, message.fence);
};

/** Messages that an attempt can do without. */
const inPassing: ReadonlySet<AgentMessage["type"]> = new Set(["started", "progress", "log", "ended"]);

/**
 * Handles an unusable message about an attempt: the attempt fails, and the node must forget it. Otherwise the node
 * would send it again after every reconnection, and nothing behind it would ever arrive.
 */
export const takeInvalidMessage = async (
  farm: Nodes,
  nodeId: number,
  { type, fence }: About,
  why: string,
): Promise<void> => {
  farm.registry.heard(nodeId, farm.clock.monotonic());
  if (inPassing.has(type)) return;
  const message = `The node's "${type}" message cannot be used: ${why}`;
  refuseStale(farm, nodeId, fence, await failRunning(farm, nodeId, fence, { cause: "machine", message }));
};

/** Tells listeners at once when an owner starts or stops lending, and assigns work at once. */
const noteStanding = (farm: Files, nodeId: number, standing: Standing | undefined): void => {
  const before = farm.registry.standing(nodeId);
  farm.registry.stand(nodeId, standing, farm.clock.monotonic());
  if (before?.state !== standing?.state || before?.isSuspended !== standing?.isSuspended) publishNode(farm, nodeId);
  if (standing?.takes && before?.takes === false) farm.wake();
};

/** The owner took the machine back: the task starts elsewhere, and no loss is counted. */
const takeBack = (farm: Files, nodeId: number, { fence, why }: Extract<Known, { type: "returned" }>): Promise<void> =>
  farm.change([], (draft) => {
    const attempt = draft.attemptOf(fence);
    if (attempt?.node_id !== nodeId || attempt.ended !== null) return;
    loseAttempt(farm, draft, attempt, `its owner took the node back: ${why}`, { isCounted: false });
    draft.after(() => noteReturn(farm, nodeId));
  });

/** The log of an attempt without a report. What a report said stays as it is. */
const keepLog = (farm: Files, nodeId: number, { fence, log }: Extract<Known, { type: "ended" }>): Promise<void> =>
  farm.change([], (draft) => {
    const attempt = draft.attemptOf(fence);
    if (attempt?.node_id !== nodeId || attempt.state === "published" || attempt.state === "failed") return;
    draft.noteLog(attempt, log);
  });

/** The socket is gone; the node keeps its work until it has been silent for too long. */
export const takeDisconnect = (farm: Files, nodeId: number, connection: Connection): void => {
  if (!farm.registry.isCurrent(nodeId, connection)) return;
  farm.registry.disconnect(nodeId, connection);
  farm.nodeRequests.leave(nodeId);
  recordDeparture(farm, nodeId).catch((problem) =>
    farm.log.error({ err: problem, node: nodeId }, "a departure was not recorded"),
  );
};

const refuseStale = (farm: Pick<Files, "epoch" | "registry">, nodeId: number, fence: Fence, verdict: Verdict): void => {
  if (verdict === "ok") return;
  const why = "the task was given to a newer attempt, or it was stopped or deleted";
  farm.registry.send(nodeId, { type: "stale", epoch: farm.epoch, fence, why });
};

const noteProgress = (farm: Files, nodeId: number, { fence, progress }: Extract<Known, { type: "progress" }>): void => {
  const held = farm.registry.heldAs(nodeId, fence);
  if (!held) {
    refuseStale(farm, nodeId, fence, "stale");
    return;
  }
  const { taskId, jobId } = held;
  farm.progress.setTask(jobId, taskId, progress);
  farm.events.publishLatest(
    `${taskId}`,
    () => ({
      type: "task.progress",
      job_id: String(jobId),
      task_id: String(taskId),
      job_progress: farm.progress.job(jobId) ?? 0,
      progress: farm.progress.task(taskId) ?? progress,
    }),
    farm.values.peekJob(jobId)?.row,
  );
};

/** The agent ended its programs before it said goodbye. It may still publish granted files when it returns. */
const loseAll = (farm: Files, nodeId: number): Promise<void> =>
  farm.change(jobsAt(farm, nodeId), (draft) =>
    loseAttempts(
      farm,
      draft,
      ({ node_id, state }) => node_id === nodeId && state !== "committing",
      "its node was switched off",
    ),
  );
