import type { ElementRunState } from "../state/element-run.ts";
import {
  type Batches,
  type Frame,
  foldOf,
  frameKey,
  type Link,
  type Outcome,
  outcomeOf,
  standingOf,
  type Tally,
} from "./frame.ts";
import { carry, judge } from "./handled.ts";
import { assign, type Journal, put, remove } from "./journal.ts";
import { type Path, pathOf, runKey } from "./path.ts";
import type { Shape } from "./shape.ts";

/** At most so many instances a job, and so many of them begun and not ended. */
export const instanceLimits = { inJob: 100_000, open: 1000 };

/** An instance of an element: one run of it. */
export type Instance = { readonly uid: string; readonly path: Path };

/**
 * A job's graph while it runs. Everything that is counted is kept with each move, so no question walks all elements or
 * instances. It changes by `moveRun` and `openNext` alone, and each change says how it is taken back.
 */
export type Graph = {
  readonly shape: Shape;
  readonly limits: typeof instanceLimits;
  readonly root: Frame;
  /** Those that are open. */
  readonly frames: Map<string, Frame>;
  readonly counts: Map<ElementRunState, number>;
  /** Instances whose connections are decided, by whether one fired. */
  readonly toSkip: Map<string, Instance>;
  readonly toStart: Map<string, Instance>;
  /** The same of those that belong to a batch. */
  readonly toStartInBatches: Map<string, Instance>;
  /** Enumerations with batches that were not opened. */
  readonly unopened: Map<Batches, true>;
  /** Instances of batches that are begun and not ended. */
  begun: number;
  /** Instances that batches stand for, opened or not. */
  instances: number;
  /** Effort of what succeeded, and of all that was not skipped. */
  done: number;
  total: number;
};

/** What a change needs: how it is taken back, and who hears of frames that have ended. */
export type Notes = { readonly undo: Journal; readonly closed: (frame: Frame) => void };

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
    ...{ shape, limits, root, frames: new Map([[frameKey(root), root]]), counts: new Map() },
    ...{ toSkip: new Map(), toStart: new Map(), toStartInBatches: new Map(), unopened: new Map() },
    ...{ begun: 0, instances: 0, done: 0 },
    total: [...shape.elements.values()].reduce((sum, { effort }) => sum + effort, 0),
  };
  enter(graph, root, notTakenBack);
  return graph;
};

const notTakenBack: Journal = () => undefined;

export const frameAt = ({ shape, frames }: Graph, { uid, path }: Instance): Frame | undefined =>
  frames.get(frameKey({ scope: shape.scopeOf.get(uid) ?? "", path }));

export const hasEnded = ({ root }: Graph): boolean => root.left === 0;

/** Follows the run of an instance into another state. Runs go forward only: a job that is retried gets a graph anew. */
export const moveRun = (graph: Graph, { uid, path, state, batches = 0, message }: Move, notes: Notes): void => {
  const frame = frameAt(graph, { uid, path });
  const before = frame?.states.get(uid);
  if (!frame || before === undefined || before === state) return;
  const { undo } = notes;
  put(undo, frame.states, uid, state);
  if (message !== undefined) put(undo, frame.messages, uid, message);
  leaveLists(graph, { uid, path }, undo);
  count(graph, frame, uid, before, state, undo);
  if (state === "succeeded" && batches === 0 && graph.shape.elements.get(uid)?.enumerates)
    put(undo, frame.empty, uid, true);
  if (isFinal(state)) end(graph, frame, uid, state === "succeeded" ? batches : 0, notes);
};

/** Whether the batches fit into what a job may have. */
export const hasRoomFor = ({ shape, limits, instances }: Graph, uid: string, batches: number): boolean =>
  instances + batches * (shape.members.get(uid)?.length ?? 0) <= limits.inJob;

/** The next instance to skip or to start, if there is one; `openNext` may bring more. */
export const nextToStart = ({ limits, toStart, toStartInBatches, begun }: Graph): Instance | undefined =>
  first(toStart) ?? (begun < limits.open ? first(toStartInBatches) : undefined);

