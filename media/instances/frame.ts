import type { ElementRunState } from "../../shared/state/element-run.ts";
import type { Path } from "./path.ts";
import { isWithin, type Shape, stepInto } from "./shape.ts";

/** How something ended, as connections see it. */
export type Outcome = "succeeded" | "failed" | "skipped";

/** One run of a scope: its elements for one batch of its enumeration, or the elements that run once in the job. */
export type Frame = {
  readonly scope: string;
  readonly numbers: readonly number[];
  readonly path: Path;
  /** The frame that the enumeration ran in. */
  readonly above: Frame | undefined;
  /** Its share of its scope's effort. */
  readonly weight: number;
  /** Of its own elements. */
  readonly states: Map<string, ElementRunState>;
  /** Enumerations that succeeded and found nothing. */
  readonly empty: Map<string, true>;
  /** The messages of failed elements. */
  readonly messages: Map<string, string>;
  /** Connections that lead to its elements, by index. */
  readonly links: Map<number, Link>;
  /** The number of undecided connections of an element. */
  readonly waits: Map<string, number>;
  /** Elements for which a connection fired. */
  readonly fired: Map<string, true>;
  /** Decided enumerations that lead to something. */
  readonly batches: Map<string, Batches>;
  /** Failures of inner frames that an outer frame may still handle. */
  readonly carried: Map<string, Carried>;
  /** Its elements, and the enumerations among them, that have not ended. */
  left: number;
};

/** The state of a connection: how many of its sources are undecided. */
export type Link = { left: number; failed: boolean; succeeded: boolean };

/**
 * The result of an enumeration. One that failed, found nothing or was skipped has one run of its scope, without a
 * number.
 */
export type Batches = {
  readonly uid: string;
  readonly frame: Frame;
  readonly total: number;
  readonly isNumbered: boolean;
  /** Runs below it that were already opened. */
  next: number;
  /** Runs from there on that were already opened: a restart finds them. */
  readonly known: Map<number, true>;
  readonly open: Map<number, Frame>;
  closed: number;
  /** How many runs of an inner element have ended, and how. */
  readonly tallies: Map<string, Tally>;
};

/** `completed`: one of them completed, even if an enumeration found nothing. */
export type Tally = {
  readonly ended: number;
  readonly failed: boolean;
  readonly succeeded: boolean;
  readonly completed: boolean;
};

/** Failures of one element that wait for the same connections: their number, and the first of them. */
export type Carried = {
  readonly uid: string;
  readonly candidates: readonly number[];
  count: number;
  first: FirstFailure;
};

export type FirstFailure = { readonly uid: string; readonly numbers: readonly number[]; readonly message: string };

export const frameKey = ({ scope, path }: Pick<Frame, "scope" | "path">): string => `${path}:${scope}`;

/** How the element ended as seen from this frame: its own run, an outer one, or all inner runs together. */
export const standingOf = (shape: Shape, frame: Frame, uid: string): Outcome | undefined => {
  const scope = shape.scopeOf.get(uid) ?? "";
  const own = frameOf(shape, frame, scope);
  return own ? outcomeOf(own, uid) : talliedOutcome(shape, frame, uid, scope);
};

/** The frame of a scope that encloses this one. */
export const frameOf = ({ scopeOf }: Shape, frame: Frame, scope: string): Frame | undefined => {
  if (!isWithin(scopeOf, frame.scope, scope)) return undefined;
  let found = frame;
  while (found.scope !== scope && found.above) found = found.above;
  return found;
};

/** An enumeration that found nothing leads nowhere: connections see it as skipped. */
export const outcomeOf = ({ states, empty }: Frame, uid: string): Outcome | undefined => {
  const state = states.get(uid);
  if (state === "succeeded") return empty.has(uid) ? "skipped" : state;
  return state === "failed" || state === "skipped" ? state : undefined;
};

/** Whether the element completed, in this frame, an outer one, or in all of its inner runs. */
export const isCompleted = (shape: Shape, frame: Frame, uid: string): boolean => {
  const scope = shape.scopeOf.get(uid) ?? "";
  const own = frameOf(shape, frame, scope);
  if (own) return own.states.get(uid) === "succeeded";
  const tally = tallyOf(shape, frame, uid, scope);
  return tally?.completed === true && !tally.failed;
};

const talliedOutcome = (shape: Shape, frame: Frame, uid: string, scope: string): Outcome | undefined => {
  const tally = tallyOf(shape, frame, uid, scope);
  return tally && foldOf(tally);
};

/** Of all runs of the element in frames below this one, once all have ended. */
const tallyOf = ({ scopeOf }: Shape, frame: Frame, uid: string, scope: string): Tally | undefined => {
  const batches = frame.batches.get(stepInto(scopeOf, frame.scope, scope));
  const tally = batches?.tallies.get(uid);
  return tally?.ended === batches?.total ? tally : undefined;
};

/** Several together: failed if one failed, skipped if all were. */
export const foldOf = ({ failed, succeeded }: { readonly failed: boolean; readonly succeeded: boolean }): Outcome => {
  if (failed) return "failed";
  return succeeded ? "succeeded" : "skipped";
};
