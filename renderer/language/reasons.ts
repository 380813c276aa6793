import { plural, t } from "@lingui/core/macro";
import type { Obstacle, Reason, SummaryPart } from "../../shared/api/explain.ts";
import type { LendState } from "../../shared/lending/lending.ts";
import { lendingText } from "./lending.ts";

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
  stopped_grant: ({ node, until }) =>
    t`Node ${node} was publishing its files when it was stopped, and cannot be reached: it waits until ${node} is back, or until ${until}`,
  limit: ({ tag, most, running }) =>
    t`The farm runs at most ${most} tasks with the tag "${tag}" at a time, and ${running} run`,
  no_nodes: () => t`The farm has no nodes`,
  nobody_can: ({ lacking, until }) => t`No node of the farm provides ${lacking}; unless one joins it fails at ${until}`,
  ahead: ({ count }) => plural(Number(count), { one: "One task goes before it", other: "# tasks go before it" }),
  offline: () => t`Not connected`,
  owner: ({ state, why }) => {
    const said = lendingText({ state: state as LendState, why: String(why) }); // the state is of the same answer
    return `${t`Not lent by its owner`}: ${said.replace(/\.$/, "")}`;
  },
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

/** What holds so many nodes back, for the reasons that many nodes share. */
const together: Partial<Readonly<Record<Reason, (n: number, data: Data) => string>>> = {
  no_slot: (n, { wanted }) =>
    Number(wanted) === 1
      ? plural(n, { one: "all slots on # node are busy", other: "all slots on # nodes are busy" })
      : plural(n, { one: "# node has too few free slots", other: "# nodes have too few free slots" }),
  no_light_slot: (n) =>
    plural(n, {
      one: "all slots for light tasks on # node are busy",
      other: "all slots for light tasks on # nodes are busy",
    }),
  offline: (n) => plural(n, { one: "# node is not connected", other: "# nodes are not connected" }),
  owner: (n) => plural(n, { one: "# node is not lent", other: "# nodes are not lent" }),
  node_paused: (n) => plural(n, { one: "# node is paused", other: "# nodes are paused" }),
  node_draining: (n) => plural(n, { one: "# node is draining", other: "# nodes are draining" }),
  quarantined: (n) => plural(n, { one: "# node is quarantined", other: "# nodes are quarantined" }),
  missing_tag: (n, { tag }) => {
    const missing = String(tag);
    return plural(n, { one: `# node has no tag "${missing}"`, other: `# nodes have no tag "${missing}"` });
  },
  missing_capability: (n, { capability }) => {
    const missing = String(capability);
    return plural(n, { one: `# node has no ${missing}`, other: `# nodes have no ${missing}` });
  },
};

/** A summary in the language of the pages, without its end; as the coordinator says it where a part is not data. */
export const summaryText = (said: string, parts: readonly SummaryPart[]): string => {
  if (parts.length === 0) return said.replace(/\.$/, "");
  const nodes = parts.filter((part) => part.nodes > 0).map(sharedText);
  const everywhere = parts.filter((part) => part.nodes === 0).map(reasonText);
  return [...(nodes.length > 0 ? [begun(nodes.join("; "))] : []), ...everywhere].join(". ");
};

const sharedText = (part: SummaryPart): string => {
  const count = plural(part.nodes, { one: "# node", other: "# nodes" });
  return together[part.reason]?.(part.nodes, part.data as Data) ?? `${count}: ${reasonText(part)}`; // as above
};

const begun = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
