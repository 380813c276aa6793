import { withCrc } from "../formats/crc32.ts";
import { wrapped } from "./ticks.ts";

/**
 * Sections of SCTE 35: the bytes of a splice_info_section. Times are in 90 kHz ticks. A section is moved in time only by
 * its field `pts_adjustment`, so that every command and descriptor stays unchanged.
 */

export type SpliceInsert = {
  readonly eventId: number;
  readonly isCancelled?: boolean | undefined;
  /** Away from the programme (cue-out), or back to it. */
  readonly isOut?: boolean | undefined;
  /** Absent: at once. */
  readonly pts?: number | undefined;
  readonly programId?: number | undefined;
  readonly availNum?: number | undefined;
  readonly availsExpected?: number | undefined;
};

const tableId = 0xfc;
const commands = { none: 0, insert: 5, timeSignal: 6 };
/** Bytes before the command. */
const headBytes = 14;

export const buildSpliceInsert = (splice: SpliceInsert): Uint8Array => {
  const command = insertCommand(splice);
  const section = new Uint8Array(headBytes + command.length + 6);
  const length = section.length - 3;
  section.set([tableId, 0x30 | (length >> 8), length & 0xff]);
  // No pts_adjustment, no encryption, and tier 0xfff, which means no particular tier.
  section.set([0, 0, 0, 0, 0, 0, 0, 0xff, 0xf0 | (command.length >> 8), command.length & 0xff, commands.insert], 3);
  section.set(command, headBytes);
  return withCrc(section);
};

const insertCommand = (splice: SpliceInsert): number[] => {
  const { eventId, isCancelled, isOut, pts, programId = 0, availNum = 0, availsExpected = 0 } = splice;
  const head = [...bytesOf(eventId, 4), isCancelled ? 0xff : 0x7f];
  if (isCancelled) return head;
  // program_splice_flag is set and duration_flag is not: the whole programme, for an unknown time.
  const flags = 0x4f | (isOut ? 0x80 : 0) | (pts === undefined ? 0x10 : 0);
  const time = pts === undefined ? [] : [0xfe | (wrapped(pts) >= 2 ** 32 ? 1 : 0), ...bytesOf(pts % 2 ** 32, 4)];
  // The number of an avail means nothing unless avails are expected.
  return [...head, flags, ...time, ...bytesOf(programId, 2), availsExpected === 0 ? 0 : availNum, availsExpected];
};

/** The time of the splice, in ticks; undefined if it is immediate, or if the section gives no time that can be read. */
export const parseSpliceTime = (section: Uint8Array): number | undefined => {
  const at = isEncrypted(section) ? undefined : timeAt(section);
  if (at === undefined || !(byteAt(section, at) & 0x80)) return undefined;
  return wrapped(adjustmentOf(section) + (byteAt(section, at) & 1) * 2 ** 32 + numberAt(section, at + 1));
};

/** The same section for a stream whose times are later by so many ticks. */
export const retimed = (section: Uint8Array, by: number): Uint8Array => {
  const moved = Uint8Array.from(section);
  const adjustment = wrapped(adjustmentOf(section) + by);
  moved.set([(byteAt(section, 4) & 0xfe) | (adjustment >= 2 ** 32 ? 1 : 0), ...bytesOf(adjustment % 2 ** 32, 4)], 4);
  return withCrc(moved);
};

export const isSpliceSection = (section: Uint8Array): boolean =>
  section[0] === tableId && section.length >= headBytes + 6;

/** Whether the section only shows that its stream is alive (splice_null). */
export const isNull = (section: Uint8Array): boolean => section[headBytes - 1] === commands.none;

/** The position of the command's splice_time, if it has one. */
const timeAt = (section: Uint8Array): number | undefined => {
  const command = byteAt(section, headBytes - 1);
  if (command === commands.timeSignal) return headBytes;
  if (command !== commands.insert || byteAt(section, headBytes + 4) & 0x80) return undefined;
  const isTimedProgram = (byteAt(section, headBytes + 5) & 0x50) === 0x40;
  return isTimedProgram ? headBytes + 6 : undefined;
};

const isEncrypted = (section: Uint8Array): boolean => (byteAt(section, 4) & 0x80) !== 0;

const adjustmentOf = (section: Uint8Array): number => (byteAt(section, 4) & 1) * 2 ** 32 + numberAt(section, 5);

const byteAt = (bytes: Uint8Array, at: number): number => bytes[at] ?? 0;

const numberAt = (bytes: Uint8Array, at: number): number =>
  [0, 1, 2, 3].reduce((sum, offset) => sum * 256 + byteAt(bytes, at + offset), 0);

const bytesOf = (value: number, count: number): number[] =>
  Array.from({ length: count }, (_, index) => Math.floor(value / 256 ** (count - 1 - index)) % 256);
