import { fenceKey } from "../../shared/protocol.ts";
import { limitsFor } from "../../shared/time-limits.ts";
import { fenceOf } from "../store/rows.ts";
import { failAttempt } from "./failed-attempts.ts";
import type { Farm } from "./farm.ts";

/** Agents end overdue attempts themselves. The farm waits this much longer before it does so. */
const graceMs = 60_000;

/** When an attempt of that kind that begins now must have ended, on the monotonic clock. */
export const dueOf = ({ clock, config }: Pick<Farm, "clock" | "config">, kind: string): number =>
  clock.monotonic() + limitsFor(kind, config.timeLimits).hardMs + graceMs;

/** Ends attempts that are long overdue and that their connected nodes have not reported. */
export const endOverdue = async (farm: Farm): Promise<void> => {
  const now = farm.clock.monotonic();
  const late = farm.registry.running().filter(({ held }) => now >= held.due);
  if (late.length === 0) return;
  const keys = new Set(late.map(({ held }) => fenceKey(held.fence)));
  const jobIds = late.map(({ held }) => held.jobId);
  await farm.change(jobIds, (draft) => {
    for (const attempt of farm.values.openAttempts()) {
      if (!keys.has(fenceKey(fenceOf(attempt)))) continue;
      const task = draft.task({ job_id: attempt.job_id, id: attempt.task_id });
      if (task?.attempt !== attempt.counter) continue;
      const message = "It ran longer than its limit, and its node did not end it";
      failAttempt(farm, draft, { attempt, task }, { cause: "timeout", message });
    }
  });
};
