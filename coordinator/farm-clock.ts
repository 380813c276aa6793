import type { Clock } from "../shared/clock.ts";

/** The machine's clock with the farm's own time beside it. */
export type FarmClock = Clock & {
  /**
   * The farm's time in milliseconds: what is due is stored and compared in it. It runs as the monotonic clock does and goes on
   * over restarts, so that a machine whose clock is set neither shortens nor lengthens what waits. It equals the time since
   * 1970 only as long as the machine's clock never jumped: people are shown `wallOf` it.
   */
  steady(): number;
  /** When that moment of the farm's time is, or was, on the clock that people read. */
  wallOf(steady: number): number;
  /** What is to be stored now, so that the next start goes on from here; undefined as long as what is stored will do. */
  unkept(): TimeMark | undefined;
};

/** The two times at one moment. */
export type TimeMark = { readonly steady: number; readonly wall: number };

/** Beyond this the machine's clock was set, and does not merely go a little wrong. */
const jumpMs = 1000;
/** So much of what waits may be forgotten where the machine's clock is set back between two lives of the coordinator. */
const keepEveryMs = 60_000;

/** Goes on from the mark: the time in between counts as the machine's clock tells it, but never backwards. */
export const createFarmClock = (clock: Clock, last?: TimeMark): FarmClock => {
  const begin = last ? last.steady + Math.max(0, clock.now() - last.wall) : clock.now();
  const began = clock.monotonic();
  let kept: TimeMark | undefined;

  const steady = (): number => Math.floor(begin + clock.monotonic() - began);
  const wallOf = (moment: number): number => moment + clock.now() - steady();
  const isStale = ({ steady: then, wall }: TimeMark): boolean => {
    const passed = steady() - then;
    return passed >= keepEveryMs || Math.abs(clock.now() - wall - passed) >= jumpMs;
  };

  return {
    ...clock,
    steady,
    wallOf,
    unkept: () => {
      if (kept && !isStale(kept)) return undefined;
      kept = { steady: steady(), wall: clock.now() };
      return kept;
    },
  };
};
