import { multiply, type Rational, ratio, round } from "../../../shared/basics/rational.ts";
import { framesToTimecode, timecodeToFrames } from "../../formats/timecode.ts";
import type { Programme } from "./programme.ts";

/** Every delivery has 25 frames a second. */
export const rate: Rational = ratio(25);

type Part = NonNullable<NonNullable<Programme["timecodes"]>["parts"]>[number];

/** Where the programme lies in its file, as timecodes. */
export type Timeline = {
  readonly start: string;
  /** The first frame behind the file. */
  readonly end: string;
  readonly lineUp: string | undefined;
  readonly ident: string | undefined;
  readonly parts: readonly Part[];
  readonly total: string;
};

/** The first frame of every programme. */
export const firstStart = "10:00:00:00";

/** What the payload says, and else one part that begins at ten o'clock and lasts to the end of the file. */
export const buildTimeline = (
  said: Programme["timecodes"],
  file: { readonly timecode: string | undefined; readonly duration: Rational },
): Timeline => {
  const start = file.timecode ?? said?.line_up_start ?? firstStart;
  const end = later(start, round(multiply(file.duration, rate)));
  const parts = said?.parts ?? [whole(start, end)];
  const sum = parts.reduce((frames, each) => frames + framesOf(each.part_duration), 0);
  return {
    ...{ start, end, parts, lineUp: said?.line_up_start, ident: said?.ident_clock_start },
    total: said?.total_programme_duration ?? framesToTimecode(sum, rate, false),
  };
};

const whole = (start: string, end: string): Part => {
  const from = framesOf(start) <= framesOf(firstStart) ? firstStart : start;
  const duration = framesToTimecode(Math.max(0, framesOf(end) - framesOf(from)), rate, false);
  return { part_number: 1, part_total: 1, part_som: from, part_duration: duration };
};

export const framesOf = (timecode: string): number => timecodeToFrames(timecode, rate) ?? 0;
export const later = (timecode: string, frames: number): string =>
  framesToTimecode(framesOf(timecode) + frames, rate, false);
