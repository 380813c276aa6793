import { ticksPerSecond } from "./ticks.ts";

/** What a section asks for, as manifests name it. */
export type SpliceCommand = {
  readonly eventId?: number;
  /** Away from the programme, or back to it; undefined where the section does not say. */
  readonly isOut?: boolean;
  readonly isCancelled?: boolean;
  /** How long the break is to be. */
  readonly seconds?: number;
};

const insert = 5;

/** Reads a section's splice_insert; of other commands only the bytes are passed on. */
export const readCommand = (section: Uint8Array): SpliceCommand => {
  const [type = 0, ...body] = section.subarray(13);
  const isEncrypted = ((section[4] ?? 0) & 0x80) !== 0;
  if (type !== insert || isEncrypted) return {};
  const eventId = numberAt(body, 0);
  if ((body[4] ?? 0) & 0x80) return { eventId, isCancelled: true };
  const flags = body[5] ?? 0;
  const seconds = flags & 0x20 ? breakOf(body, afterTimes(body, flags)) : undefined;
  return { eventId, isOut: (flags & 0x80) !== 0, ...(seconds !== undefined && { seconds }) };
};

/** The position behind the times of the programme, or of its components. */
const afterTimes = (body: readonly number[], flags: number): number => {
  const [isProgram, isImmediate] = [(flags & 0x40) !== 0, (flags & 0x10) !== 0];
  const timeAt = (at: number) => at + ((body[at] ?? 0) & 0x80 ? 5 : 1);
  if (isProgram) return isImmediate ? 6 : timeAt(6);
  let at = 7;
  for (let left = body[6] ?? 0; left > 0; left--) at = isImmediate ? at + 1 : timeAt(at + 1);
  return at;
};

const breakOf = (body: readonly number[], at: number): number =>
  (((body[at] ?? 0) & 1) * 2 ** 32 + numberAt(body, at + 1)) / ticksPerSecond;

const numberAt = (bytes: readonly number[], at: number): number =>
  [0, 1, 2, 3].reduce((sum, offset) => sum * 256 + (bytes[at + offset] ?? 0), 0);
