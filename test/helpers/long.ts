import fc from "fast-check";

const levels = ["quick", "ci", "long"] as const;
const given = process.env.MEDIAFARM_TESTS ?? (process.env.MEDIAFARM_LONG === "1" ? "long" : "quick");
const level = levels.find((each) => each === given);
if (!level) throw new Error(`MEDIAFARM_TESTS is one of ${levels.join(", ")}, not "${given}"`);

/** Everything is tried: `npm run long`. */
export const isLong = level === "long";

/** More than one case for each promise is tried: in `.ci/run` and in `npm run long`. */
export const inCi = level !== "quick";

/** How often something is tried: in `npm run check` and `npm test`, in `.ci/run`, in `npm run long`. */
export const times = (quick: number, ci: number, long: number): number => ({ quick, ci, long })[level];

/** Which part of every matrix `.ci/run` tries: one further with each commit. */
export const turn = Number(process.env.MEDIAFARM_TURN ?? 0);

/** Of a matrix: the cases that are always tried, in `.ci/run` also one part of the others by the turn, and at last all. */
export const share = <const T>(
  all: readonly T[],
  isAlways: (each: T, at: number) => boolean,
  parts = 1,
): readonly T[] => all.filter((each, at) => isLong || isAlways(each, at) || (inCi && at % parts === turn % parts));

/** The first of cases that show the same; all of them in `.ci/run`. */
export const first = <const T>(all: readonly T[]): readonly T[] => share(all, (_, at) => at === 0);

/** How many hostile things a door is tried with: `MEDIAFARM_CASES`, a million at most, or so many in `.ci/run`. */
export const cases = (ci: number): number =>
  isLong ? Math.min(1_000_000, Number(process.env.MEDIAFARM_CASES ?? 1_000_000)) : times(Math.ceil(ci / 4), ci, ci);

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
