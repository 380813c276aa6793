/** Tags that no node provides: a task that carries one waits, and fails in the end. */
export type UnknownTag = { readonly tag: string; readonly like: string | undefined };

/** Those of the wanted tags that nobody provides, each with the provided one that it may be a slip of. */
export const unknownTags = (wanted: readonly string[], provided: ReadonlySet<string>): readonly UnknownTag[] =>
  [...new Set(wanted)]
    .filter((tag) => !provided.has(tag))
    .map((tag) => ({ tag, like: [...provided].sort().find((each) => isSlipOf(tag, each)) }));

const longest = 100;

/** Equal but for case and signs between words, or for one letter that is wrong, missing, too many, or two exchanged. */
const isSlipOf = (a: string, b: string): boolean => {
  if (a.length > longest || b.length > longest) return false;
  const [x, y] = [a, b].map((text) => text.toLowerCase().replaceAll(/[\s_.-]+/g, ""));
  if (x === undefined || y === undefined || x === "" || y === "") return false;
  if (x === y) return true;
  if (Math.min(x.length, y.length) < 3) return false;
  let from = 0;
  while (from < x.length && x[from] === y[from]) from += 1;
  const [restX, restY] = [x.slice(from), y.slice(from)];
  const isSame = (one: string, other: string) => one === other;
  return (
    isSame(restX.slice(1), restY) ||
    isSame(restX, restY.slice(1)) ||
    isSame(restX.slice(1), restY.slice(1)) ||
    (restX[0] === restY[1] && restX[1] === restY[0] && isSame(restX.slice(2), restY.slice(2)))
  );
};
