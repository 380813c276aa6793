import type { Clock } from "../../shared/basics/clock.ts";
import { entryNeed, entryNeeded } from "../../shared/credentials/vault.ts";
import type { FarmMount } from "../../shared/files/mounts.ts";
import type { Standing } from "../../shared/lending/lending.ts";
import type { ComputeGroup } from "../../shared/model/compute-group.ts";
import type { CoordinatorMessage, Fence } from "../../shared/protocol/messages.ts";
import { buildNeed } from "../schedule/builds.ts";
import { countFree } from "../schedule/fit.ts";
import type { Free, NodeFacts, Use } from "../schedule/node-facts.ts";
import type { OpenTask } from "../schedule/open-task.ts";
import { prefixesOf } from "../schedule/reach.ts";
import { type AttemptRow, type NodeRow, slotsOfNode, tagsOfNode } from "../store/rows.ts";

/** An open attempt of a node. Free slots are computed from these, not counted, so that no slot can leak. */
export type RunningAttempt = Use & {
  readonly fence: Fence;
  readonly taskId: number;
  readonly jobId: number;
  readonly name: string;
  readonly tags: readonly string[];
  /** When it was assigned to the node. */
  readonly begun: number;
  /** On the monotonic clock: the latest time at which its node should have ended it. */
  readonly due: number;
  /** How much of that was added because its node had suspended it. */
  readonly suspendedMs: number;
  /** Nodes that were asked whether they see its granted files, and have not answered. */
  readonly asked: Set<number>;
};

export const toRunningAttempt = (
  { epoch, counter, assigned: begun }: Pick<AttemptRow, "epoch" | "counter" | "assigned">,
  { id, jobId, name, weight, demand, tags }: Pick<OpenTask, "id" | "jobId" | "name" | "weight" | "demand" | "tags">,
  due: number,
): RunningAttempt => ({
  fence: { epoch, counter },
  begun,
  taskId: id,
  jobId,
  name,
  weight,
  demand,
  tags,
  due,
  suspendedMs: 0,
  asked: new Set(),
});

/** A chosen task whose claim is not decided yet. */
export type Claimed = Use & Pick<RunningAttempt, "tags">;

/** What it takes to talk to nodes. */
export type NodeLink = {
  readonly clock: Clock;
  readonly epoch: number;
  readonly send: (nodeId: number, message: CoordinatorMessage) => void;
};

/** An agent of an older version says nothing of either. `clockOffset`: milliseconds ahead of the farm's clock. */
export type AgentAbout = { readonly version: string | undefined; readonly clockOffset: number | undefined };

export type Connection = { readonly send: (message: CoordinatorMessage) => void; readonly close: () => void };

/** One node as known in memory. */
export type NodeEntry = {
  row: NodeRow;
  facts: NodeFacts;
  connection: Connection | undefined;
  /** The run of the agent to which the connection belongs. */
  instance: string | undefined;
  /** What the agent said of itself when it connected. */
  agent: AgentAbout | undefined;
  /** The agent's last lending report; undefined if it never reports, which means it works. */
  standing: Standing | undefined;
  /** On the monotonic clock: up to this time, attempts were credited for the time they were suspended. */
  suspendedSince: number | undefined;
  /** Its key is being revoked: it gets no more claims. */
  isRevoking: boolean;
  /** On the monotonic clock. At the start, every known node gets the grace period of one silence. */
  lastHeard: number;
  readonly running: Map<string, RunningAttempt>;
  readonly claimed: Map<number, Claimed>;
  /** The capacity that remains beside these, cached until one of them changes. */
  free: Free | undefined;
};

export type NodeEntries = Map<number, NodeEntry>;

export const newEntry = (row: NodeRow, facts: NodeFacts, now: number): NodeEntry => ({
  row,
  facts,
  connection: undefined,
  instance: undefined,
  agent: undefined,
  standing: undefined,
  suspendedSince: undefined,
  isRevoking: false,
  lastHeard: now,
  running: new Map(),
  claimed: new Map(),
  free: undefined,
});

export const worksNow = ({ row, connection, standing, isRevoking }: NodeEntry): boolean =>
  connection !== undefined &&
  !isRevoking &&
  standing?.takes !== false &&
  row.state === "active" &&
  row.health.state !== "quarantined";

export const usesOf = ({ running, claimed }: NodeEntry): Claimed[] => [...running.values(), ...claimed.values()];

/** On probation a node has room for one task in total. */
export const freeIn = (entry: NodeEntry): Free => {
  entry.free ??= freeNow(entry);
  return entry.free;
};

const freeNow = (entry: NodeEntry): Free => {
  const uses = usesOf(entry);
  const free = countFree(entry.facts, uses);
  if (entry.row.health.state !== "probation") return free;
  const isTried = uses.length > 0;
  return { ...free, slots: isTried ? 0 : free.slots, light: isTried ? 0 : free.light };
};

export const buildNodeFacts = (
  row: NodeRow,
  group: ComputeGroup | undefined,
  farmMounts: readonly FarmMount[] = [],
  /** Bound entries of the credentials vault that it may use. */
  usable: readonly string[] = [],
): NodeFacts => {
  const { tools, machine } = row.profile;
  const { cores, memory, disk, gpus = 0 } = machine;
  return {
    id: row.id,
    tags: new Set([...tagsOfNode(row), ...(group?.provided_tags ?? []), ...(group?.mandatory_tags ?? [])]),
    mandatory: group?.mandatory_tags ?? [],
    capabilities: new Set([
      ...tools.capabilities.filter((each) => entryNeeded(each) === undefined),
      ...usable.map(entryNeed),
      ...(tools.ffmpeg ? [buildNeed(tools.ffmpeg.build)] : []),
    ]),
    prefixes: prefixesOf(row.profile, farmMounts),
    capacity: { slots: slotsOfNode(row), cores, memory, disk, gpus },
  };
};
