import type { ElementRunState } from "./state/element-run.ts";

/** The graph of a running job: which elements may start, and which never will. Pure; the store holds the truth. */
export type GraphConnection = {
  readonly from: readonly string[];
  readonly success: readonly string[];
  readonly error: readonly string[];
};

export type GraphElement = { readonly uid: string; readonly state: ElementRunState };

type Outcome = "undecided" | "success" | "error" | "skipped";

/** Waiting elements that can be decided now, and those that skipping spreads to. */
export const decide = (
  elements: readonly GraphElement[],
  connections: readonly GraphConnection[],
): { readonly start: string[]; readonly skip: string[] } => {
  let waiting = elements.filter(({ state }) => state === "waiting").map(({ uid }) => uid);
  if (waiting.length === 0) return { start: [], skip: [] };
  const states = new Map(elements.map(({ uid, state }) => [uid, state]));
  const incoming = incomingOf(connections);
  const start = new Set<string>();
  const skip = new Set<string>();
  for (let before = -1; before !== waiting.length; ) {
    before = waiting.length;
    waiting = waiting.filter((uid) => {
      const pulled = (incoming.get(uid) ?? []).map((connection) => pullOf(connection, states, uid));
      if (pulled.includes("undecided")) return true;
      const isFired = pulled.length === 0 || pulled.includes("fired");
      (isFired ? start : skip).add(uid);
      states.set(uid, isFired ? "planning" : "skipped");
      return false;
    });
  }
  return { start: [...start], skip: [...skip] };
};

const incomingOf = (connections: readonly GraphConnection[]): Map<string, GraphConnection[]> => {
  const incoming = new Map<string, GraphConnection[]>();
  for (const connection of connections) {
    for (const uid of new Set([...connection.success, ...connection.error])) {
      const known = incoming.get(uid);
      if (known) known.push(connection);
      else incoming.set(uid, [connection]);
    }
  }
  return incoming;
};

/** A connection is decided when all elements in its `from` have ended or were skipped. */
const outcomeOf = ({ from }: GraphConnection, states: ReadonlyMap<string, ElementRunState>): Outcome => {
  const ends = from.map((uid) => states.get(uid));
  if (ends.some((state) => state === "waiting" || state === "planning" || state === "running")) return "undecided";
  if (ends.includes("failed")) return "error";
  return ends.includes("succeeded") ? "success" : "skipped";
};

/** The result of a connection that names `uid`, for it. */
const pullOf = (
  connection: GraphConnection,
  states: ReadonlyMap<string, ElementRunState>,
  uid: string,
): "undecided" | "fired" | "passed" => {
  const outcome = outcomeOf(connection, states);
  if (outcome === "undecided") return "undecided";
  const isFired =
    (outcome === "success" && connection.success.includes(uid)) ||
    (outcome === "error" && connection.error.includes(uid));
  return isFired ? "fired" : "passed";
};

/** A failed element is handled if one of its error sets completed. */
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
  const incoming = connections.filter(({ success, error }) => success.includes(uid) || error.includes(uid));
  if (incoming.length === 0) return [];
  const states = new Map(elements.map((element) => [element.uid, element.state]));
  const fired = incoming.filter((each) => pullOf(each, states, uid) === "fired");
  return [...new Set(fired.flatMap(({ from }) => from))];
};

/** Every element that leads to `uid`, nearest first. */
export const ancestorsOf = (uid: string, connections: readonly GraphConnection[]): string[] => {
  const found = new Set<string>();
  for (let near = [uid]; near.length > 0; ) {
    const incoming = connections.filter(({ success, error }) =>
      near.some((each) => success.includes(each) || error.includes(each)),
    );
    near = [...new Set(incoming.flatMap(({ from }) => from))].filter((each) => each !== uid && !found.has(each));
    for (const each of near) found.add(each);
  }
  return [...found];
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
