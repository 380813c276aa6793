import fc from "fast-check";

/** Set by `npm run long`. */
export const isLong = process.env.MEDIAFARM_LONG === "1";

/** How often something is tried: by the thousand in `npm test`, by the million in `npm run long`. */
export const times = (usual: number, long: number): number => (isLong ? long : usual);

/** How many hostile things a door is tried with: `MEDIAFARM_CASES`, a million at most, or as often as usual. */
export const cases = (usual: number): number =>
  isLong ? Math.min(1_000_000, Number(process.env.MEDIAFARM_CASES ?? 1_000_000)) : usual;

/** Repeats a run whose seed was printed. */
export const seed = Number(process.env.MEDIAFARM_SEED ?? Math.floor(Math.random() * 2 ** 31));

/** Tries a property so many times; where it does not hold, the failure names the seed and the smallest example. */
export const holds = async <T>(property: fc.IProperty<T> | fc.IAsyncProperty<T>, numRuns: number): Promise<void> => {
  if (isLong) console.log(`${numRuns} cases, MEDIAFARM_SEED=${seed}`);
  await fc.assert(property, { numRuns, seed });
};

/** The same for requests that are tried a hundred at a time, as many clients would send them. */
export const holdsInHundreds = <T>(
  each: fc.Arbitrary<T>,
  check: (tried: readonly T[]) => Promise<void>,
  cases: number,
): Promise<void> => {
  const hundred = fc.array(each, { minLength: 100, maxLength: 100 });
  if (isLong) console.log(`${cases} cases, a hundred at a time`);
  return holds(fc.asyncProperty(hundred, check), Math.ceil(cases / 100));
};
