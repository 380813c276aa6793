import {
  add,
  compare,
  max,
  min,
  multiply,
  type Rational,
  ratio,
  subtract,
  toNumber,
  toSeconds,
} from "../../shared/basics/rational.ts";
import type { Range, Section } from "../../shared/model/asset.ts";
import { definitionError, sourceError } from "../../shared/model/failure.ts";
import { constantRate } from "../formats/stream-timing.ts";
import type { OpenSection } from "./open-section.ts";

/**
 * The sections, or parts of them, within a range of the whole. Its ends are moved to the nearest frames of their
 * section, unless it is precise to the sample. Throws TaskError `definition` for a range beyond the end.
 */
export const cutSections = (
  sections: readonly Section[],
  timelines: readonly OpenSection[],
  range: Range,
  what: string,
): Section[] => {
  let begin = ratio(0);
  const kept = sections.flatMap((section, index) => {
    const timeline = timelines[index];
    const own = ownRange(range, begin, timeline);
    const length = timeline && lengthOf(timeline);
    const isOut = (length && compare(own.from, length) >= 0) || (own.to && own.to.num <= 0);
    if (!length && index < sections.length - 1) throw unknownLength(what);
    begin = add(begin, length ?? ratio(0));
    return isOut ? [] : [shareOf(section, own, length)];
  });
  if (kept.length > 0) return kept;
  throw definitionError(
    `${what}: the range begins at ${toSeconds(range.from)} s, its source ends at ${toSeconds(begin)} s`,
  );
};

/** Seconds that a section takes in a sequence: whole frames of its picture. */
export const lengthOf = ({ picture, timing: { duration } }: OpenSection): Rational | undefined => {
  const shown = picture?.facts.duration && add(picture.facts.start ?? ratio(0), picture.facts.duration);
  const rate = picture && (constantRate(picture.facts) ?? picture.facts.averageFrameRate);
  const lasts = shown ?? duration;
  return lasts && rate ? framesOf(lasts, rate) : lasts;
};

export const unknownLength = (what: string) =>
  sourceError(
    `${what}: nobody can tell exactly how long this file lasts before it is read; give its trim an outpoint or a duration`,
  );

const framesOf = (time: Rational, rate: Rational): Rational =>
  ratio(Math.max(1, Math.round(toNumber(multiply(time, rate)))) * rate.den, rate.num);

/** The range in the section's own time, which may begin before zero and end after its end. */
const ownRange = (range: Range, begin: Rational, timeline: OpenSection | undefined): Range => {
  const rate = timeline?.picture && range.precision !== "sample" ? constantRate(timeline.picture.facts) : undefined;
  const snap = (time: Rational) =>
    rate ? ratio(Math.round(toNumber(multiply(time, rate))) * rate.den, rate.num) : time;
  return { ...range, from: snap(subtract(range.from, begin)), to: range.to && snap(subtract(range.to, begin)) };
};

const shareOf = (section: Section, own: Range, length: Rational | undefined): Section => {
  const from = max(own.from, ratio(0));
  const to = own.to && (length ? min(own.to, length) : own.to);
  const isAll = from.num === 0 && (!to || (length && compare(to, length) === 0));
  return isAll
    ? section
    : { ...section, parts: section.parts.map((part) => ({ ...part, range: rangeWithin(part.range, { from, to }) })) };
};

/** A range that is counted from the begin of another one, and ends with it at the latest. */
export const rangeWithin = (outer: Range | undefined, inner: Range): Range => {
  const start = outer?.from ?? ratio(0);
  const end = inner.to && add(start, inner.to);
  return {
    from: add(start, inner.from),
    to: end && outer?.to ? min(end, outer.to) : (end ?? outer?.to),
    precision: inner.precision ?? outer?.precision,
  };
};
