import { plural, t } from "@lingui/core/macro";
import type { Obstacle, Reason } from "../../shared/api/explain.ts";

/** What sentences are made of: each reason has what its own needs. */
type Data = Readonly<
  Record<
    | ("state" | "node" | "until" | "why" | "since" | "next" | "folder" | "tag" | "most" | "running")
    | ("lacking" | "count" | "capability" | "prefix" | "entry" | "room" | "wanted" | "has" | "free" | "task"),
    string | number
  >
>;

/** The API's reasons in the language of the pages, by their code: the API says them in English. */
const reasonWords: Readonly<Record<Reason, (data: Data) => string>> = {
  ended: ({ state }) => t`It has ended: ${state}`,
  running: ({ node }) => t`It runs on ${node}`,
  scripted: () => t`Its job only pretends: it goes by the job's script, without a node`,
  job_paused: () => t`Its job is paused`,
  job_scheduled: ({ until }) => t`Its job starts after ${until}`,
  awaits: ({ why, since, next, until }) =>
    t`It waits since ${since}, until ${until} at most (${why}); the next look is ${next}`,
  watches: ({ folder, why, next }) => t`It watches ${folder} (${why}); the next look is ${next}`,
  retry_delay: ({ until }) => t`It failed and is tried again at ${until}`,
  grant_wait: ({ node, until }) =>
    t`It waits for the grant of node ${node}, which is lost, until ${until}, or until another node sees what was granted`,
  limit: ({ tag, most, running }) =>
    t`The farm runs at most ${most} tasks with the tag "${tag}" at a time, and ${running} run`,
  no_nodes: () => t`The farm has no nodes`,
  nobody_can: ({ lacking, until }) => t`No node of the farm provides ${lacking}; unless one joins it fails at ${until}`,
  ahead: ({ count }) => plural(Number(count), { one: "One task goes before it", other: "# tasks go before it" }),
  offline: () => t`Not connected`,
  // Its owner's agent says why, in English.
  owner: ({ why }) => `${t`Not lent by its owner`}: ${String(why).replace(/\.$/, "")}`,
  node_pending: () => t`Nobody has let it work yet: it waits for approval`,
  node_paused: () => t`Paused by an operator`,
  node_draining: () => t`Draining: it takes no new tasks`,
  quarantined: ({ until }) => t`Quarantined until ${until}`,
  on_probation: () => t`On probation: it has the one task that it is tried with`,
  missing_tag: ({ tag }) => t`Does not provide the tag "${tag}"`,
  mandatory_tag: ({ tag }) => t`Takes only tasks that carry the tag "${tag}"`,
  missing_capability: ({ capability }) => t`Has no ${capability}`,
  out_of_reach: ({ prefix }) => t`No root or mount of it covers ${prefix}`,
  credential_bound: ({ entry }) =>
    t`May not use the entry ${entry} of the credentials vault, which is bound to other nodes or groups`,
  other_build: () => t`Its build of ffmpeg is another one than that of the task's other sections`,
  too_small: ({ room, wanted, has }) =>
    t`Has ${amount(room, has)} of ${roomWord(room)} in all, and the task takes ${amount(room, wanted)}`,
  no_slot: ({ wanted, free }) =>
    Number(wanted) === 1
      ? t`All of its slots are taken`
      : t`The task takes ${wanted} slots, and ${Math.max(0, Number(free))} are free`,
  no_light_slot: () => t`All of its slots for light tasks are taken`,
  no_room: ({ room, wanted, free }) =>
    t`Has ${amount(room, Math.max(0, Number(free)))} of ${roomWord(room)} free, and the task takes ${amount(room, wanted)}`,
  avoided: () => t`The task, or its job, failed here before, and another node could do it`,
  reserved: ({ task }) =>
    task === ""
      ? t`Is kept free for another task, which has waited for long`
      : t`Is kept free for task ${task}, which has waited for long`,
};

const roomWord = (room: string | number): string => {
  if (room === "gpus") return "GPUs";
  return room === "disk" ? t`disk` : t`memory`;
};
const amount = (room: string | number, value: string | number): string =>
  room === "gpus" ? String(value) : gigabytes((Number(value) / 1e9).toFixed(1));

const gigabytes = (amount: string): string => t`${amount} GB`;

/** A reason as a sentence without its end. One of a newer coordinator, which the pages do not know, stays as it says it. */
export const reasonText = ({ reason, message, data }: Obstacle): string =>
  reasonWords[reason]?.(data as Data) ?? message; // the coordinator made the data for this reason
