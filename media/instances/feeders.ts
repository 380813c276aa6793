import { type Frame, frameOf } from "./frame.ts";
import { frameAt } from "./graph.ts";
import type { Graph, Instance } from "./graph-state.ts";
import type { Path } from "./path.ts";
import { fires } from "./propagate-outcome.ts";

/** A source of the assets that flow into an instance. */
export type Feeder =
  | { readonly from: "run"; readonly uid: string; readonly path: Path }
  /** One batch of an enumeration. */
  | { readonly from: "batch"; readonly uid: string; readonly path: Path; readonly number: number }
  /** All runs of an element below a path, in the order of their batches. */
  | { readonly from: "runs"; readonly uid: string; readonly below: Path };

/** Sources of the connections that fired for the instance, in their order. */
export const feedersOf = (graph: Graph, instance: Instance): Feeder[] => {
  const frame = frameAt(graph, instance);
  if (!frame) return [];
  const { incoming, connections } = graph.shape;
  const fired = (incoming.get(instance.uid) ?? []).filter((index) => fires(graph.shape, frame, index, instance.uid));
  const uids = new Set(fired.flatMap((index) => connections[index]?.from ?? []));
  return [...uids].flatMap((uid) => feederOf(graph, frame, uid) ?? []);
};

/** Every element that leads to the instance and runs in its frame or further out, the nearest first. */
export const ancestorsOf = (graph: Graph, instance: Instance): Instance[] => {
  const { shape } = graph;
  const frame = frameAt(graph, instance);
  const found = new Set<string>();
  for (let near = [instance.uid]; near.length > 0; ) {
    const before = near.flatMap((uid) => shape.incoming.get(uid) ?? []);
    near = [...new Set(before.flatMap((index) => shape.connections[index]?.from ?? []))].filter(
      (uid) => uid !== instance.uid && !found.has(uid),
    );
    for (const uid of near) found.add(uid);
  }
  return [...found].flatMap((uid) => {
    const own = frame && frameOf(shape, frame, shape.scopeOf.get(uid) ?? "");
    return own ? [{ uid, path: own.path }] : [];
  });
};

/** How the instance sees another element: its run in the same frame or further out, or all its runs further in. */
export const seenFrom = (graph: Graph, instance: Instance, uid: string): Feeder | undefined => {
  const frame = frameAt(graph, instance);
  return frame && feederOf(graph, frame, uid);
};

const feederOf = ({ shape }: Graph, frame: Frame, uid: string): Feeder | undefined => {
  const own = frameOf(shape, frame, shape.scopeOf.get(uid) ?? "");
  if (!own) return { from: "runs", uid, below: frame.path };
  const inside = shape.elements.get(uid)?.enumerates ? frameOf(shape, frame, uid) : undefined;
  if (!inside) return { from: "run", uid, path: own.path };
  const number = own.batches.get(uid)?.isNumbered ? inside.numbers.at(-1) : undefined;
  return number === undefined ? undefined : { from: "batch", uid, path: own.path, number };
};
