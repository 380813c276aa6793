/**
 * Which batches an instance of an element belongs to: their numbers from the outer folder to the inner one, joined by dots.
 * Empty for an element that runs once in its job. Paths are kept beside uids; no name is ever taken apart to get at one.
 */
export type Path = string;

export const pathOf = (numbers: readonly number[]): Path => numbers.join(".");

/** The path of what runs for one batch of an instance at this path. */
export const pathInto = (path: Path, number: number): Path => (path === "" ? String(number) : `${path}.${number}`);

/** The name that stands for the uid wherever instances must be told apart: `uid#3`, `uid#3.0`. */
export const instanceName = (uid: string, path: Path): string => (path === "" ? uid : `${uid}#${path}`);

/** One text for an instance. A path has no colon, so two instances never share it. */
export const runKey = ({ uid, path }: { readonly uid: string; readonly path: Path }): string => `${path}:${uid}`;

const numbersOf = (path: Path): number[] => (path === "" ? [] : path.split(".").map(Number));

/** The order of batches. */
export const comparePaths = (a: Path, b: Path): number => {
  const [left, right] = [numbersOf(a), numbersOf(b)];
  for (const [index, number] of left.entries()) {
    const difference = number - (right[index] ?? Number.NEGATIVE_INFINITY);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
};

/** Whether the path is this one or lies below it. */
export const isPathBelow = (path: Path, above: Path): boolean =>
  above === "" || path === above || path.startsWith(`${above}.`);

/** The path itself and all that it lies below, down to the empty one. */
export const pathsAbove = (path: Path): Path[] =>
  path === "" ? [""] : [path, ...pathsAbove(path.includes(".") ? path.slice(0, path.lastIndexOf(".")) : "")];
