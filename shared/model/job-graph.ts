/** An edge of a job's graph: what starts when all that it comes from succeeded, and what starts when any failed. */
export type GraphConnection = {
  readonly from: readonly string[];
  readonly success: readonly string[];
  readonly error: readonly string[];
};

/**
 * The connections with what follows when a source is missing: the error branches of the elements that it feeds, for which
 * reading their source is part of their work. A source with an error branch of its own keeps that one.
 */
export const withErrorsOfSources = (
  connections: readonly GraphConnection[],
  sources: ReadonlySet<string>,
): GraphConnection[] =>
  connections.map((each) => {
    if (each.error.length > 0 || !each.from.every((uid) => sources.has(uid))) return each;
    const fed = connections.filter(({ from }) => from.some((uid) => each.success.includes(uid)));
    return { ...each, error: [...new Set(fed.flatMap(({ error }) => error))] };
  });

/** The uids of one cycle, in order, or undefined. */
export const findCycle = (connections: readonly GraphConnection[]): string[] | undefined => {
  const targets = new Map<string, Set<string>>();
  for (const { from, success, error } of connections) {
    for (const uid of from) {
      const known = targets.get(uid) ?? new Set();
      for (const target of [...success, ...error]) known.add(target);
      targets.set(uid, known);
    }
  }
  const finished = new Set<string>();
  for (const start of targets.keys()) {
    const cycle = walk(start, targets, finished);
    if (cycle) return cycle;
  }
  return undefined;
};

/** Depth first without recursion: a chain of thousands of elements is legal. */
const walk = (start: string, targets: ReadonlyMap<string, ReadonlySet<string>>, finished: Set<string>) => {
  const path: string[] = [];
  const stack: { uid: string; rest: string[] }[] = [{ uid: start, rest: [...(targets.get(start) ?? [])] }];
  path.push(start);
  while (stack.length > 0) {
    const top = stack.at(-1) as (typeof stack)[number]; // the loop runs only while there is one
    const uid = top.rest.pop();
    if (uid === undefined) {
      finished.add(top.uid);
      stack.pop();
      path.pop();
      continue;
    }
    if (path.includes(uid)) return [...path.slice(path.indexOf(uid)), uid];
    if (finished.has(uid)) continue;
    path.push(uid);
    stack.push({ uid, rest: [...(targets.get(uid) ?? [])] });
  }
  return undefined;
};
