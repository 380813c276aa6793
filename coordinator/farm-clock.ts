import type { Clock } from "../shared/basics/clock.ts";

/** The machine's clock together with the farm's own time. */
export type FarmClock = Clock & {
  /**
   * The farm's time in milliseconds; due times are stored and compared in it. It follows the monotonic clock and
   * continues over restarts, so setting the machine's clock neither shortens nor lengthens waits. It equals Unix time
   * only as long as the machine's clock never jumped; people are shown `wallOf` it.
   */
  steady(): number;
  /** Milliseconds since this coordinator began. */
  up(): number;
  /** The wall-clock time of that moment of the farm's time. */
  wallOf(steady: number): number;
  /** Both times now. The next start continues from the stored pair. */
  mark(): TimeMark;
  /** The same if it must be stored now; undefined while the last stored one is good enough. */
  unkept(): TimeMark | undefined;
};

/** Both times at one moment. */
export type TimeMark = { readonly steady: number; readonly wall: number };

/** A larger difference means that the machine's clock was set, and did not just drift. */
const jumpMs = 1000;
/** This much waiting time may be lost if a power cut comes first and the clock is set back afterwards. */
const keepEveryMs = 300_000;

/** Continues from the mark. The time in between is measured by the machine's clock, but never runs backwards. */
export const createFarmClock = (clock: Clock, last?: TimeMark): FarmClock => {
  const begin = last ? last.steady + Math.max(0, clock.now() - last.wall) : clock.now();
  const began = clock.monotonic();
  let kept: TimeMark | undefined;

  const steady = (): number => Math.floor(begin + clock.monotonic() - began);
  const up = (): number => clock.monotonic() - began;
  const wallOf = (moment: number): number => moment + clock.now() - steady();
  const isStale = ({ steady: then, wall }: TimeMark): boolean => {
    const passed = steady() - then;
    return passed >= keepEveryMs || Math.abs(clock.now() - wall - passed) >= jumpMs;
  };

  const mark = (): TimeMark => ({ steady: steady(), wall: clock.now() });

  return {
    ...clock,
    steady,
    up,
    wallOf,
    mark,
    unkept: () => {
      if (kept && !isStale(kept)) return undefined;
      kept = mark();
      return kept;
    },
  };
};
