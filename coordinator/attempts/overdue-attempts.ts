import { limitsFor } from "../../shared/model/time-limits.ts";
import { changeEach } from "../kernel/committer.ts";
import type { Nodes } from "../nodes/nodes.ts";
import { mayStillPublish } from "../nodes/stopped-grants.ts";
import { failAttempt } from "./failed-attempts.ts";

/** Agents end overdue attempts themselves. The farm waits this much longer before it does so. */
const graceMs = 60_000;

/** When an attempt of that kind that begins now must have ended, on the monotonic clock. */
export const deadlineFor = ({ clock, config }: Pick<Nodes, "config" | "clock">, kind: string): number =>
  clock.monotonic() + limitsFor(kind, config.timeLimits).hardMs + graceMs;

/**
 * Ends attempts that are long overdue and that their nodes have not reported. A granted one whose node cannot be told is
 * left to the wait for lost grants.
 */
export const endOverdue = async (farm: Nodes): Promise<void> => {
  const now = farm.clock.monotonic();
  const late = farm.registry.running().filter(({ held }) => now >= held.due);
  const attempts = late.map(({ held }) => held);
  await changeEach(farm, attempts, (draft, { fence, taskId, jobId }) => {
    const attempt = draft.attemptOf(fence);
    const task = draft.task({ job_id: jobId, id: taskId });
    if (attempt?.ended !== null || task?.attempt !== attempt.counter) return;
    if (attempt.state === "committing" && mayStillPublish(farm, attempt.node_id)) return;
    const message = "It ran longer than its limit, and its node did not end it";
    failAttempt(farm, draft, { attempt, task }, { cause: "timeout", message });
  });
};
