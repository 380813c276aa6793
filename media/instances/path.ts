/**
 * The batches that an instance belongs to: their numbers from the outermost to the innermost, joined by dots. Empty for
 * an element that runs once in its job. Paths are stored beside uids, so no name is ever parsed.
 */
export type Path = string;

export const formatPath = (numbers: readonly number[]): Path => numbers.join(".");

/** The path of instances in one batch of an enumeration at this path. */
export const pathInto = (path: Path, number: number): Path => (path === "" ? String(number) : `${path}.${number}`);

/** The name of an instance where instances must be distinguished: `uid#3`, `uid#3.0`. */
export const instanceName = (uid: string, path: Path): string => (path === "" ? uid : `${uid}#${path}`);

/** A unique key of an instance: a path has no colon. */
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

/** The path itself and all paths above it, ending with the empty one. */
export const pathsAbove = (path: Path): Path[] =>
  path === "" ? [""] : [path, ...pathsAbove(path.includes(".") ? path.slice(0, path.lastIndexOf(".")) : "")];
