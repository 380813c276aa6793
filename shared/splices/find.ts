import { packetBytes } from "../transport-packets.ts";
import { isIntact } from "./crc32.ts";
import { payloadAt, pidOf, sectionLength, stampOf, startsUnit } from "./packets.ts";
import { hexOf, type SplicePoint } from "./point.ts";
import { isSpliceSection, retimed, spliceTimeOf } from "./splice-info.ts";
import { ticksBetween, wrapped } from "./ticks.ts";

/** Collects the sections of a transport stream, given its packets in order. */
export type SpliceFinder = { readonly see: (packets: Uint8Array) => void; readonly points: readonly SplicePoint[] };

/** Streams to look at, and the stamp that zero seconds has. */
type Where = { readonly pids: readonly number[]; readonly picture: number; readonly zero: number };

export const spliceFinder = ({ pids, picture, zero }: Where): SpliceFinder => {
  const points: SplicePoint[] = [];
  const begun = new Map<number, Uint8Array>();
  let latest = 0;

  const take = (section: Uint8Array): void => {
    // A stream says with an empty command that it is still there.
    if (!isSpliceSection(section) || !isIntact(section) || section[13] === 0) return;
    const time = spliceTimeOf(section);
    const splice = time === undefined ? undefined : ticksBetween(wrapped(zero), time);
    points.push({
      at: Math.max(0, latest),
      ...(splice !== undefined && { splice }),
      section: hexOf(retimed(section, -zero)),
    });
  };

  const feed = (pid: number, bytes: Uint8Array): void => {
    let rest = Uint8Array.from([...(begun.get(pid) ?? []), ...bytes]);
    // What follows the last section is filled with 0xff.
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
    // The first byte says how many bytes still belong to the section before.
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
        if (pid === picture) latest = Math.max(latest, ticksBetween(wrapped(zero), stampOf(packet) ?? zero));
        else if (pids.includes(pid)) gather(packet, pid);
      }
    },
  };
};
