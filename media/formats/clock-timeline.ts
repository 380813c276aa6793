import type { Stamp } from "./clock-stamps.ts";

/**
 * One timeline out of the stamps of a transport or program stream, whose clock may jump and starts again at zero after
 * 26.5 hours. It is put together as ffmpeg does it, so that both mean the same by a time.
 */
export type ClockTimeline = {
  /** How often the clock jumps. */
  readonly jumps: number;
  /** Seconds from one picture that decoding may begin with to the next; undefined if no picture shows it. */
  readonly longestGroup?: number;
  /** Of each stream by its id, in seconds: how long it lasts, without jumps, and its number of units. */
  readonly streams: ReadonlyMap<number, { readonly start: number; readonly end: number; readonly units: number }>;
};

export type ClockFollower = {
  readonly see: (stamp: Stamp) => void;
  readonly timeline: () => ClockTimeline;
};

const ticksPerSecond = 90_000;
const wrap = 2 ** 33;
/** A stamp that is so much before the first one comes after the end of the count. */
const wrapMargin = 60 * ticksPerSecond;
/** ffmpeg's limits: a longer way forward, or any longer way back, is a jump. */
const mostForward = 10 * ticksPerSecond;
const mostBack = ticksPerSecond / 10;

type Followed = {
  start: number;
  end: number;
  units: number;
  last: number;
  /** How long the last unit lasts, as far as its successor showed. */
  lasts: number;
  key?: number;
  longest?: number;
};

/** Follows these streams; the picture is the one whose groups count. */
export const createClockFollower = (ids: readonly number[], picture: number | undefined): ClockFollower => {
  const followed = new Map<number, Followed>();
  let [jumps, offset] = [0, 0];
  let first: number | undefined;

  const unwrapped = (ticks: number): number => {
    first ??= ticks;
    const isLate = first >= wrap - wrapMargin;
    if (isLate) return ticks >= first - wrapMargin ? ticks - wrap : ticks;
    return ticks < first - wrapMargin ? ticks + wrap : ticks;
  };

  /** Moves the clock on to where the stream goes on, if it jumps here. */
  const close = (stream: Followed | undefined, dts: number): void => {
    const due = stream ? stream.last + stream.lasts : latestOf(followed);
    if (due === undefined) return;
    const away = dts + offset - due;
    const others = latestOf(followed, stream);
    const isAlone = others !== undefined && Math.abs(dts + offset - others) <= mostForward;
    const isBack = stream !== undefined && dts + offset < stream.last - mostBack;
    if (!isBack && (Math.abs(away) <= mostForward || isAlone)) return;
    offset -= away;
    jumps += 1;
  };

  return {
    see: ({ id, pts, dts, isKey }) => {
      if (!ids.includes(id)) return;
      const decoded = unwrapped(dts);
      const stream = followed.get(id);
      close(stream, decoded);
      const shown = decoded + offset + shownAfter(pts, dts);
      const now = decoded + offset;
      const step = stream ? now - stream.last : 0;
      const lasts = step > 0 && step < ticksPerSecond ? step : (stream?.lasts ?? 0);
      const next: Followed = {
        ...{ start: Math.min(stream?.start ?? shown, shown), end: Math.max(stream?.end ?? 0, shown + lasts) },
        ...{ units: (stream?.units ?? 0) + 1, last: now, lasts, key: stream?.key, longest: stream?.longest },
      };
      if (isKey) {
        if (next.key !== undefined) next.longest = Math.max(next.longest ?? 0, now - next.key);
        next.key = now;
      }
      followed.set(id, next);
    },
    timeline: () => {
      const film = picture === undefined ? undefined : followed.get(picture);
      const longest = film?.key === undefined ? undefined : Math.max(film.longest ?? 0, film.last - film.key);
      return {
        jumps,
        ...(longest !== undefined && { longestGroup: longest / ticksPerSecond }),
        streams: new Map(
          [...followed].map(([id, { start, end, units }]) => [
            id,
            { start: start / ticksPerSecond, end: end / ticksPerSecond, units },
          ]),
        ),
      };
    },
  };
};

const shownAfter = (pts: number, dts: number): number => {
  const after = (((pts - dts) % wrap) + wrap) % wrap;
  return after > wrap / 2 ? after - wrap : after;
};

const latestOf = (followed: ReadonlyMap<number, Followed>, except?: Followed): number | undefined => {
  const others = [...followed.values()].filter((each) => each !== except).map(({ last }) => last);
  return others.length > 0 ? Math.max(...others) : undefined;
};
