import type { ElementRunState } from "../../shared/state/element-run.ts";
import { type Batches, type Frame, frameKey, type Link, outcomeOf, standingOf } from "./frame.ts";
import { type Graph, type Instance, instanceLimits } from "./graph-state.ts";
import { formatPath } from "./path.ts";
import { decide, fires, propagateInside, propagateOutcome, propagateOutside } from "./propagate-outcome.ts";
import { createQueue, dequeueWhile, head } from "./queue.ts";
import type { Shape } from "./shape.ts";
import { assign, put, remove, type UndoLog } from "./undo-log.ts";
import { carry, findUnhandledFailures } from "./unhandled-failures.ts";

/** The recipients of a change: its undo, and the frames that it closes. */
export type MoveHooks = { readonly undo: UndoLog; readonly closed: (frame: Frame) => void };

export type Move = Instance & {
  readonly state: ElementRunState;
  /** Of an enumeration that succeeded. */
  readonly batches?: number | undefined;
  /** Of a failure. */
  readonly message?: string | undefined;
};

export const createGraph = (shape: Shape, limits = instanceLimits): Graph => {
  const root = frameFor(shape, { scope: "", numbers: [], above: undefined, weight: 1 });
  const graph: Graph = {
    shape,
    limits,
    root,
    frames: new Map([[frameKey(root), root]]),
    counts: new Map(),
    toSkip: createQueue(),
    toStart: createQueue(),
    toStartInBatches: createQueue(),
    unopened: new Map(),
    begun: 0,
    instances: 0,
    done: 0,
    total: [...shape.elements.values()].reduce((sum, { effort }) => sum + effort, 0),
  };
  enter(graph, root, notTakenBack);
  return graph;
};

const notTakenBack: UndoLog = () => undefined;

export const frameAt = ({ shape, frames }: Graph, { uid, path }: Instance): Frame | undefined =>
  frames.get(frameKey({ scope: shape.scopeOf.get(uid) ?? "", path }));

export const hasEnded = ({ root }: Graph): boolean => root.left === 0;

/** Moves an instance to another state. Runs only move forward: a retried job gets a new graph. */
export const moveRun = (graph: Graph, { uid, path, state, batches = 0, message }: Move, notes: MoveHooks): void => {
  const frame = frameAt(graph, { uid, path });
  const before = frame?.states.get(uid);
  if (!frame || before === undefined || before === state) return;
  const { undo } = notes;
  put(undo, frame.states, uid, state);
  if (message !== undefined) put(undo, frame.messages, uid, message);
  for (const queue of [graph.toSkip, graph.toStart, graph.toStartInBatches])
    dequeueWhile(undo, queue, (each) => frameAt(graph, each)?.states.get(each.uid) !== "waiting");
  count(graph, frame, uid, before, state, undo);
  if (state === "succeeded" && batches === 0 && graph.shape.elements.get(uid)?.enumerates)
    put(undo, frame.empty, uid, true);
  if (isFinal(state)) end(graph, frame, uid, state === "succeeded" ? batches : 0, notes);
};

/** Whether a job may have so many more batches. */
export const hasRoomFor = ({ shape, limits, instances }: Graph, uid: string, batches: number): boolean =>
  instances + batches * (shape.members.get(uid)?.length ?? 0) <= limits.inJob;

/** The next instance to start, if there is one; `openNext` may bring more. */
export const nextToStart = ({ limits, toStart, toStartInBatches, begun }: Graph): Instance | undefined =>
  head(toStart) ?? (begun < limits.open ? head(toStartInBatches) : undefined);

export const nextToSkip = ({ toSkip }: Graph): Instance | undefined => head(toSkip);

/** Opens one more batch if nothing else can start. False if there is none, or no room. */
export const openNext = (graph: Graph, { undo }: MoveHooks): boolean => {
  if (graph.begun >= graph.limits.open || head(graph.toStartInBatches)) return false;
  const batches = last(graph.unopened);
  if (!batches) return false;
  openFrame(graph, batches, batches.next, undo);
  passOpened(graph, batches, batches.next + 1, undo);
  return true;
};

/** The next batch to open is the first from there on that was not opened. */
export const passOpened = (graph: Graph, batches: Batches, from: number, undo: UndoLog): void => {
  let next = from;
  for (; batches.known.has(next); next += 1) remove(undo, batches.known, next);
  assign(undo, batches, "next", next);
  if (next >= batches.total) remove(undo, graph.unopened, batches);
};

export const openFrame = (graph: Graph, batches: Batches, number: number, undo: UndoLog): Frame => {
  const { uid, frame: above, total, isNumbered } = batches;
  const numbers = isNumbered ? [...above.numbers, number] : above.numbers;
  const frame = frameFor(graph.shape, { scope: uid, numbers, above, weight: above.weight / total });
  put(undo, batches.open, number, frame);
  put(undo, graph.frames, frameKey(frame), frame);
  enter(graph, frame, undo);
  return frame;
};

const isFinal = (state: ElementRunState): boolean => state === "succeeded" || state === "failed" || state === "skipped";

