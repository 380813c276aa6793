import { packetBytes, pidOf } from "../formats/transport-packets.ts";
import { parseMapPid, parseTimestamp, readMap, sectionIn, startsUnit } from "./packets.ts";
import { ticksSince } from "./ticks.ts";

/** Where a segment is cut: at a byte of the given packets, with the time of the picture that begins there. */
export type Cut = { readonly at: number; readonly time: number };

/** A picture's stamp may be rounded; the next picture is further away than this. Ticks. */
const tolerance = 720;

/**
 * Finds where segments of one transport stream, given in order, are to be cut so that a segment begins at each moment. Key
 * frames are there already. Times are ticks from the first picture.
 */
export const createCutFinder = (moments: readonly number[]) => {
  const left = moments.toSorted((a, b) => a - b);
  const tables = new Map<number, Uint8Array>();
  let [mapPid, clockPid, zero]: (number | undefined)[] = [];
  let latest = 0;
  let begin: number | undefined;

  const readTable = (packet: Uint8Array, pid: number): void => {
    const section = startsUnit(packet) ? sectionIn(packet) : undefined;
    if (!section) return;
    if (pid === 0) mapPid = parseMapPid(section);
    else clockPid = readMap(section).clockPid;
    tables.set(pid, Uint8Array.from(packet));
  };

  /** The time of a picture at which a segment is to begin. */
  const cutAt = (stamp: number): number | undefined => {
    zero ??= stamp;
    const time = ticksSince(zero, stamp, latest);
    latest = Math.max(latest, time);
    const due = left.filter((moment) => moment <= time + tolerance).length;
    left.splice(0, due);
    const isFirst = begin === undefined;
    begin ??= time;
    return due > 0 && !isFirst ? time : undefined;
  };

  return {
    /** Another segment follows. */
    next: (): void => {
      begin = undefined;
    },
    see: (packets: Uint8Array): Cut[] => {
      const cuts: Cut[] = [];
      for (let at = 0; at + packetBytes <= packets.length; at += packetBytes) {
        const packet = packets.subarray(at, at + packetBytes);
        const pid = pidOf(packet);
        if (pid === 0 || pid === mapPid) readTable(packet, pid);
        const stamp = pid === clockPid ? parseTimestamp(packet) : undefined;
        const time = stamp === undefined ? undefined : cutAt(stamp);
        if (time !== undefined) cuts.push({ at, time });
      }
      return cuts;
    },
    /** The tables with which every segment begins. */
    tables: (): Uint8Array => Uint8Array.from([...tables.values()].flatMap((packet) => [...packet])),
    /** When the segment begins, and the stamp of the first picture of all. */
    begin: (): number => begin ?? latest,
    zero: (): number => zero ?? 0,
  };
};
