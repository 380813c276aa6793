import type { Cue, CueRange } from "./cue.ts";
import { lagOf, ownStartOf } from "./index.ts";

/** Where a text begins to count, if not at zero: milliseconds of the text, and how this is known. */
export type ProgrammeStart = { readonly at: number; readonly by: "head" | "timecode" | "hour" };

const hour = 3_600_000;
/** A timecode below it could as well be a time within the media. */
const leastTimecode = 600_000;

/**
 * Many texts begin where their programme does, at 01:00:00:00 or 10:00:00:00: at what their head says, else at the
 * media's timecode or a full hour where more texts are seen in that part of the media than by counting from zero.
 */
export const programmeStart = (text: string, cues: readonly Cue[], range: CueRange): ProgrammeStart | undefined => {
  const [first] = cues;
  if (!first || range.clock !== undefined) return undefined;
  const own = ownStartOf(text);
  if (own > 0 && first.from >= own) return { at: own, by: "head" };
  const { from, to, shown } = range;
  if (to === undefined) return undefined;
  const candidates = [
    ...(shown !== undefined && shown >= leastTimecode ? [startOf(text, shown, "timecode")] : []),
    startOf(text, Math.floor(first.from / hour) * hour, "hour"),
    startOf(text, Math.floor(first.from / hour - 1) * hour, "hour"),
  ].filter(({ at }) => at > 0 && first.from >= at && at >= to - from);
  const seen = (at: number) => cues.filter((cue) => cue.to > from + at && cue.from < to + at).length;
  const best = candidates.reduce<ProgrammeStart | undefined>(
    (found, each) => (seen(each.at) > seen(found?.at ?? 0) ? each : found),
    undefined,
  );
  return best;
};

// Where frames are counted, an hour on the text's clock may last longer than an hour.
const startOf = (text: string, clock: number, by: ProgrammeStart["by"]): ProgrammeStart => ({
  at: clock + lagOf(text, clock),
  by,
});

/** The same as a sentence for the result. */
export const startWords = (name: string, { at, by }: ProgrammeStart): string => {
  const seconds = Math.round(at / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const clock = [hours, minutes, seconds % 60].map((each) => String(each).padStart(2, "0")).join(":");
  const how = by === "timecode" ? "as the source's timecode does" : "a full hour before its first text";
  return `${name} counts from ${clock}, ${how}: its texts are shown from there`;
};

/** Texts as if they counted from zero. */
export const countedFrom = (cues: readonly Cue[], start: ProgrammeStart | undefined): Cue[] =>
  cues.map((cue) => (start ? { ...cue, from: cue.from - start.at, to: cue.to - start.at } : cue));
