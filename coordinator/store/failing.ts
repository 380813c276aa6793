/** The same functions, at any depth. What their promises reject with goes through `told`, which gives what callers get. */
export const failing = <Part extends object>(part: Part, told: (problem: unknown) => unknown): Part =>
  Object.fromEntries(
    Object.entries(part).map(([name, each]: [string, unknown]) => [name, wrapped(each, told)]),
  ) as Part; // each of its parts takes and gives the same

const wrapped = (each: unknown, told: (problem: unknown) => unknown): unknown => {
  if (typeof each === "function") return answering(each as (...args: unknown[]) => unknown, told); // entries forget types
  return isPlain(each) ? failing(each, told) : each;
};

const isPlain = (each: unknown): each is object =>
  typeof each === "object" && each !== null && Object.getPrototypeOf(each) === Object.prototype;

const answering =
  (run: (...args: unknown[]) => unknown, told: (problem: unknown) => unknown) =>
  async (...args: unknown[]): Promise<unknown> => {
    try {
      return await run(...args);
    } catch (problem) {
      throw told(problem);
    }
  };
