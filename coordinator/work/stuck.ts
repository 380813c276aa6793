import type { Overview } from "../../shared/overview.ts";
import type { Farm } from "./farm.ts";
import { isoTime } from "./info.ts";

type Stuck = Overview["stuck"];

/** A running task without progress for this long is reported. */
const stuckMs = 600_000;
const mostStuck = 50;

/** Finds running tasks without progress. Works only when called, because progress is not stored. */
export const createStuckWatch = (farm: Farm): ((now: number) => Stuck) => {
  const seen = new Map<number, { readonly percent: number; readonly at: number }>();
  return (now) => {
    const running = farm.registry
      .rows()
      .flatMap(({ id, profile }) => farm.registry.heldBy(id).map((held) => ({ ...held, node: profile.name })));
    const ids = new Set(running.map(({ taskId }) => taskId));
    for (const taskId of seen.keys()) if (!ids.has(taskId)) seen.delete(taskId);
    const stuck = running.flatMap(({ taskId, jobId, name, node }): Stuck => {
      const progress = farm.progress.task(taskId)?.percent ?? 0;
      const known = seen.get(taskId);
      if (known?.percent !== progress) seen.set(taskId, { percent: progress, at: now });
      if (known?.percent !== progress || now - known.at < stuckMs) return [];
      return [{ task_id: String(taskId), job_id: String(jobId), name, node, since: isoTime(known.at), progress }];
    });
    return stuck.slice(0, mostStuck);
  };
};
