import fc from "fast-check";

/** Set by `npm run long`. */
export const isLong = process.env.MEDIAFARM_LONG === "1";

/** How often something is tried: by the thousand in `npm test`, by the million in `npm run long`. */
export const times = (usual: number, long: number): number => (isLong ? long : usual);

/** Repeats a run whose seed was printed. */
const seed = Number(process.env.MEDIAFARM_SEED ?? Math.floor(Math.random() * 2 ** 31));

/** Tries a property so many times; where it does not hold, the failure names the seed and the smallest example. */
export const holds = async <T>(property: fc.IProperty<T> | fc.IAsyncProperty<T>, numRuns: number): Promise<void> => {
  if (isLong) console.log(`${numRuns} cases, MEDIAFARM_SEED=${seed}`);
  await fc.assert(property, { numRuns, seed });
};
