/** Numbers that look random and are the same at each run: a linear congruential generator on 32 bits. */
export const randomFrom = (seed: number) => {
  let state = seed >>> 0;
  const next = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  return {
    /** From `low` to `high`, both included. */
    integer: (low: number, high: number): number => low + Math.floor(next() * (high - low + 1)),
    chance: (probability: number): boolean => next() < probability,
    one: <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)] as T, // the list is not empty
  };
};
