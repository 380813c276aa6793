import { toNumber } from "../../shared/basics/rational.ts";
import type { Preview } from "../../shared/protocol/preview.ts";
import { secondsOfFrames } from "../formats/timecode.ts";

/** A step of a preview, and the second at which it begins. */
export type Moment = { readonly step: number; readonly seconds: number };

type Steps = Pick<Preview, "steps" | "rate">;

/** Lengths that differ by less are equal: the last frames of a film may be lost or added. */
const tolerance = 0.02;
const leastSeconds = 0.5;

/**
 * The steps of `shown` at even distances in `film`, both in the middle of equal parts; undefined if the two are not equally
 * long, because then the same second shows something else.
 */
export const momentsOf = (shown: Steps, film: Steps, count: number): readonly Moment[] | undefined => {
  const [length, other] = [lengthOf(film), lengthOf(shown)];
  if (Math.abs(length - other) > Math.max(leastSeconds, tolerance * length)) return undefined;
  const steps = Array.from({ length: count }, (_, at) => Math.floor(((at + 0.5) * film.steps) / count));
  return [...new Set(steps)].map((step) => {
    const seconds = toNumber(secondsOfFrames(step, film.rate));
    const own = shown === film ? step : Math.floor(seconds * toNumber(shown.rate) + 0.01);
    return { step: Math.min(shown.steps - 1, own), seconds };
  });
};

const lengthOf = ({ steps, rate }: Steps): number => toNumber(secondsOfFrames(steps, rate));
