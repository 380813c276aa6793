import { bytesOfHex } from "../../shared/basics/hex.ts";
import type { SplicePoint } from "../../shared/work/splice-point.ts";
import { readCommand, type SpliceCommand } from "./splice-command.ts";
import { ticksPerSecond } from "./ticks.ts";

/** A break of the programme, or another message at one moment, as manifests have it. Seconds from the first picture. */
export type Cue = {
  readonly id: string;
  readonly at: number;
  /** How long the break is: as the way back says, else as the way out promises. */
  readonly seconds?: number;
  readonly isPlanned?: boolean;
  /** The sections, as hexadecimal digits. */
  readonly out?: string;
  readonly back?: string;
  readonly command?: string;
};

/** The cues of a target: each way out together with its way back. */
export const cuesOf = (points: readonly SplicePoint[]): Cue[] => {
  const cues: Cue[] = [];
  const open = new Map<number, number>();
  for (const { at, splice = at, section } of points.toSorted((a, b) => momentOf(a) - momentOf(b))) {
    const command = readCommand(bytesOfHex(section));
    const { eventId = -1, isOut } = command;
    const begun = open.get(eventId);
    const cue = begun === undefined ? undefined : cues[begun];
    if (cue && begun !== undefined && isOut === false) {
      cues[begun] = { ...cue, back: section, seconds: splice / ticksPerSecond - cue.at, isPlanned: false };
      open.delete(eventId);
    } else {
      if (isOut && eventId >= 0) open.set(eventId, cues.length);
      cues.push(aloneOf(command, section, splice, cues));
    }
  }
  return cues;
};

const aloneOf = (
  { eventId, isOut, isCancelled, seconds }: SpliceCommand,
  section: string,
  splice: number,
  others: readonly Cue[],
): Cue => {
  const kind = isOut === undefined || isCancelled ? "command" : isOut ? "out" : "back";
  const length = seconds === undefined ? {} : { seconds, isPlanned: true };
  return { id: nameOf(eventId, others), at: splice / ticksPerSecond, [kind]: section, ...length };
};

const momentOf = ({ at, splice }: SplicePoint): number => splice ?? at;

/** Ids are unique; events that come again are numbered. */
const nameOf = (eventId: number | undefined, others: readonly Cue[]): string => {
  const base = eventId === undefined ? "splice" : `splice-${eventId}`;
  const count = others.filter(({ id }) => id === base || id.startsWith(`${base}~`)).length;
  return count === 0 ? base : `${base}~${count + 1}`;
};
