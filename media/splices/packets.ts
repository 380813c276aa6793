import { withCrc } from "../formats/crc32.ts";
import { packetBytes, payloadAt } from "../formats/transport-packets.ts";

/** Reads and writes packets of a transport stream (ISO 13818-1), as far as sections and time stamps need it. */

export const startsUnit = (packet: Uint8Array): boolean => (byteAt(packet, 1) & 0x40) !== 0;

/** The presentation time stamp, in 90 kHz ticks, of the unit that begins in this packet; undefined if none does. */
export const parseTimestamp = (packet: Uint8Array): number | undefined => {
  const at = payloadAt(packet);
  const isUnit = startsUnit(packet) && at + 14 <= packetBytes && byteAt(packet, at + 2) === 1;
  if (!isUnit || byteAt(packet, at) + byteAt(packet, at + 1) > 0 || !(byteAt(packet, at + 7) & 0x80)) return undefined;
  const [high, b, c, d, e] = packet.subarray(at + 9, at + 14);
  const low = (byte = 0) => byte >> 1;
  return (((high ?? 0) >> 1) & 7) * 2 ** 30 + (b ?? 0) * 2 ** 22 + low(c) * 2 ** 15 + (d ?? 0) * 2 ** 7 + low(e);
};

/** The section that begins and ends in this packet; undefined if there is none. */
export const sectionIn = (packet: Uint8Array): Uint8Array | undefined => {
  if (!startsUnit(packet)) return undefined;
  const at = payloadAt(packet) + 1 + byteAt(packet, payloadAt(packet));
  const end = at + sectionLength(packet.subarray(at));
  return at + 3 <= packetBytes && end <= packetBytes ? packet.subarray(at, end) : undefined;
};

export const sectionLength = (bytes: Uint8Array): number => 3 + (byteAt(bytes, 1) & 0x0f) * 256 + byteAt(bytes, 2);

/** Packets that contain only this section; `counter` is the continuity counter of the first one. */
export const packetizeSection = (section: Uint8Array, pid: number, counter: number): Uint8Array[] => {
  // The pointer in the first byte says that the section begins at once.
  const unit = Uint8Array.from([0, ...section]);
  const room = packetBytes - 4;
  return Array.from({ length: Math.ceil(unit.length / room) }, (_, index) => {
    const packet = new Uint8Array(packetBytes).fill(0xff);
    const first = index === 0 ? 0x40 : 0;
    packet.set([0x47, first | (pid >> 8), pid & 0xff, 0x10 | ((counter + index) & 0x0f)]);
    packet.set(unit.subarray(index * room, (index + 1) * room), 4);
    return packet;
  });
};

/** The PID of the first programme's map (PMT), from the table of programmes (PAT). */
export const parseMapPid = (table: Uint8Array): number | undefined => {
  for (let at = 8; at + 4 <= table.length - 4; at += 4) {
    if (byteAt(table, at) + byteAt(table, at + 1) > 0)
      return (byteAt(table, at + 2) & 0x1f) * 256 + byteAt(table, at + 3);
  }
  return undefined;
};

export type StreamMap = { readonly clockPid: number; readonly pids: readonly number[] };

/** The streams of a programme. */
export const readMap = (map: Uint8Array): StreamMap => {
  const pids: number[] = [];
  const at = 12 + (byteAt(map, 10) & 0x0f) * 256 + byteAt(map, 11);
  for (let next = at; next + 5 <= map.length - 4; ) {
    pids.push((byteAt(map, next + 1) & 0x1f) * 256 + byteAt(map, next + 2));
    next += 5 + (byteAt(map, next + 3) & 0x0f) * 256 + byteAt(map, next + 4);
  }
  return { clockPid: (byteAt(map, 8) & 0x1f) * 256 + byteAt(map, 9), pids };
};

/** The registration descriptor `CUEI`, which SCTE 35 requires for the programme. */
const registration = [0x05, 0x04, 0x43, 0x55, 0x45, 0x49];
const spliceStreamType = 0x86;

/** The map with a stream of splice sections added at its end. */
export const withSpliceStream = (map: Uint8Array, pid: number): Uint8Array => {
  const info = (byteAt(map, 10) & 0x0f) * 256 + byteAt(map, 11);
  const changed = Uint8Array.from([
    ...map.subarray(0, 12 + info),
    ...registration,
    ...map.subarray(12 + info, -4),
    ...[spliceStreamType, 0xe0 | (pid >> 8), pid & 0xff, 0xf0, 0],
    ...[0, 0, 0, 0],
  ]);
  const longer = info + registration.length;
  changed.set([0xf0 | (longer >> 8), longer & 0xff], 10);
  const length = changed.length - 3;
  changed.set([0xb0 | (length >> 8), length & 0xff], 1);
  return withCrc(changed);
};

const byteAt = (bytes: Uint8Array, at: number): number => bytes[at] ?? 0;
