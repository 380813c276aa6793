import type { ElementRunState } from "./state/element-run.ts";

/** A job's graph while it runs: which elements may start, which never will. Pure; the store holds the truth. */
export type GraphConnection = {
  readonly from: readonly string[];
  readonly success: readonly string[];
  readonly error: readonly string[];
};

export type GraphElement = { readonly uid: string; readonly state: ElementRunState };

type Outcome = "undecided" | "success" | "error" | "skipped";

/** The elements that wait and can be decided now. Skipping spreads, so call it until both lists are empty. */
export const decide = (
  elements: readonly GraphElement[],
  connections: readonly GraphConnection[],
): { readonly start: string[]; readonly skip: string[] } => {
  const states = new Map(elements.map(({ uid, state }) => [uid, state]));
  const outcomes = connections.map((connection) => outcomeOf(connection, states));
  const start: string[] = [];
  const skip: string[] = [];
  for (const { uid, state } of elements) {
    if (state !== "waiting") continue;
    const incoming = connections.flatMap((connection, index) => pulls(connection, outcomes[index], uid));
    if (incoming.includes("undecided")) continue;
    (incoming.length === 0 || incoming.includes("fired") ? start : skip).push(uid);
  }
  return { start, skip };
};

/** A connection is decided when all it comes from ended or was skipped. */
const outcomeOf = ({ from }: GraphConnection, states: ReadonlyMap<string, ElementRunState>): Outcome => {
  const ends = from.map((uid) => states.get(uid));
  if (ends.some((state) => state === "waiting" || state === "planning" || state === "running")) return "undecided";
  if (ends.includes("failed")) return "error";
  return ends.includes("succeeded") ? "success" : "skipped";
};

const pulls = (connection: GraphConnection, outcome: Outcome | undefined, uid: string): string[] => {
  const inSuccess = connection.success.includes(uid);
  const inError = connection.error.includes(uid);
  if (!inSuccess && !inError) return [];
  if (outcome === "undecided") return ["undecided"];
  return [(inSuccess && outcome === "success") || (inError && outcome === "error") ? "fired" : "passed"];
};

/** A failed element is handled when one of its error sets ran to completion. */
export const isHandled = (
  uid: string,
  elements: readonly GraphElement[],
  connections: readonly GraphConnection[],
): boolean => {
  const states = new Map(elements.map((element) => [element.uid, element.state]));
  return connections.some(
    ({ from, error }) =>
      from.includes(uid) && error.length > 0 && error.every((target) => states.get(target) === "succeeded"),
  );
};

/** Elements whose outputs flow into `uid`: the sources of connections that fired for it. */
export const feedersOf = (
  uid: string,
  elements: readonly GraphElement[],
  connections: readonly GraphConnection[],
): string[] => {
  const states = new Map(elements.map((element) => [element.uid, element.state]));
  const fired = connections.filter((each) => pulls(each, outcomeOf(each, states), uid).includes("fired"));
  return [...new Set(fired.flatMap(({ from }) => from))];
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
