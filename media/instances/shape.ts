import { getOrInsert } from "../../shared/basics/get-or-insert.ts";
import type { GraphConnection } from "../../shared/model/job-graph.ts";

/** An element, reduced to what its job's graph needs. */
export type ShapeElement = {
  readonly uid: string;
  /** Elements on its success connections run once for each batch that it finds. */
  readonly enumerates: boolean;
  /** Its share of the job's progress. */
  readonly effort: number;
};

/**
 * Everything derived from a job's definition alone. A *scope* is named after the enumeration whose batches it runs for;
 * the job itself is the scope "".
 */
export type Shape = {
  readonly connections: readonly GraphConnection[];
  readonly elements: ReadonlyMap<string, ShapeElement & { readonly position: number }>;
  /** Indexes of the connections to an element, and of those from it. */
  readonly incoming: ReadonlyMap<string, readonly number[]>;
  readonly outgoing: ReadonlyMap<string, readonly number[]>;
  /** Elements that are not listed run in the scope "". */
  readonly scopeOf: ReadonlyMap<string, string>;
  /** In the order of the definition. */
  readonly members: ReadonlyMap<string, readonly string[]>;
  /** Connections with a target in the scope. */
  readonly entering: ReadonlyMap<string, readonly number[]>;
  /** Enumerations whose scopes, or inner scopes, an element leads into from outside. */
  readonly leadsInto: ReadonlyMap<string, ReadonlySet<string>>;
  /** Elements whose instances are counted together in an outer frame: for a gathering, or for an error set. */
  readonly counted: ReadonlySet<string>;
};

/** Finds the scope of every element. There are no cycles, because parsing has checked. */
export const buildShape = (elements: readonly ShapeElement[], connections: readonly GraphConnection[]): Shape => {
  const byUid = new Map(elements.map((element, position) => [element.uid, { ...element, position }]));
  const incoming = indexed(connections, ({ success, error }) => [...success, ...error]);
  const outgoing = indexed(connections, ({ from }) => from);
  const isPlain = elements.every(({ enumerates }) => !enumerates);
  const scopeOf = isPlain ? new Map<string, string>() : scopesOf(byUid, connections, incoming);
  return {
    connections,
    elements: byUid,
    incoming,
    outgoing,
    scopeOf,
    members: Map.groupBy([...byUid.keys()], (uid) => scopeOf.get(uid) ?? ""),
    entering: indexed(connections, (connection) => targetsOf(connection).map((uid) => scopeOf.get(uid) ?? "")),
    leadsInto: isPlain ? new Map() : leadsIntoOf(connections, scopeOf),
    counted: isPlain ? new Set() : countedOf(connections, scopeOf),
  };
};

/** Whether the scope is this one or inside it. */
export const isWithin = (scopeOf: Shape["scopeOf"], scope: string, outer: string): boolean => {
  for (let each = scope; ; each = scopeOf.get(each) ?? "") {
    if (each === outer) return true;
    if (each === "") return false;
  }
};

/** The enumeration directly inside `outer` that leads to the scope, which is inside it. */
export const stepInto = (scopeOf: Shape["scopeOf"], outer: string, scope: string): string => {
  let inner = scope;
  for (let each = scope; each !== outer; each = scopeOf.get(each) ?? "") inner = each;
  return inner;
};

const targetsOf = ({ success, error }: GraphConnection): string[] => [...new Set([...success, ...error])];

const indexed = (
  connections: readonly GraphConnection[],
  keysOf: (connection: GraphConnection) => readonly string[],
): Map<string, number[]> => {
  const found = new Map<string, number[]>();
  for (const [index, connection] of connections.entries()) {
    for (const key of new Set(keysOf(connection))) getOrInsert(found, key, () => []).push(index);
  }
  return found;
};

const scopesOf = (
  elements: Shape["elements"],
  connections: readonly GraphConnection[],
  incoming: Shape["incoming"],
): Map<string, string> => {
  const scopeOf = new Map<string, string>();
  for (const uid of inOrder(elements, connections, incoming)) {
    const feeding = new Set<string>();
    for (const index of incoming.get(uid) ?? []) {
      const { from, success } = connections[index] as GraphConnection; // an index of this list
      const isSuccess = success.includes(uid);
      for (const each of from)
        feeding.add(isSuccess && elements.get(each)?.enumerates ? each : (scopeOf.get(each) ?? ""));
    }
    scopeOf.set(uid, commonScope(scopeOf, [...feeding]));
  }
  return scopeOf;
};

/** Each element after those that lead to it. */
const inOrder = (
  elements: Shape["elements"],
  connections: readonly GraphConnection[],
  incoming: Shape["incoming"],
): string[] => {
  const left = new Map<string, number>();
  const ready: string[] = [];
  for (const uid of elements.keys()) {
    const count = (incoming.get(uid) ?? []).reduce((sum, at) => sum + new Set(connections[at]?.from).size, 0);
    left.set(uid, count);
    if (count === 0) ready.push(uid);
  }
  const outgoing = indexed(connections, ({ from }) => from);
  for (const uid of ready) {
    for (const at of outgoing.get(uid) ?? []) {
      for (const target of targetsOf(connections[at] as GraphConnection)) {
        const rest = (left.get(target) ?? 0) - 1;
        left.set(target, rest);
        if (rest === 0) ready.push(target);
      }
    }
  }
  return ready;
};

/** The innermost scope if the others enclose it; else the deepest one that encloses all of them. */
const commonScope = (scopeOf: ReadonlyMap<string, string>, scopes: readonly string[]): string => {
  const innermost = scopes.filter(
    (scope) => !scopes.some((other) => other !== scope && isWithin(scopeOf, other, scope)),
  );
  let common = innermost[0] ?? "";
  while (!innermost.every((scope) => isWithin(scopeOf, scope, common))) common = scopeOf.get(common) ?? "";
  return common;
};

const leadsIntoOf = (connections: readonly GraphConnection[], scopeOf: Shape["scopeOf"]) => {
  const found = new Map<string, Set<string>>();
  for (const connection of connections) {
    for (const from of connection.from) {
      const outer = scopeOf.get(from) ?? "";
      const into = getOrInsert(found, from, () => new Set());
      for (const target of targetsOf(connection)) {
        const scope = scopeOf.get(target) ?? "";
        if (!isWithin(scopeOf, scope, outer)) continue;
        for (let each = scope; each !== outer; each = scopeOf.get(each) ?? "") into.add(each);
      }
    }
  }
  return found;
};

const countedOf = (connections: readonly GraphConnection[], scopeOf: Shape["scopeOf"]): Set<string> => {
  const counted = new Set<string>();
  const liesInside = (uid: string, other: string): boolean => {
    const [scope, outer] = [scopeOf.get(uid) ?? "", scopeOf.get(other) ?? ""];
    return scope !== outer && isWithin(scopeOf, scope, outer);
  };
  for (const connection of connections) {
    const targets = targetsOf(connection);
    for (const from of connection.from) if (targets.some((target) => liesInside(from, target))) counted.add(from);
    for (const target of connection.error)
      if (connection.from.some((from) => liesInside(target, from))) counted.add(target);
  }
  return counted;
};
