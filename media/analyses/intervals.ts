import { type JsonObject, type ResponseVersion, rounded } from "./analysis.ts";

export type Interval = { readonly begin: number; readonly end: number };

/** A result lists this many events; further ones are only counted. */
const mostEvents = 2000;
/** Half a frame at 25 frames a second: an event that ends this close to the end of the stream lasts until its end. */
const nearEnd = 0.02;

/** Intervals in the form of a result, with the longest, leading and trailing one in seconds. */
export const describeIntervals = (
  intervals: readonly Interval[],
  { seconds, version, settings }: { seconds: number; version: ResponseVersion; settings: JsonObject },
): JsonObject => {
  const lengths = intervals.map(({ begin, end }) => end - begin);
  const [first, last] = [intervals[0], intervals.at(-1)];
  const told = intervals.slice(0, mostEvents);
  return {
    ...(version === 2 && { settings, response_version: 2 }),
    events: told.map((each) => eventOf(each, version)),
    ...(intervals.length > mostEvents && { left_out_events: intervals.length - mostEvents }),
    max_sec: rounded(Math.max(0, ...lengths)),
    leading_sec: first && first.begin <= nearEnd ? rounded(first.end - first.begin) : 0,
    trailing_sec: last && last.end >= seconds - nearEnd ? rounded(last.end - last.begin) : 0,
  };
};

const eventOf = ({ begin, end }: Interval, version: ResponseVersion): JsonObject =>
  version === 2
    ? { begin: rounded(begin), end: rounded(end), duration_sec: rounded(end - begin) }
    : { pos_sec: rounded(begin), duration_sec: rounded(end - begin) };
