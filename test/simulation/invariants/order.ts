import type { Farm } from "../../../coordinator/farm.ts";
import { fullTags } from "../../../coordinator/nodes/compute-groups.ts";
import { isOpenTo } from "../../../coordinator/schedule/choose.ts";
import { rankOf } from "../../../coordinator/schedule/order.ts";
import type { Choice } from "../world/turns.ts";
import type { Invariant } from "./invariant.ts";

/** A claim that comes to nothing gives its turn back at once; so long it may be under way. */
const underWayMs = 180_000;

/** Ready tasks that the node could have been given before this one. */
const overtaken = (farm: Farm, { nodeId, task, turnOf }: Choice): string[] => {
  const offer = [...farm.registry.offers()].find((each) => each.nodeId === nodeId)?.offer;
  if (!offer || offer.reservation) return [];
  const situation = { full: fullTags(farm), hasOthers: farm.registry.hasOthers };
  const place = ({ priority, jobId, id }: typeof task) => [rankOf(priority, turnOf(jobId), jobId), id] as const;
  const [rank, id] = place(task);
  return [...farm.ready.tasks()].flatMap(({ task: other }) => {
    const [otherRank, otherId] = place(other);
    const isFirst = otherRank < rank || (otherRank === rank && otherId < id);
    return isFirst && isOpenTo(offer, other, situation)
      ? [`node ${nodeId} gets task ${id} of job ${task.jobId}, and task ${otherId} of job ${other.jobId} was due`]
      : [];
  });
};

export const order: readonly Invariant[] = [
  {
    name: "in turn",
    says: "A free slot goes to the ready task of the highest priority that may run there. Within a priority, jobs that have begun come first and take turns, and a claim that comes to nothing costs no turn.",
    check: ({ now }) => ({
      chosen: overtaken,
      turns: (open) =>
        open.flatMap(({ jobId, taskId, since }) =>
          now() - since > underWayMs ? [`job ${jobId} lost its turn with task ${taskId}`] : [],
        ),
    }),
  },
  {
    name: "limits",
    says: "No node runs more than its slots, and no more tasks of a tag run than its limit says.",
    check: (seen) => ({
      chosen: (farm, { task }) =>
        task.tags.flatMap((tag) => {
          const [most, running] = [seen.limits().get(tag), farm.registry.countRunning(tag)];
          return most !== undefined && running >= most ? [`${running + 1} tasks of ${tag} run, ${most} may`] : [];
        }),
      settled: (farm) =>
        [...farm.registry.offers()].flatMap(({ nodeId, offer: { free } }) =>
          free.slots < 0 || free.light < 0 ? [`node ${nodeId} has ${free.slots} and ${free.light} slots left`] : [],
        ),
    }),
  },
  {
    name: "tried again soon",
    says: "A task that failed waits no longer than its delay and the longest back-off, however often it failed.",
    check: ({ farm }) => ({
      written: ({ changes }) => {
        const now = farm()?.clock.steady();
        if (now === undefined) return [];
        return changes.flatMap(({ table, after }) => {
          if (table !== "tasks" || after?.state !== "delayed") return [];
          const most = after.retry_delay_sec * 1000 + (farm()?.config.longestBackOffMs ?? 0);
          return after.ready_time - now > most ? [`task ${after.id} waits ${after.ready_time - now} ms`] : [];
        });
      },
    }),
  },
];