export const nextToSkip = ({ toSkip }: Graph): Instance | undefined => first(toSkip);

/** Opens one more batch where nothing else can be started. False where there is none, or no room. */
export const openNext = (graph: Graph, { undo }: Notes): boolean => {
  if (graph.begun >= graph.limits.open || graph.toStartInBatches.size > 0) return false;
  const batches = last(graph.unopened);
  if (!batches) return false;
  openFrame(graph, batches, batches.next, undo);
  passOpened(graph, batches, batches.next + 1, undo);
  return true;
};

/** The next batch to open is the first from there on that was not opened. */
export const passOpened = (graph: Graph, batches: Batches, from: number, undo: Journal): void => {
  let next = from;
  for (; batches.known.has(next); next += 1) remove(undo, batches.known, next);
  assign(undo, batches, "next", next);
  if (next >= batches.total) remove(undo, graph.unopened, batches);
};

export const openFrame = (graph: Graph, batches: Batches, number: number, undo: Journal): Frame => {
  const { uid, frame: above, total, isNumbered } = batches;
  const numbers = isNumbered ? [...above.numbers, number] : above.numbers;
  const frame = frameFor(graph.shape, { scope: uid, numbers, above, weight: above.weight / total });
  put(undo, batches.open, number, frame);
  put(undo, graph.frames, frameKey(frame), frame);
  enter(graph, frame, undo);
  return frame;
};

const isFinal = (state: ElementRunState): boolean => state === "succeeded" || state === "failed" || state === "skipped";

const first = <K, V>(map: Map<K, V>): V | undefined => map.values().next().value;

/** The innermost enumeration that was decided last: what was begun comes to its end before more is begun. */
const last = (map: Map<Batches, true>): Batches | undefined => [...map.keys()].at(-1);

const frameFor = (
  { members }: Shape,
  { scope, numbers, above, weight }: Pick<Frame, "scope" | "numbers" | "above" | "weight">,
): Frame => {
  const own = members.get(scope) ?? [];
  return {
    ...{ scope, numbers, path: pathOf(numbers), above, weight },
    ...{ states: new Map(own.map((uid) => [uid, "waiting"])), empty: new Map(), messages: new Map() },
    ...{
      links: new Map(),
      waits: new Map(),
      fired: new Map(),
      batches: new Map(),
      carried: new Map(),
      left: own.length,
    },
  };
};

