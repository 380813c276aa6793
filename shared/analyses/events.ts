import { type JsonObject, type ResponseVersion, rounded } from "./analysis.ts";

export type Interval = { readonly begin: number; readonly end: number };

/** A result holds so many events; more are counted. */
const mostEvents = 2000;
/** Half a frame of 25 a second: what ends this near to the end of the stream lasts until its end. */
const nearEnd = 0.02;

/** Intervals as results tell them, with the longest, the leading and the trailing one in seconds. */
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
