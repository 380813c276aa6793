import type { Standing } from "../../shared/lending/lending.ts";
import { type HeardState, type Presence, presenceOf } from "../../shared/state/node.ts";
import type { NodeEntries, NodeEntry } from "./node-entry.ts";

/** After how many milliseconds of silence a node is late, and lost. */
export type Silence = { readonly lateMs: number; readonly lostMs: number };

/**
 * For so long in all, the time in which its node suspends an attempt does not count: an agent gives back what its owner holds up for
 * a day at most, and who says for ever that it stands still would keep the task from everybody.
 */
export const mostSuspendedMs = 3 * 24 * 3_600_000;

/** When nodes were last heard, and whether they take work. */
export const createPresence = (entries: NodeEntries, limits: Silence) => ({
  heard: (nodeId: number, now: number): void => {
    const entry = entries.get(nodeId);
    if (entry) entry.lastHeard = now;
  },
  /** A suspended node's attempts get that much more time. */
  stand: (nodeId: number, standing: Standing | undefined, now: number): void => {
    const entry = entries.get(nodeId);
    if (!entry) return;
    const stoodMs = entry.suspendedSince === undefined ? 0 : now - entry.suspendedSince;
    for (const [key, held] of entry.running) {
      const creditMs = Math.min(stoodMs, mostSuspendedMs - held.suspendedMs);
      entry.running.set(key, { ...held, due: held.due + creditMs, suspendedMs: held.suspendedMs + creditMs });
    }
    entry.standing = standing;
    entry.suspendedSince = standing?.isSuspended ? now : undefined;
  },
  standing: (nodeId: number): Standing | undefined => entries.get(nodeId)?.standing,
  silentMs: (nodeId: number, now: number): number => now - (entries.get(nodeId)?.lastHeard ?? now),
  isSilentFor: (nodeId: number, now: number, ms: number): boolean =>
    now - (entries.get(nodeId)?.lastHeard ?? Number.NEGATIVE_INFINITY) >= ms,
  heardState: (nodeId: number, now: number): HeardState => heardState(entries.get(nodeId), limits, now),
  presence: (nodeId: number, now: number): Presence => {
    const entry = entries.get(nodeId);
    const heard = heardState(entry, limits, now);
    return entry && isOff(entry, heard) ? "off" : heard;
  },
  /** Whether it sleeps, and nothing waits for it to wake up. */
  isAsleep: (nodeId: number): boolean => isAsleep(entries.get(nodeId)),
  /** Whether another agent of this identity is connected and was heard just now. One without `instance` is another. */
  hasTwin: (nodeId: number, instance: string | undefined, now: number): boolean => {
    const entry = entries.get(nodeId);
    if (!entry?.connection || (instance !== undefined && entry.instance === instance)) return false;
    return presenceOf(now - entry.lastHeard, limits) === "online";
  },
});

const heardState = (entry: NodeEntry | undefined, limits: Silence, now: number): HeardState =>
  presenceOf(entry && now - entry.lastHeard, limits);

/** After a restart of the coordinator every node is taken for heard at first. */
const isOff = (entry: NodeEntry, heard: HeardState): boolean =>
  (entry.connection === undefined && entry.row.left !== null) || (heard !== "online" && isAsleep(entry));

const isAsleep = (entry: NodeEntry | undefined): boolean =>
  entry?.standing?.state === "asleep" && entry.running.size === 0;