/** Looks at all connections of a frame that was opened: what lies further out may be decided already. */
const enter = (graph: Graph, frame: Frame, undo: Journal): void => {
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

export const fires = ({ connections }: Shape, { links }: Frame, index: number, uid: string): boolean => {
  const [link, connection] = [links.get(index), connections[index]];
  if (!link || !connection || link.left > 0) return false;
  const outcome = foldOf(link);
  if (outcome === "failed") return connection.error.includes(uid);
  return outcome === "succeeded" && connection.success.includes(uid);
};

/** All connections of the element are decided. One that moved on already was found so by a restart. */
const decide = (graph: Graph, frame: Frame, uid: string, undo: Journal): void => {
  if (frame.states.get(uid) !== "waiting") return;
  const instance = { uid, path: frame.path };
  const started = frame.above ? graph.toStartInBatches : graph.toStart;
  put(undo, frame.fired.has(uid) ? started : graph.toSkip, runKey(instance), instance);
};

const leaveLists = ({ toSkip, toStart, toStartInBatches }: Graph, instance: Instance, undo: Journal): void => {
  for (const list of [toSkip, toStart, toStartInBatches]) remove(undo, list, runKey(instance));
};

const count = (
  graph: Graph,
  { above, weight }: Frame,
  uid: string,
  before: ElementRunState | undefined,
  after: ElementRunState,
  undo: Journal,
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

/** The element of this frame has ended: who waits for it is told, further in and further out too. */
const end = (graph: Graph, frame: Frame, uid: string, found: number, notes: Notes): void => {
  const { shape } = graph;
  const batches = shape.members.has(uid) ? batchesFor(graph, frame, uid, found, notes.undo) : undefined;
  const outcome = outcomeOf(frame, uid);
  if (outcome) {
    tell(graph, frame, uid, outcome, notes.undo);
    tellInside(graph, frame, uid, outcome, notes.undo);
    const completed = frame.states.get(uid) === "succeeded";
    const ended = { failed: outcome === "failed", succeeded: outcome === "succeeded", completed };
    tellOutside(graph, frame, uid, ended, notes.undo);
  }
  if (batches) put(notes.undo, graph.unopened, batches, true);
  else leave(graph, frame, notes);
};

const batchesFor = (graph: Graph, frame: Frame, uid: string, found: number, undo: Journal): Batches => {
  const batches: Batches = {
    ...{ uid, frame, total: Math.max(1, found), isNumbered: found > 0, next: 0, known: new Map() },
    ...{ open: new Map(), closed: 0, tallies: new Map() },
  };
  put(undo, frame.batches, uid, batches);
  assign(undo, graph, "instances", graph.instances + found * (graph.shape.members.get(uid)?.length ?? 0));
  return batches;
};

/** Decides connections of the frame's own elements, as far as they come from this one. */
const tell = (graph: Graph, frame: Frame, uid: string, outcome: Outcome, undo: Journal): void => {
  for (const index of graph.shape.outgoing.get(uid) ?? []) {
    const link = frame.links.get(index);
    if (!link) continue;
    if (outcome === "failed") assign(undo, link, "failed", true);
    if (outcome === "succeeded") assign(undo, link, "succeeded", true);
    assign(undo, link, "left", link.left - 1);
    if (link.left === 0) tellTargets(graph, frame, index, undo);
  }
};

const tellTargets = (graph: Graph, frame: Frame, index: number, undo: Journal): void => {
  const { success = [], error = [] } = graph.shape.connections[index] ?? {};
  for (const target of new Set([...success, ...error])) {
    const waits = frame.waits.get(target);
    if (waits === undefined) continue;
    put(undo, frame.waits, target, waits - 1);
    if (fires(graph.shape, frame, index, target)) put(undo, frame.fired, target, true);
    if (waits === 1) decide(graph, frame, target, undo);
  }
};

const tellInside = (graph: Graph, frame: Frame, uid: string, outcome: Outcome, undo: Journal): void => {
  for (const scope of graph.shape.leadsInto.get(uid) ?? []) {
    for (const inner of frame.batches.get(scope)?.open.values() ?? []) {
      tell(graph, inner, uid, outcome, undo);
      tellInside(graph, inner, uid, outcome, undo);
    }
  }
};

/** Counts how far all runs of the element have ended; once all have, a gathering further out can go on. */
const tellOutside = (graph: Graph, frame: Frame, uid: string, ended: Omit<Tally, "ended">, undo: Journal): void => {
  const { scope, above } = frame;
  const batches = above?.batches.get(scope);
  if (!above || !batches || !graph.shape.counted.has(uid)) return;
  const before = batches.tallies.get(uid);
  const after = {
    ended: (before?.ended ?? 0) + 1,
    failed: ended.failed || before?.failed === true,
    succeeded: ended.succeeded || before?.succeeded === true,
    completed: ended.completed || before?.completed === true,
  };
  put(undo, batches.tallies, uid, after);
  if (after.ended < batches.total) return;
  tell(graph, above, uid, foldOf(after), undo);
  tellOutside(graph, above, uid, after, undo);
};

/** One less to wait for; a frame that nothing is left of closes. */
const leave = (graph: Graph, frame: Frame, notes: Notes): void => {
  const { undo } = notes;
  assign(undo, frame, "left", frame.left - 1);
  const batches = frame.above?.batches.get(frame.scope);
  if (frame.left > 0 || !frame.above || !batches) return;
  for (const each of judge(graph.shape, frame)) carry(graph.shape, frame.above, each, undo);
  remove(undo, graph.frames, frameKey(frame));
  remove(undo, batches.open, batches.isNumbered ? (frame.numbers.at(-1) ?? 0) : 0);
  assign(undo, batches, "closed", batches.closed + 1);
  notes.closed(frame);
  if (batches.closed === batches.total) leave(graph, frame.above, notes);
};
