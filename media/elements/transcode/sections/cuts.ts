import { multiply, type Rational, ratio, toNumber } from "../../../../shared/basics/rational.ts";

/** Where a target may be cut: at every so many frames, or at the first frame after every so many seconds. */
export type Grid = { readonly rate: Rational; readonly frames: number; readonly seconds?: number | undefined };

/** A part of a timeline, in seconds from its zero; the last one goes to the end. */
export type Section = { readonly from: Rational; readonly to?: Rational };

/** What is left at the end goes with the section before if it is shorter than this part of a section. */
const shortest = 0.1;

/**
 * The sections of a timeline, each about `seconds` long, which begin where every target has a key frame in any case.
 * Undefined if the targets have no such moments in common.
 */
export const planCuts = (grids: readonly Grid[], seconds: number, total: Rational): Section[] | undefined => {
  const [first] = grids;
  if (!first) return undefined;
  const unit = toNumber(grids.map(unitOf).reduce(leastCommon));
  const end = toNumber(total) - seconds * shortest;
  const cuts = new Map<number, Rational>();
  for (let number = 1; number * seconds < end; number += 1) {
    const cut = nearest(first, Math.round((number * seconds) / unit) * unit);
    const at = toNumber(cut);
    if (!grids.every((grid) => toNumber(nearest(grid, at)) === at)) return undefined;
    if (at > 0 && at < end) cuts.set(at, cut);
  }
  if (cuts.size === 0 && seconds < end) return undefined;
  const starts = [ratio(0), ...cuts.values()];
  return starts.map((from, index) => ({ from, ...(starts[index + 1] && { to: starts[index + 1] }) }));
};

const nearest = ({ rate, frames, seconds }: Grid, time: number): Rational => {
  const frame =
    seconds === undefined
      ? Math.round((time * toNumber(rate)) / frames) * frames
      : Math.ceil(Math.round(time / seconds) * seconds * toNumber(rate) - 1e-6);
  return multiply(ratio(frame), ratio(rate.den, rate.num));
};

/** Seconds from one moment to the next; of times that are no whole number of frames, a frame. */
const unitOf = ({ rate, frames, seconds }: Grid): Rational => {
  const between = seconds === undefined ? frames : seconds * toNumber(rate);
  return multiply(ratio(Number.isInteger(between) ? between : 1), ratio(rate.den, rate.num));
};

const leastCommon = (a: Rational, b: Rational): Rational => {
  const [left, right] = [a.num * b.den, b.num * a.den];
  return ratio((left / divisor(left, right)) * right, a.den * b.den);
};

const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b));