/** The enumeration that was decided last, which is the innermost: open batches end before others begin. */
const last = (map: Map<Batches, true>): Batches | undefined => [...map.keys()].at(-1);

const frameFor = (
  { members }: Shape,
  { scope, numbers, above, weight }: Pick<Frame, "scope" | "numbers" | "above" | "weight">,
): Frame => {
  const own = members.get(scope) ?? [];
  return {
    scope,
    numbers,
    path: formatPath(numbers),
    above,
    weight,
    states: new Map(own.map((uid) => [uid, "waiting"])),
    empty: new Map(),
    messages: new Map(),
    links: new Map(),
    waits: new Map(),
    fired: new Map(),
    batches: new Map(),
    carried: new Map(),
    left: own.length,
  };
};

/** Evaluates all connections of a newly opened frame: outer elements may have ended already. */
const enter = (graph: Graph, frame: Frame, undo: UndoLog): void => {
  const { shape } = graph;
  for (const index of shape.entering.get(frame.scope) ?? []) {
    const link: Link = { left: 0, failed: false, succeeded: false };
    for (const uid of new Set(shape.connections[index]?.from)) {
      const outcome = standingOf(shape, frame, uid);
      link.left += outcome === undefined ? 1 : 0;
      link.failed ||= outcome === "failed";
      link.succeeded ||= outcome === "succeeded";
    }
    frame.links.set(index, link);
  }
  for (const uid of frame.states.keys()) {
    count(graph, frame, uid, undefined, "waiting", undo);
    const incoming = shape.incoming.get(uid) ?? [];
    const undecided = incoming.filter((index) => frame.links.get(index)?.left !== 0);
    frame.waits.set(uid, undecided.length);
    if (incoming.length === 0 || incoming.some((index) => fires(shape, frame, index, uid))) frame.fired.set(uid, true);
    if (undecided.length === 0) decide(graph, frame, uid, undo);
  }
};

const count = (
  graph: Graph,
  { above, weight }: Frame,
  uid: string,
  before: ElementRunState | undefined,
  after: ElementRunState,
  undo: UndoLog,
): void => {
  const { counts, shape } = graph;
  if (before) put(undo, counts, before, (counts.get(before) ?? 0) - 1);
  put(undo, counts, after, (counts.get(after) ?? 0) + 1);
  const effort = (shape.elements.get(uid)?.effort ?? 0) * weight;
  if (after === "succeeded") assign(undo, graph, "done", graph.done + effort);
  if (after === "skipped") assign(undo, graph, "total", graph.total - effort);
  if (above) assign(undo, graph, "begun", graph.begun + Number(isBegun(after)) - Number(isBegun(before)));
};

const isBegun = (state: ElementRunState | undefined): boolean => state === "planning" || state === "running";

/** Ends an element of this frame: decides connections in the frame, and in inner and outer ones. */
const end = (graph: Graph, frame: Frame, uid: string, found: number, notes: MoveHooks): void => {
  const { shape } = graph;
  const batches = shape.members.has(uid) ? batchesFor(graph, frame, uid, found, notes.undo) : undefined;
  const outcome = outcomeOf(frame, uid);
  if (outcome) {
    propagateOutcome(graph, frame, uid, outcome, notes.undo);
    propagateInside(graph, frame, uid, outcome, notes.undo);
    const completed = frame.states.get(uid) === "succeeded";
    const ended = { failed: outcome === "failed", succeeded: outcome === "succeeded", completed };
    propagateOutside(graph, frame, uid, ended, notes.undo);
  }
  if (batches) put(notes.undo, graph.unopened, batches, true);
  else leave(graph, frame, notes);
};

const batchesFor = (graph: Graph, frame: Frame, uid: string, found: number, undo: UndoLog): Batches => {
  const batches: Batches = {
    uid,
    frame,
    total: Math.max(1, found),
    isNumbered: found > 0,
    next: 0,
    known: new Map(),
    open: new Map(),
    closed: 0,
    tallies: new Map(),
  };
  put(undo, frame.batches, uid, batches);
  assign(undo, graph, "instances", graph.instances + found * (graph.shape.members.get(uid)?.length ?? 0));
  return batches;
};

/** Counts down the open elements of a frame, and closes the frame after the last one. */
const leave = (graph: Graph, frame: Frame, notes: MoveHooks): void => {
  const { undo } = notes;
  assign(undo, frame, "left", frame.left - 1);
  const batches = frame.above?.batches.get(frame.scope);
  if (frame.left > 0 || !frame.above || !batches) return;
  for (const each of findUnhandledFailures(graph.shape, frame)) carry(graph.shape, frame.above, each, undo);
  remove(undo, graph.frames, frameKey(frame));
  remove(undo, batches.open, batches.isNumbered ? (frame.numbers.at(-1) ?? 0) : 0);
  assign(undo, batches, "closed", batches.closed + 1);
  notes.closed(frame);
  if (batches.closed === batches.total) leave(graph, frame.above, notes);
};
