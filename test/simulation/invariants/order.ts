import type { Farm } from "../../../coordinator/farm.ts";
import { fullTags } from "../../../coordinator/nodes/compute-groups.ts";
import { stoppedPublisher, toldAfterMs } from "../../../coordinator/nodes/stopped-grants.ts";
import { isOpenTo } from "../../../coordinator/schedule/choose.ts";
import { countFree } from "../../../coordinator/schedule/fit.ts";
import type { OpenTask } from "../../../coordinator/schedule/open-task.ts";
import type { Choice } from "../world/turns.ts";
import type { Invariant } from "./invariant.ts";

/** A claim that comes to nothing gives its turn back at once; so long it may be under way. */
const underWayMs = 180_000;
/** So long two claims of one task may be under way: one of them is undone. */
const twiceUnderWayMs = 15_000;

/** Ready tasks that the node could have been given before this one. */
const overtaken = (farm: Farm, { nodeId, task, turnOf }: Choice): string[] => {
  const offer = [...farm.registry.offers()].find((each) => each.nodeId === nodeId)?.offer;
  if (!offer || offer.reservation) return [];
  const situation = { full: fullTags(farm), hasOthers: farm.registry.hasOthers };
  return [...farm.ready.tasks()].flatMap(({ task: other }) =>
    isBefore(placeOf(other, turnOf), placeOf(task, turnOf)) && isOpenTo(offer, other, situation)
      ? [`node ${nodeId} gets task ${task.id} of job ${task.jobId}, and task ${other.id} of job ${other.jobId} was due`]
      : [],
  );
};

/** The highest priority; jobs that have begun, the one first that has waited longest; the oldest job; its oldest task. */
const placeOf = ({ priority, jobId, id }: OpenTask, turnOf: Choice["turnOf"]): readonly number[] => {
  const turn = turnOf(jobId);
  return [-priority, turn === 0 ? 1 : 0, turn === 0 ? jobId : turn, id];
};

const isBefore = (one: readonly number[], other: readonly number[]): boolean => {
  const at = one.findIndex((each, nr) => each !== other[nr]);
  return at >= 0 && (one[at] ?? 0) < (other[at] ?? 0);
};

export const order: readonly Invariant[] = [
  {
    name: "in turn",
    says: "A free slot goes to the ready task of the highest priority that may run there. Within a priority, jobs that have begun come first and take turns, and a claim that comes to nothing costs no turn.",
    check: ({ now, openTurns }) => ({
      chosen: overtaken,
      ended: () => openTurns().map(({ jobId, taskId }) => `job ${jobId} lost its turn with task ${taskId}`),
      turns: (open) =>
        open.flatMap(({ jobId, taskId, since, again = Number.POSITIVE_INFINITY }) =>
          now() - since > underWayMs || now() - again > twiceUnderWayMs
            ? [`job ${jobId} lost its turn with task ${taskId}`]
            : [],
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
        [...farm.registry.offers()].flatMap(({ nodeId, offer: { node } }) => {
          const free = countFree(node, farm.registry.runningOn(nodeId)); // what is only claimed may come to nothing
          return free.slots < 0 || free.light < 0
            ? [`node ${nodeId} has ${free.slots} and ${free.light} slots left`]
            : [];
        }),
    }),
  },
  {
    name: "tried again soon",
    says: "A task that failed waits no longer than its delay and the longest back-off, however often it failed; where it was stopped while it published, as long as its node takes to hear of it.",
    check: ({ farm }) => ({
      written: ({ changes }) => {
        const { clock, config } = farm() ?? {};
        if (!clock || !config) return [];
        const now = clock.steady();
        return changes.flatMap(({ table, after }) => {
          if (table !== "tasks" || after?.state !== "delayed") return [];
          const toldMs = stoppedPublisher(after) === undefined ? 0 : toldAfterMs(config);
          const most = toldMs + after.retry_delay_sec * 1000 + config.longestBackOffMs;
          return after.ready_time - now > most ? [`task ${after.id} waits ${after.ready_time - now} ms`] : [];
        });
      },
    }),
  },
];
