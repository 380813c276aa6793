import type { Overview } from "../../shared/overview.ts";
import type { Farm } from "./farm.ts";
import { isoTime } from "./info.ts";

const mostStuck = 50;

/** Running tasks without progress for longer than `stuckMs`. Tasks that an owner suspended do not count. */
export const stuckTasks = (farm: Farm, now: number): Overview["stuck"] =>
  farm.registry
    .running()
    .filter(({ node }) => !farm.registry.standing(node.id)?.isSuspended)
    .flatMap(({ node: { profile }, held: { taskId, jobId, name, begun } }) => {
      const since = Math.max(begun, farm.clock.wallOf(farm.progress.since(taskId)));
      if (now - since < farm.config.stuckMs) return [];
      const progress = farm.progress.task(taskId)?.percent ?? 0;
      return [
        { task_id: String(taskId), job_id: String(jobId), name, node: profile.name, since: isoTime(since), progress },
      ];
    })
    .slice(0, mostStuck);
