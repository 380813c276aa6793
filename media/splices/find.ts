import { hexOfBytes } from "../../shared/basics/hex.ts";
import type { SplicePoint } from "../../shared/work/splice-point.ts";
import { isIntact } from "../formats/crc32.ts";
import { packetBytes, payloadAt, pidOf } from "../formats/transport-packets.ts";
import { parseTimestamp, sectionLength, startsUnit } from "./packets.ts";
import { isNull, isSpliceSection, parseSpliceTime, retimed } from "./splice-info.ts";
import { ticksPerSecond, ticksSince } from "./ticks.ts";

/** Collects the sections of a transport stream, given its packets in order. */
export type SpliceFinder = { readonly see: (packets: Uint8Array) => void; readonly points: readonly SplicePoint[] };

/** The PIDs of splice sections and of the picture, the time stamp of the picture's start, and whether the clock jumps. */
type Where = {
  readonly pids: readonly number[];
  readonly picture: number;
  readonly zero: number;
  readonly hasJumps?: true | undefined;
};

/** A way of more ticks than this from one picture to the next is a jump. */
const mostAway = 10 * ticksPerSecond;

export const createSpliceFinder = ({ pids, picture, zero, hasJumps }: Where): SpliceFinder => {
  const points: SplicePoint[] = [];
  const begun = new Map<number, Uint8Array>();
  let latest = 0;
  /** The latest stamp, by how much jumps of the clock have moved it, and the least way from one picture to another. */
  let [raw, moved, step] = [0, 0, ticksPerSecond];

  /** Follows the clock, and closes its jumps as they are closed for the picture. */
  const follow = (stamp: number): void => {
    const next = ticksSince(zero, stamp, raw);
    const way = next - raw;
    if (hasJumps && Math.abs(way) > mostAway) moved = next - latest - step;
    else if (way !== 0) step = Math.min(step, Math.abs(way));
    raw = next;
    latest = Math.max(latest, next - moved);
  };

  const take = (section: Uint8Array): void => {
    if (!isSpliceSection(section) || !isIntact(section) || isNull(section)) return;
    const time = parseSpliceTime(section);
    const splice = time === undefined ? undefined : ticksSince(zero, time, raw) - moved;
    points.push({
      at: Math.max(0, latest),
      ...(splice !== undefined && { splice }),
      section: hexOfBytes(retimed(section, -zero - moved)),
    });
  };

  const feed = (pid: number, bytes: Uint8Array): void => {
    let rest = Uint8Array.from([...(begun.get(pid) ?? []), ...bytes]);
    // The packet is filled with 0xff after the last section.
    while (rest.length >= 3 && rest[0] !== 0xff && rest.length >= sectionLength(rest)) {
      take(rest.subarray(0, sectionLength(rest)));
      rest = rest.slice(sectionLength(rest));
    }
    begun.set(pid, rest[0] === 0xff ? new Uint8Array() : rest);
  };

  const gather = (packet: Uint8Array, pid: number): void => {
    const payload = packet.subarray(payloadAt(packet));
    if (!startsUnit(packet)) {
      if (begun.has(pid)) feed(pid, payload);
      return;
    }
    // The first byte says how many bytes still belong to the previous section.
    const next = 1 + (payload[0] ?? 0);
    if (begun.get(pid)?.length) feed(pid, payload.subarray(1, next));
    begun.set(pid, new Uint8Array());
    feed(pid, payload.subarray(next));
  };

  return {
    points,
    see: (packets) => {
      for (let at = 0; at + packetBytes <= packets.length; at += packetBytes) {
        const packet = packets.subarray(at, at + packetBytes);
        if (packet[0] !== 0x47) throw new Error(`no packet begins at byte ${at}`);
        const pid = pidOf(packet);
        if (pid === picture) {
          const stamp = parseTimestamp(packet);
          if (stamp !== undefined) follow(stamp);
        } else if (pids.includes(pid)) gather(packet, pid);
      }
    },
  };
};
