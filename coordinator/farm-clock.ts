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
  /** Both times now. Stored, they are what the next start goes on from. */
  mark(): TimeMark;
  /** The same, where it has to be stored now; undefined as long as what was given last will do. */
  unkept(): TimeMark | undefined;
};

/** The two times at one moment. */
export type TimeMark = { readonly steady: number; readonly wall: number };

/** Beyond this the machine's clock was set, and does not merely go a little wrong. */
const jumpMs = 1000;
/** So much of what was waited for may be forgotten where a power cut comes first and the clock is set back after it. */
const keepEveryMs = 300_000;

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

  const mark = (): TimeMark => ({ steady: steady(), wall: clock.now() });

  return {
    ...clock,
    steady,
    wallOf,
    mark,
    unkept: () => {
      if (kept && !isStale(kept)) return undefined;
      kept = mark();
      return kept;
    },
  };
};
