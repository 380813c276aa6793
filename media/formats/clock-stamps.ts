import { packetBytes, payloadAt, pidOf } from "./transport-packets.ts";

/**
 * Reads the time stamps of a transport or program stream (ISO/IEC 13818-1, 2.4.3.6 and 2.5.3) from its bytes, given in
 * order and in pieces of any size. Nothing is decoded.
 */

/** One unit of a stream: when it is decoded and shown, in 90 kHz ticks of 33 bits. */
export type Stamp = {
  /** As ffprobe names it: a PID, or the number of a stream in a program stream. */
  readonly id: number;
  readonly pts: number;
  readonly dts: number;
  /** Decoding may begin here; undefined where the stream does not show it. */
  readonly isKey: boolean;
};

export type StampReader = {
  readonly feed: (bytes: Uint8Array) => void;
  /** How many pictures of MPEG-1 or MPEG-2 each stream of a program stream has: not each of them has a stamp there. */
  readonly pictures: ReadonlyMap<number, number>;
};

/** For a format as ffprobe names it: `mpegts` or `mpeg`. */
export const createStampReader = (format: string, see: (stamp: Stamp) => void): StampReader =>
  format === "mpegts" ? transportReader(see) : programReader(see);

const syncByte = 0x47;
/** Plain packets, those of M2TS with a time before them, and those with check bytes after them. */
const packetSizes = [188, 192, 204] as const;

const transportReader = (see: (stamp: Stamp) => void): StampReader => {
  let rest: Uint8Array = new Uint8Array();
  let size: (typeof packetSizes)[number] | undefined;
  const take = (packet: Uint8Array): void => {
    if (((packet[1] ?? 0) & 0x40) === 0) return;
    const stamp = stampOf(packet.subarray(payloadAt(packet)), pidOf(packet));
    if (stamp) see({ ...stamp, isKey: stamp.isKey || isRandomAccess(packet) });
  };
  return {
    pictures: new Map(),
    feed: (bytes) => {
      const all = rest.length > 0 ? joined(rest, bytes) : bytes;
      let at = 0;
      while (at + packetBytes <= all.length) {
        if (all[at] !== syncByte || size === undefined || (all[at + size] ?? syncByte) !== syncByte) {
          if (at + 2 * packetSizes[2] > all.length) break;
          size = packetSizes.find((each) => all[at] === syncByte && all[at + each] === syncByte);
        }
        if (size === undefined) {
          at += 1;
          continue;
        }
        take(all.subarray(at, at + packetBytes));
        at += size;
      }
      rest = all.slice(at);
    },
  };
};

/** The random_access_indicator of the adaptation field. */
const isRandomAccess = (packet: Uint8Array): boolean =>
  ((packet[3] ?? 0) & 0x20) !== 0 && (packet[4] ?? 0) > 0 && ((packet[5] ?? 0) & 0x40) !== 0;

/** Start codes of program streams. */
const packCode = 0xba;
const firstPesCode = 0xbc;

const programReader = (see: (stamp: Stamp) => void): StampReader => {
  let rest: Uint8Array = new Uint8Array();
  const pictures = new Map<number, number>();
  const keyed = new Set<number>();
  const take = (unit: Uint8Array): void => {
    const id = programId(unit);
    if (isPicture(unit[3] ?? 0)) {
      pictures.set(id, (pictures.get(id) ?? 0) + countOf(unit, pictureCode));
      if (countOf(unit, sequenceCode) > 0) keyed.add(id);
    }
    const stamp = stampOf(unit, id);
    // A header anywhere in a unit, or in one before it without a stamp, is a key for the next one with a stamp.
    if (stamp) see({ ...stamp, isKey: keyed.delete(id) || stamp.isKey });
  };
  return {
    pictures,
    feed: (bytes) => {
      const all = rest.length > 0 ? joined(rest, bytes) : bytes;
      let at = 0;
      while (at + 14 <= all.length) {
        const length = unitLength(all, at);
        if ((all[at + 3] ?? 0) >= firstPesCode && length > 1) {
          if (at + length > all.length) break;
          take(all.subarray(at, at + length));
        }
        at += length;
      }
      rest = all.slice(at);
    },
  };
};

/** How long what begins here is: a pack's head, a unit, or a byte that begins neither. */
const unitLength = (all: Uint8Array, at: number): number => {
  const code = all[at + 3] ?? 0;
  if (all[at] !== 0 || all[at + 1] !== 0 || all[at + 2] !== 1 || code < packCode) return 1;
  if (code > packCode) return 6 + (all[at + 4] ?? 0) * 256 + (all[at + 5] ?? 0);
  const isMpeg2 = ((all[at + 4] ?? 0) & 0xc0) === 0x40;
  return isMpeg2 ? 14 + ((all[at + 13] ?? 0) & 7) : 12;
};

