import type { Standing } from "../../shared/lending/lending.ts";
import type { Node } from "../../shared/model/node.ts";
import { isoTime } from "../iso-time.ts";
import { type NodeRow, slotsOfNode, tagsOfNode } from "../store/rows.ts";
import type { Nodes } from "./nodes.ts";

export const buildNodeInfo = (farm: Pick<Nodes, "clock" | "progress" | "registry">, row: NodeRow): Node => {
  const { id, state, health, group, profile, enrolled, lastSeen } = row;
  const about = farm.registry.agentOf(id);
  return {
    id: String(id),
    name: profile.name,
    state,
    presence: farm.registry.presence(id, farm.clock.monotonic()),
    health: {
      state: health.state,
      until: health.state === "quarantined" ? isoTime(farm.clock.wallOf(health.until ?? 0)) : null,
      why: health.why,
    },
    tags: [...tagsOfNode(row)],
    group,
    slots: slotsOfNode(row),
    running: farm.registry.runningOn(id).map(({ taskId, jobId, name }) => ({
      task_id: String(taskId),
      job_id: String(jobId),
      name,
      progress: farm.progress.task(taskId)?.percent ?? 0,
    })),
    lending: describeLending(farm.registry.standing(id)),
    platform: profile.platform,
    machine: profile.machine,
    version: about?.version ?? null,
    clock_offset: about?.clockOffset ?? null,
    ffmpeg: profile.tools.ffmpeg && { version: profile.tools.ffmpeg.version, path: profile.tools.ffmpeg.path },
    roots: profile.roots,
    mounts: profile.mounts,
    enrolled: isoTime(enrolled),
    last_seen: isoTime(farm.registry.isConnected(id) ? heardAt(farm, id) : lastSeen),
  };
};

/** A node can be silent while its line is open. */
const heardAt = ({ clock, registry }: Pick<Nodes, "clock" | "registry">, nodeId: number): number =>
  Math.round(clock.now() - registry.silentMs(nodeId, clock.monotonic()));

export const describeLending = (standing: Standing | undefined): Node["lending"] =>
  standing
    ? {
        state: standing.state,
        why: standing.why,
        until: standing.until === null ? null : isoTime(standing.until),
        takes: standing.takes,
        suspended: standing.isSuspended,
        load: standing.load ?? null,
        battery: standing.battery ?? null,
      }
    : null;

/** Sends listeners the node's current state. */
export const publishNode = (farm: Pick<Nodes, "clock" | "events" | "progress" | "registry">, nodeId: number): void => {
  farm.events.publishIfHeard(() => {
    const row = farm.registry.row(nodeId);
    return row && { type: "node.changed", node: buildNodeInfo(farm, row) };
  });
};

/**
 * Tells listeners about nodes that became late or lost, and nodes whose tasks changed. Called with every tick, so a
 * node with many changes in between is reported once.
 */
export const createNodePublisher = (farm: Pick<Nodes, "clock" | "events" | "progress" | "registry">): (() => void) => {
  const told = new Map<number, string>();
  return () => {
    for (const { id } of farm.registry.rows()) {
      const held = farm.registry.runningOn(id).map(({ taskId }) => taskId);
      const standing = [farm.registry.presence(id, farm.clock.monotonic()), ...held].join(" ");
      if (told.get(id) === standing) continue;
      told.set(id, standing);
      publishNode(farm, id);
    }
  };
};

/** To the minute is enough for a node in quarantine: one that breaks every rule comes back as often as it is hung up on. */
export const isNotedOf = ({ health, lastSeen }: NodeRow, seen: number): boolean =>
  health.state === "quarantined" && seen >= lastSeen && seen - lastSeen < 60_000;

/** Stores when the node was last seen, and whether it was switched off; tells listeners that it left. */
export const recordDeparture = async (
  farm: Pick<Nodes, "clock" | "log" | "change" | "registry">,
  nodeId: number,
  { saidGoodbye = false }: { readonly saidGoodbye?: boolean } = {},
): Promise<void> => {
  farm.log.info({ node: nodeId, in_order: saidGoodbye }, "node disconnected");
  const isOff = saidGoodbye || farm.registry.isAsleep(nodeId);
  await farm.change([], (draft) => {
    const row = draft.node(nodeId);
    if (!row || row.revoked !== null) return;
    // The end of its connection comes after its goodbye.
    const left = isOff ? farm.clock.now() : row.left;
    const lastSeen = heardAt(farm, nodeId);
    if (left === row.left && isNotedOf(row, lastSeen)) return;
    draft.setNode(row, { lastSeen, left });
  });
};
