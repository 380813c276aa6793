import type { Clock } from "../../shared/basics/clock.ts";
import { AppError } from "../../shared/basics/errors.ts";
import { signInRefusals } from "../../shared/people/refusals.ts";

/** A code has six digits: whoever has the password, and many addresses, must not try them all. */
const mostWrong = 10;
const windowMs = 15 * 60_000;

/** Limits wrong codes of one person, from wherever they come. Passkeys and recovery codes still open. */
export const createWrongCodes = (clock: Clock) => {
  const wrong = new Map<number, { count: number; readonly since: number }>();
  return {
    /** Throws AppError TOO_MANY_ATTEMPTS. */
    requireFew: (id: number): void => {
      for (const [each, { since }] of wrong) if (clock.monotonic() - since >= windowMs) wrong.delete(each);
      if ((wrong.get(id)?.count ?? 0) < mostWrong) return;
      throw new AppError("TOO_MANY_ATTEMPTS", signInRefusals.manyWrongCodes);
    },
    note: (id: number): void => {
      const known = wrong.get(id) ?? { count: 0, since: clock.monotonic() };
      known.count += 1;
      wrong.set(id, known);
    },
    forget: (id: number): void => void wrong.delete(id),
  };
};
