import type { Pair } from "./pop-on.ts";

/**
 * Caption distribution packets (SMPTE 334-2): what carries the captions of one frame in ancillary data, in MCC files
 * and in MXF.
 */

const identifier = [0x96, 0x69];
/** Captions are there, and they are in use. */
const flags = 0x43;
const captionSection = 0x72;
const footer = 0x74;
const [firstField, secondField, nothing] = [0xfc, 0xfd, 0xfa];
/** A pair that says nothing. */
export const idlePair: Pair = 0x8080;

/** Frame rates that a packet may name: its code, and the triples that one frame has room for. */
const at2997 = { code: 4, triples: 20 };

/** The packet of one frame at 29.97 frames a second with the pair of its first field. */
export const captionPacket = (pair: Pair, counter: number): number[] => {
  const triples = [
    ...[firstField, pair >> 8, pair & 0xff, secondField, idlePair >> 8, idlePair & 0xff],
    ...Array.from({ length: at2997.triples - 2 }, () => [nothing, 0, 0]).flat(),
  ];
  const count = [(counter >> 8) & 0xff, counter & 0xff];
  const body = [(at2997.code << 4) | 0x0f, flags, ...count, captionSection, 0xe0 | at2997.triples, ...triples];
  const whole = [...identifier, body.length + 7, ...body, footer, ...count];
  return [...whole, -sum(whole) & 0xff];
};

/** The pairs of the first field in a packet; none where the bytes are no packet. */
export const parseCaptionPacket = (bytes: readonly number[]): Pair[] => {
  if (bytes[0] !== identifier[0] || bytes[1] !== identifier[1]) return [];
  // A section of timecode may come before.
  const at = bytes[7] === 0x71 ? 12 : 7;
  if (bytes[at] !== captionSection) return [];
  const count = (bytes[at + 1] ?? 0) & 0x1f;
  return Array.from({ length: count }, (_, index) => at + 2 + index * 3).flatMap((place) => {
    const pair = ((bytes[place + 1] ?? 0) << 8) | (bytes[place + 2] ?? 0);
    return ((bytes[place] ?? 0) & 7) === (firstField & 7) && pair !== idlePair ? [pair] : [];
  });
};

export const sum = (bytes: readonly number[]): number => bytes.reduce((all, byte) => all + byte, 0);
