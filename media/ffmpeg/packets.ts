import {
  invert,
  multiply,
  parseRational,
  type Rational,
  ratio,
  round,
  subtract,
} from "../../shared/basics/rational.ts";
import { capabilityError, sourceError } from "../../shared/model/failure.ts";
import type { FrameListing, FrameQuestion, GroupFacts } from "../../shared/work/frame-listing.ts";
import { ffprobeArgv } from "./opening-args.ts";

/** ffprobe's command for every packet of one stream: decodes nothing, but reads the whole file. */
export const packetsArgv = (path: string, stream: number, isJoined = false): string[] => {
  const entries = ["-show_entries", "packet=pts,duration,flags:stream=time_base"];
  return ffprobeArgv(path, isJoined, ["-select_streams", String(stream), ...entries, "-of", "compact=p=0"]);
};

/** The maximum number of listed frames: a day at 120 frames a second. */
const mostFrames = 11_000_000;

export type PacketReader = {
  /** Takes ffprobe's output in pieces of any size. Throws TaskError `capability` for too many frames. */
  readonly feed: (text: string) => void;
  /** The result after the last piece. Throws TaskError `source` if frames have no times. */
  readonly listing: (question: FrameQuestion) => FrameListing;
  /** Packets so far. */
  readonly count: () => number;
};

/** Parses ffprobe's list of packets. `what` names the file in messages. */
export const createPacketReader = (what: string): PacketReader => {
  // In file order; packets hidden by an edit list are omitted.
  const stamps: number[] = [];
  const keys: number[] = [];
  let [rest, duration, timeless] = ["", 0, 0];
  let timeBase: Rational | undefined;
  const take = (line: string): void => {
    if (line.startsWith("time_base=")) timeBase = parseRational(/^time_base=([\d/]+)/.exec(line)?.[1]);
    const [, pts, lasts, flags = ""] = /^pts=(-?\d+|N\/A)\|duration=(\d+|N\/A)\|flags=(\S*)/.exec(line) ?? [];
    if (pts === undefined || flags.includes("D")) return;
    if (pts === "N/A") timeless += 1;
    if (flags.includes("K")) keys.push(stamps.length);
    stamps.push(Number(pts));
    duration = Number(lasts) || duration;
    if (stamps.length > mostFrames) throw capabilityError(`${what} has too many frames to count`);
  };
  return {
    feed: (text) => {
      const lines = (rest + text).split("\n");
      rest = (lines.pop() ?? "").slice(-4096);
      for (const line of lines) take(line);
    },
    count: () => stamps.length,
    listing: ({ stream, zero, at }) => {
      take(rest);
      const base = timeBase;
      if (!base || stamps.length === 0) throw sourceError(`${what} has no frames to list`);
      if (timeless > 0) throw sourceError(`${what}: its frames have no timestamps and cannot be counted`);
      const groups = groupsOf(stamps, keys);
      const times = shownFrom(stamps, zero, base);
      const timeOf = (frame: number) => {
        const last = times.at(-1) ?? 0;
        const stamp = times[frame] ?? last + (duration || last - (times.at(-2) ?? last));
        return subtract(multiply(ratio(stamp), base), zero);
      };
      return { stream, zero, frames: times.length, times: at.map((frame) => [frame, timeOf(frame)]), groups };
    },
  };
};

/** Time stamps in display order, from zero on; up to half a tick before it still counts as zero. */
const shownFrom = (stamps: readonly number[], zero: Rational, timeBase: Rational): Float64Array => {
  const first = round(multiply(zero, invert(timeBase)));
  return Float64Array.from(stamps)
    .sort()
    .filter((stamp) => stamp >= first);
};

const groupsOf = (stamps: readonly number[], keys: readonly number[]): GroupFacts => {
  const leading = new Set(keys.map((key) => stamps[key] ?? 0));
  const places: number[] = [];
  for (const [place, stamp] of Float64Array.from(stamps).sort().entries())
    if (leading.delete(stamp)) places.push(place);
  const lengths = places.slice(1).map((place, at) => place - (places[at] ?? 0));
  let [shortest, longest] = [Number.POSITIVE_INFINITY, 0];
  for (const length of lengths) [shortest, longest] = [Math.min(shortest, length), Math.max(longest, length)];
  return {
    keyframes: keys.length,
    ...(lengths.length > 0 && { shortest, longest }),
    isClosed: keys.every((key, at) => !hasEarlier(stamps, key, keys[at + 1] ?? stamps.length)),
    hasBFrames: stamps.some((stamp, at) => stamp < (stamps[at - 1] ?? Number.NEGATIVE_INFINITY)),
  };
};

/** Whether some picture of a group is shown before its leading key frame. */
const hasEarlier = (stamps: readonly number[], key: number, end: number): boolean => {
  for (let at = key + 1; at < end; at += 1) if ((stamps[at] ?? 0) < (stamps[key] ?? 0)) return true;
  return false;
};
