import { bytesOfHex } from "../../shared/basics/hex.ts";
import type { SplicePoint } from "../../shared/work/splice-point.ts";
import { nullPid, packetBytes, pidOf } from "../formats/transport-packets.ts";
import {
  packetizeSection,
  parseMapPid,
  parseTimestamp,
  readMap,
  sectionIn,
  startsUnit,
  withSpliceStream,
} from "./packets.ts";
import { retimed } from "./splice-info.ts";
import { ticksSince } from "./ticks.ts";

/** Inserts sections between whole packets. Throws Error if the bytes are no transport stream. */
export type SpliceInserter = {
  readonly through: (packets: Uint8Array) => Uint8Array;
  /** The packets of sections that are due after the last picture. */
  readonly end: () => Uint8Array;
};

/** The first PID to try: lower ones are for tables, and many receivers expect cues here. */
const firstPid = 500;

/**
 * Inserts the sections into a stream of one programme, each before the picture that is shown at its time. In a stream of
 * constant rate they replace null packets, so the rate stays.
 */
export const createSpliceInserter = (points: readonly SplicePoint[], isConstant: boolean): SpliceInserter => {
  const left = points.toSorted((a, b) => a.at - b.at);
  const due: Uint8Array[] = [];
  let [mapPid, clockPid, ownPid]: (number | undefined)[] = [];
  let zero: number | undefined;
  /** The ticks from the first picture to the latest one. */
  let latest = 0;
  let counter = 0;

  const readTable = (packet: Uint8Array): Uint8Array => {
    const section = startsUnit(packet) ? sectionIn(packet) : undefined;
    if (pidOf(packet) === 0) mapPid ??= section && parseMapPid(section);
    if (pidOf(packet) !== mapPid) return packet;
    if (!section) throw new Error("the map of its streams does not fit into one packet");
    const { clockPid: clock, pids } = readMap(section);
    clockPid = clock;
    ownPid ??= freePid([mapPid, ...pids]);
    const [mapped, second] = packetizeSection(withSpliceStream(section, ownPid), mapPid, (packet[3] ?? 0) & 0x0f);
    if (!mapped || second) throw new Error("the map of its streams has no room for one more");
    return mapped;
  };

  const send = (point: SplicePoint): void => {
    const packets = packetizeSection(retimed(bytesOfHex(point.section), zero ?? 0), ownPid ?? firstPid, counter);
    counter += packets.length;
    due.push(...packets);
  };

  const packetOf = (packet: Uint8Array): Uint8Array[] => {
    if (packet[0] !== 0x47) throw new Error("it is no transport stream");
    const stamp = pidOf(packet) === clockPid ? parseTimestamp(packet) : undefined;
    if (stamp !== undefined) {
      zero ??= stamp;
      latest = Math.max(latest, ticksSince(zero, stamp, latest));
      while (left[0] && left[0].at <= latest) send(left.shift() as SplicePoint); // has just been seen
    }
    if (isConstant) return [pidOf(packet) === nullPid ? (due.shift() ?? packet) : readTable(packet)];
    return [...due.splice(0), readTable(packet)];
  };

  return {
    through: (packets) => joined(chunks(packets).flatMap(packetOf)),
    end: () => {
      if (ownPid === undefined) throw new Error("it has no map of its streams");
      for (const point of left.splice(0)) send(point);
      if (isConstant && due.length > 0) throw new Error("its rate leaves no room for the SCTE-35 sections");
      return joined(due.splice(0));
    },
  };
};

const freePid = (taken: readonly number[]): number => {
  let pid = firstPid;
  while (taken.includes(pid)) pid += 1;
  return pid;
};

const chunks = (bytes: Uint8Array): Uint8Array[] =>
  Array.from({ length: Math.floor(bytes.length / packetBytes) }, (_, index) =>
    bytes.subarray(index * packetBytes, (index + 1) * packetBytes),
  );

const joined = (packets: readonly Uint8Array[]): Uint8Array => {
  const all = new Uint8Array(packets.length * packetBytes);
  for (const [index, packet] of packets.entries()) all.set(packet, index * packetBytes);
  return all;
};