/** The start codes of a picture, and of a sequence (ISO/IEC 13818-2, table 6-1). */
const pictureCode = 0;
const sequenceCode = 0xb3;

const isPicture = (code: number): boolean => code >= 0xe0 && code <= 0xef;

/** How many start codes of a kind there are. A byte above 1 cannot be within one, nor can the two before it. */
const countOf = (bytes: Uint8Array, code: number): number => {
  let count = 0;
  for (let at = 8; at + 1 < bytes.length; ) {
    const byte = bytes[at] ?? 0;
    if (byte > 1) at += 3;
    else if (byte === 0 || bytes[at - 1] !== 0 || bytes[at - 2] !== 0) at += 1;
    else {
      if (bytes[at + 1] === code) count += 1;
      at += 3;
    }
  }
  return count;
};

/** ffprobe names streams of private_stream_1 by their first payload byte, all others by their start code. */
const programId = (unit: Uint8Array): number => {
  const code = unit[3] ?? 0;
  return code === 0xbd ? (unit[9 + (unit[8] ?? 0)] ?? 0) : 0x100 + code;
};

/** Video, audio, private_stream_1 and extended stream ids. */
const isMedia = (code: number): boolean => (code >= 0xc0 && code <= 0xef) || code === 0xbd || code === 0xfd;

const stampOf = (unit: Uint8Array, id: number): Stamp | undefined => {
  if (unit.length < 14 || unit[0] !== 0 || unit[1] !== 0 || unit[2] !== 1 || !isMedia(unit[3] ?? 0)) return undefined;
  return ((unit[6] ?? 0) & 0xc0) === 0x80 ? stampOfMpeg2(unit, id) : stampOfMpeg1(unit, id);
};

const stampOfMpeg2 = (unit: Uint8Array, id: number): Stamp | undefined => {
  const flags = unit[7] ?? 0;
  if ((flags & 0x80) === 0) return undefined;
  const pts = ticksAt(unit, 9);
  const payload = unit.subarray(9 + (unit[8] ?? 0));
  return { id, pts, dts: flags & 0x40 ? ticksAt(unit, 14) : pts, isKey: beginsDecoding(payload) };
};

/** ISO/IEC 11172-1, 2.4.3.3: stuffing, the size of the buffer, then the stamps. */
const stampOfMpeg1 = (unit: Uint8Array, id: number): Stamp | undefined => {
  let at = 6;
  while (unit[at] === 0xff && at < 22) at += 1;
  if (((unit[at] ?? 0) & 0xc0) === 0x40) at += 2;
  const kind = (unit[at] ?? 0) >> 4;
  if (kind !== 2 && kind !== 3) return undefined;
  const pts = ticksAt(unit, at);
  const isBoth = kind === 3;
  return {
    ...{ id, pts, dts: isBoth ? ticksAt(unit, at + 5) : pts },
    isKey: beginsDecoding(unit.subarray(at + (isBoth ? 10 : 5))),
  };
};

const ticksAt = (unit: Uint8Array, at: number): number => {
  const [a = 0, b = 0, c = 0, d = 0, e = 0] = unit.subarray(at, at + 5);
  return ((a >> 1) & 7) * 2 ** 30 + b * 2 ** 22 + (c >> 1) * 2 ** 15 + d * 2 ** 7 + (e >> 1);
};

/** How far into a unit its first headers are. */
const headerBytes = 160;

/** Whether a picture begins with headers that a decoder can start from: of MPEG-2, H.264 or H.265. */
const beginsDecoding = (payload: Uint8Array): boolean => {
  const end = Math.min(payload.length, headerBytes) - 1;
  for (let at = 3; at < end; at += 1) {
    if (payload[at - 1] !== 1 || payload[at - 2] !== 0 || payload[at - 3] !== 0) continue;
    const code = payload[at] ?? 0;
    if (keyCodes.has(code)) return true;
    if (otherCodes.has(code)) return false;
  }
  return false;
};

/** A sequence header of MPEG-2, parameter sets and IDR slices of H.264, a video parameter set of H.265. */
const keyCodes = new Set([0xb3, 0x27, 0x47, 0x67, 0x25, 0x45, 0x65, 0x40]);
/** A picture of MPEG-2 without a sequence header, and other slices of H.264 and H.265. */
const otherCodes = new Set([0x00, 0x01, 0x21, 0x41, 0x61, 0x02]);

const joined = (one: Uint8Array, other: Uint8Array): Uint8Array => {
  const all = new Uint8Array(one.length + other.length);
  all.set(one);
  all.set(other, one.length);
  return all;
};
