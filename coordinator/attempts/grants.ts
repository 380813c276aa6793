import type { AgentMessage, Fence } from "../../shared/protocol/messages.ts";
import { type Intent, seenStates } from "../../shared/work/work.ts";
import type { Transaction } from "../kernel/transaction.ts";
import type { Nodes } from "../nodes/nodes.ts";
import { publisherWaitMs } from "../nodes/stopped-grants.ts";
import type { Secrets } from "../secrets/secrets.ts";
import { storageKeysOfTask } from "../secrets/storage-keys.ts";
import { type AttemptRow, fenceOf, type TaskRow } from "../store/rows.ts";
import { loseAttempt } from "./lost-attempts.ts";

/**
 * A lost node may have published granted files in part, or may be publishing them now. The task is not assigned again
 * until the node returns, another node sees the granted files on storage, or `commitWaitMs` has passed. In each case
 * the next attempt gets the intent and completes it before it makes anything.
 */

/** Whether to keep waiting for the attempt's grant, given that its node is lost. */
export const isGrantAwaited = (
  { registry, clock, config }: Pick<Secrets, "config" | "clock" | "registry">,
  { state, node_id }: AttemptRow,
): boolean => state === "committing" && !registry.isSilentFor(node_id, clock.monotonic(), config.commitWaitMs);

/** Until when the farm waits for a task's grant, in the farm's time; undefined if its node is not lost. */
export const grantWaitUntil = (
  { registry, clock, config }: Pick<Secrets, "config" | "clock" | "registry">,
  { state, node_id }: TaskRow,
): number | undefined => {
  if (state !== "committing" || node_id === null || registry.heardState(node_id, clock.monotonic()) !== "lost")
    return undefined;
  return clock.now() + publisherWaitMs({ registry, clock, config }, node_id);
};

/** Asks one other node per tick, in turn, whether it sees the files granted to a lost node. */
export const requestInspection = (farm: Secrets, draft: Transaction, attempt: AttemptRow): void => {
  const { registry, clock, config, epoch } = farm;
  const task = draft.task({ job_id: attempt.job_id, id: attempt.task_id });
  const intent = task?.intent;
  const others = registry.rows().filter(({ id }) => id !== attempt.node_id && registry.isTrusted(id));
  const other = others[Math.floor(clock.monotonic() / config.tickMs) % others.length];
  if (!intent || !other) return;
  const keys = storageKeysOfTask(farm, draft, task, other.id);
  const question = {
    ...({ type: "inspect", epoch, fence: fenceOf(attempt), intent: sampleOf(intent) } as const),
    ...(keys && { keys }),
  };
  draft.after(() => {
    registry.heldAs(attempt.node_id, question.fence)?.asked.add(other.id);
    registry.send(other.id, question);
  });
};

/** The maximum number of files to check; the node that takes the task checks all of them. */
const sampleSize = 50;

/** Evenly spread, including the first and the last. */
const sampleOf = ({ files }: Intent): Intent => {
  if (files.length <= sampleSize) return { files };
  const step = (files.length - 1) / (sampleSize - 1);
  return {
    files: Array.from({ length: sampleSize }, (_, index) => files[Math.round(index * step)]).flatMap(
      (each) => each ?? [],
    ),
  };
};

/** The lost attempt whose files are looked for; undefined if the wait for it is over. */
const lostAttempt = ({ values, registry }: Pick<Nodes, "values" | "registry">, fence: Fence) => {
  const open = values.attempts.get(fence.counter);
  return open?.epoch === fence.epoch ? registry.heldAs(open.node_id, fence) : undefined;
};

/** Whether the node was asked about these files, or may have been: by a coordinator that went, or while it was waited. */
export const mayInspect = (farm: Nodes, nodeId: number, fence: Fence): boolean =>
  fence.epoch < farm.epoch || (lostAttempt(farm, fence)?.asked.has(nodeId) ?? farm.epoch === fence.epoch);

/** Another node, which was asked and is still trusted, sees the granted files: no need to wait for the lost one. */
export const takeInspection = async (farm: Nodes, nodeId: number, { fence, seen }: Inspected): Promise<void> => {
  if (!lostAttempt(farm, fence)?.asked.delete(nodeId) || !seenStates[seen] || !farm.registry.isTrusted(nodeId)) return;
  await farm.change([], (draft) => {
    const attempt = farm.values.attempts.get(fence.counter);
    const { registry, clock } = farm;
    if (
      attempt?.state !== "committing" ||
      attempt.epoch !== fence.epoch ||
      registry.heardState(attempt.node_id, clock.monotonic()) !== "lost"
    )
      return;
    const [lost, other] = [attempt.node_id, nodeId].map((id) => registry.row(id)?.profile.name ?? id);
    loseAttempt(farm, draft, attempt, `node ${lost} is silent, and node ${other} sees its granted files`);
  });
};

type Inspected = Extract<AgentMessage, { type: "inspected" }>;
