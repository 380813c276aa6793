import { withCrc } from "../formats/crc32.ts";
import { nullPid, packetBytes, pidOf } from "../formats/transport-packets.ts";
import { packetizeSection, parseMapPid, readMap, sectionIn, startsUnit } from "./packets.ts";

/** Ticks of the clock per second. */
const clockRate = 27_000_000;

/**
 * Gives the clock of a transport stream (PCR) packets of its own number, beside those of the picture, which keep theirs. In
 * a stream of a constant rate, in bits a second, they take the places of null packets, so that the rate stays.
 */
export const createOwnClock = (pid: number, bitRate: number | undefined) => {
  let [mapPid, clockPid]: (number | undefined)[] = [];
  let waiting: { readonly clock: number; readonly at: number } | undefined;
  let [seen, made] = [0, 0];

  const mapped = (packet: Uint8Array): Uint8Array => {
    const section = startsUnit(packet) ? sectionIn(packet) : undefined;
    if (pidOf(packet) === 0) mapPid ??= section && parseMapPid(section);
    if (pidOf(packet) !== mapPid) return packet;
    if (!section) throw new Error("the map of its streams does not fit into one packet");
    const map = readMap(section);
    clockPid = map.clockPid;
    if (map.pids.includes(pid)) throw new Error(`it has a stream with the number ${pid}`);
    const changed = Uint8Array.from(section);
    changed.set([0xe0 | (pid >> 8), pid & 0xff], 8);
    return packetizeSection(withCrc(changed), mapPid, (packet[3] ?? 0) & 0x0f)[0] ?? packet;
  };

  const packetOf = (packet: Uint8Array): Uint8Array[] => {
    if (packet[0] !== 0x47) throw new Error("it is no transport stream");
    const clock = pidOf(packet) === clockPid ? clockIn(packet) : undefined;
    if (clock !== undefined && bitRate === undefined) {
      made += 1;
      return [clockPacket(pid, clock), packet];
    }
    if (clock !== undefined) waiting = { clock, at: seen };
    if (waiting && bitRate !== undefined && pidOf(packet) === nullPid) {
      const later = ((seen - waiting.at) * packetBytes * 8 * clockRate) / bitRate;
      const own = clockPacket(pid, waiting.clock + Math.round(later));
      waiting = undefined;
      made += 1;
      return [own];
    }
    return [mapped(packet)];
  };

  return {
    through: (packets: Uint8Array): Uint8Array => {
      const parts: Uint8Array[] = [];
      for (let at = 0; at + packetBytes <= packets.length; at += packetBytes) {
        parts.push(...packetOf(packets.subarray(at, at + packetBytes)));
        seen += 1;
      }
      const all = new Uint8Array(parts.length * packetBytes);
      for (const [index, packet] of parts.entries()) all.set(packet, index * packetBytes);
      return all;
    },
    /** How many clocks were written. Throws Error where there was no room for them. */
    end: (): number => {
      if (made === 0) throw new Error("its rate leaves no room for packets of a clock");
      return made;
    },
  };
};

/** The clock that a packet carries: 33 bits of 90 kHz and a rest of 300. */
const clockIn = (packet: Uint8Array): number | undefined => {
  const hasField = ((packet[3] ?? 0) & 0x20) !== 0 && (packet[4] ?? 0) >= 7;
  if (!hasField || !((packet[5] ?? 0) & 0x10)) return undefined;
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = packet.subarray(6, 12);
  return (a * 2 ** 25 + b * 2 ** 17 + c * 2 ** 9 + d * 2 + (e >> 7)) * 300 + (e & 1) * 256 + f;
};

/** A packet of nothing but a clock. Its counter stays, as it has no payload. */
const clockPacket = (pid: number, clock: number): Uint8Array => {
  const [base, rest] = [Math.floor(clock / 300) % 2 ** 33, clock % 300];
  const packet = new Uint8Array(packetBytes).fill(0xff);
  packet.set([0x47, pid >> 8, pid & 0xff, 0x20, packetBytes - 5, 0x10]);
  const bytes = [25, 17, 9, 1].map((shift) => Math.floor(base / 2 ** shift) & 0xff);
  packet.set([...bytes, ((base & 1) << 7) | 0x7e | (rest >> 8), rest & 0xff], 6);
  return packet;
};
