import type { Clock } from "../../shared/basics/clock.ts";
import { AppError } from "../../shared/basics/errors.ts";

export type Resting = {
  readonly clock: Pick<Clock, "monotonic" | "after">;
  readonly times: number;
  /** Whether there is anybody for whom to rest; without it, there always is. */
  readonly isNeeded?: () => boolean;
};

/** Waits so many times as long as it is since `begun`, by the monotonic clock: others have the loop meanwhile. */
export const restFrom = async (begun: number, { clock, times }: Resting): Promise<void> => {
  const took = clock.monotonic() - begun;
  if (took > 0) await new Promise<void>((resolve) => clock.after(took * times, resolve));
};

type Line = { end: Promise<unknown>; waiting: number };

/**
 * Long work of one caller goes on one piece after the other, beside that of others. `most`: what may wait of one caller,
 * in whatever unit its pieces are weighed; more is refused with AppError TOO_MANY_ATTEMPTS. With `resting`, the
 * next piece waits for so many times as long as the one before took: others have the loop meanwhile.
 */
export const createLines = (most: number, resting?: Resting) => {
  const lines = new Map<string, Line>();
  return async <T>(caller: string, weight: number, work: () => Promise<T>): Promise<T> => {
    const line = lines.get(caller) ?? { end: Promise.resolve(), waiting: 0 };
    if (line.waiting > 0 && line.waiting + weight > most)
      throw new AppError("TOO_MANY_ATTEMPTS", "Too much of yours is under way already: wait for some of the answers");
    lines.set(caller, line);
    line.waiting += weight;
    let begun = 0;
    const mine = line.end.then(() => {
      begun = resting?.clock.monotonic() ?? 0;
      return work();
    });
    const rest = async (): Promise<void> => {
      if (resting && (resting.isNeeded?.() ?? true)) await restFrom(begun, resting);
    };
    line.end = mine.then(rest, rest);
    try {
      return await mine;
    } finally {
      line.waiting -= weight;
      if (line.waiting === 0) lines.delete(caller);
    }
  };
};
