import { AppError } from "../../shared/basics/errors.ts";

type Line = { end: Promise<unknown>; waiting: number };

/**
 * Long work of one caller goes on one piece after the other, beside that of others. `most`: what may wait of one caller,
 * in whatever unit its pieces are weighed; more is refused with AppError TOO_MANY_ATTEMPTS.
 */
export const createLines = (most: number) => {
  const lines = new Map<string, Line>();
  return async <T>(caller: string, weight: number, work: () => Promise<T>): Promise<T> => {
    const line = lines.get(caller) ?? { end: Promise.resolve(), waiting: 0 };
    if (line.waiting > 0 && line.waiting + weight > most)
      throw new AppError("TOO_MANY_ATTEMPTS", "Too much of yours is under way already: wait for some of the answers");
    lines.set(caller, line);
    line.waiting += weight;
    const mine = line.end.then(work);
    line.end = mine.catch(() => undefined);
    try {
      return await mine;
    } finally {
      line.waiting -= weight;
      if (line.waiting === 0) lines.delete(caller);
    }
  };
};
