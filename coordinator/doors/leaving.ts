import type { DoorLimits } from "../config.ts";

/**
 * How well a connection is known. stranger: nobody has shown who they are · proxy: a trusted proxy's, which bounds its
 * own clients · known: a signed-in person or program · node: an admitted agent.
 */
export type Standing = "stranger" | "proxy" | "known" | "node";

export type Visitor = {
  /** Its address, as far as shares go. */
  readonly share: string;
  readonly standing: Standing;
  /** Since when it has this standing; a later number is a later visitor. */
  readonly since: number;
  /** Bytes that it has sent and that nobody could use yet. */
  readonly held: number;
};

export type Limits = Pick<DoorLimits, "sockets" | "strangers" | "heldBytes">;

export type Counts = { readonly sockets: number; readonly strangers: number; readonly held: number };

/**
 * Who must leave so that the limits hold: a stranger, the oldest of the address that has most; where there is none, a
 * connection of the caller's, by the same rule. Nodes never have to. Undefined while there is room, or if nobody may
 * be asked to leave.
 */
export const whoLeaves = <V extends Visitor>(
  visitors: Iterable<V>,
  { sockets, strangers, held }: Counts,
  limits: Limits,
): V | undefined => {
  if (held > limits.heldBytes) return oldestOfGreatest(visitors, ["stranger"], (each) => each.held);
  const isFull = sockets > limits.sockets;
  if (!isFull && strangers <= limits.strangers) return undefined;
  const all = [...visitors];
  const one = oldestOfGreatest(all, ["stranger"], () => 1);
  return one ?? (isFull ? oldestOfGreatest(all, ["proxy", "known"], () => 1) : undefined);
};

/** Of the address whose visitors weigh most together, the oldest one that weighs anything. */
const oldestOfGreatest = <V extends Visitor>(
  visitors: Iterable<V>,
  standings: readonly Standing[],
  weigh: (visitor: V) => number,
): V | undefined => {
  const shares = new Map<string, { weight: number; oldest: V }>();
  for (const each of visitors) {
    const weight = weigh(each);
    if (weight === 0 || !standings.includes(each.standing)) continue;
    const share = shares.get(each.share);
    if (!share) shares.set(each.share, { weight, oldest: each });
    else {
      share.weight += weight;
      if (each.since < share.oldest.since) share.oldest = each;
    }
  }
  let greatest: { weight: number; oldest: V } | undefined;
  for (const share of shares.values()) if (!greatest || share.weight > greatest.weight) greatest = share;
  return greatest?.oldest;
};
