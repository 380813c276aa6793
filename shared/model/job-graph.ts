import { getOrInsert } from "../basics/get-or-insert.ts";

/** An edge of a job's graph: what starts when all that it comes from succeeded, and what starts when any failed. */
export type GraphConnection = {
  readonly from: readonly string[];
  readonly success: readonly string[];
  readonly error: readonly string[];
};

/**
 * The number of edges that connections stand for: one from each source to each target, and those that
 * `withErrorsOfSources` would add. Counted without making any.
 */
export const countEdges = (connections: readonly GraphConnection[], sources: ReadonlySet<string>): number => {
  const errorsFrom = countErrors(connections);
  return connections.reduce((sum, { from, success, error }) => {
    const isAdded = error.length === 0 && from.every((uid) => sources.has(uid));
    const added = isAdded ? success.reduce((more, uid) => more + (errorsFrom.get(uid) ?? 0), 0) : 0;
    return sum + Math.max(1, from.length) * (success.length + error.length + added);
  }, 0);
};

const countErrors = (connections: readonly GraphConnection[]): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  for (const { from, error } of connections) {
    for (const uid of from) counts.set(uid, (counts.get(uid) ?? 0) + error.length);
  }
  return counts;
};

/**
 * The connections with what follows when a source is missing: the error branches of the elements that it feeds, for which
 * reading their source is part of their work. A source with an error branch of its own keeps that one.
 */
export const withErrorsOfSources = (
  connections: readonly GraphConnection[],
  sources: ReadonlySet<string>,
): GraphConnection[] => {
  const branching = connections.filter(({ error }) => error.length > 0);
  const leaving = connectionsByEnd(branching, ({ from }) => from);
  return connections.map((each) => {
    if (each.error.length > 0 || !each.from.every((uid) => sources.has(uid))) return each;
    // In the order in which the job names them.
    const fed = [...new Set(each.success.flatMap((uid) => leaving.get(uid) ?? []))].sort((a, b) => a - b);
    return { ...each, error: [...new Set(fed.flatMap((index) => branching[index]?.error ?? []))] };
  });
};

/** The places of the connections that have an element among some of their ends. */
export const connectionsByEnd = (
  connections: readonly GraphConnection[],
  ends: (connection: GraphConnection) => readonly string[],
): ReadonlyMap<string, readonly number[]> => {
  const places = new Map<string, number[]>();
  for (const [index, connection] of connections.entries()) {
    for (const uid of new Set(ends(connection))) getOrInsert(places, uid, () => []).push(index);
  }
  return places;
};

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
  const path = new Set<string>();
  const stack: { uid: string; rest: string[] }[] = [{ uid: start, rest: [...(targets.get(start) ?? [])] }];
  path.add(start);
  while (stack.length > 0) {
    const top = stack.at(-1) as (typeof stack)[number]; // the loop runs only while there is one
    const uid = top.rest.pop();
    if (uid === undefined) {
      finished.add(top.uid);
      stack.pop();
      path.delete(top.uid);
      continue;
    }
    if (path.has(uid)) return [...[...path].slice([...path].indexOf(uid)), uid];
    if (finished.has(uid)) continue;
    path.add(uid);
    stack.push({ uid, rest: [...(targets.get(uid) ?? [])] });
  }
  return undefined;
};
