import { type Carried, type FirstFailure, type Frame, isCompleted, outcomeOf } from "./frame.ts";
import { isWithin, type Shape } from "./shape.ts";
import { assign, put, type UndoLog } from "./undo-log.ts";

/**
 * The failures of an ended frame that were not handled in it. A failure is handled if one of its error sets ran to
 * completion. Sets with members in outer frames remain candidates; without candidates a failure is final.
 */
export const findUnhandledFailures = (shape: Shape, frame: Frame): Carried[] => {
  const own = [...frame.states.keys()].flatMap((uid): Carried[] => {
    if (outcomeOf(frame, uid) !== "failed") return [];
    const first = { uid, numbers: frame.numbers, message: frame.messages.get(uid) ?? "failed" };
    return [{ uid, candidates: shape.outgoing.get(uid) ?? [], count: 1, first }];
  });
  return [
    ...own.flatMap((each) => stillOpen(each, (index) => verdictOf(shape, frame, index, isHere(shape, frame)))),
    // Inner failures were already checked for the failure's own batch.
    ...[...frame.carried.values()].flatMap((each) =>
      stillOpen(each, (index) => verdictOf(shape, frame, index, isOwn(shape, frame))),
    ),
  ];
};

type Verdict = "handled" | "open" | "missed";

const stillOpen = (failure: Carried, verdict: (index: number) => Verdict): Carried[] => {
  const candidates = failure.candidates.map((index) => [index, verdict(index)] as const);
  if (candidates.some(([, each]) => each === "handled")) return [];
  return [{ ...failure, candidates: candidates.flatMap(([index, each]) => (each === "open" ? [index] : [])) }];
};

/** Unhandled failures of the whole job, once it has ended: their number, and the first in the definition's order. */
export const unhandledOf = (shape: Shape, root: Frame): { readonly count: number; readonly first?: FirstFailure } => {
  const all = findUnhandledFailures(shape, root);
  const [first, ...others] = all.map((each) => each.first);
  return {
    count: all.reduce((sum, { count }) => sum + count, 0),
    ...(first && { first: others.reduce((least, each) => earlier(shape, least, each), first) }),
  };
};

/** Adds a failure to those that a frame carries. */
export const carry = (shape: Shape, frame: Frame, failure: Carried, undo: UndoLog): void => {
  const key = `${failure.uid} ${failure.candidates.join(" ")}`;
  const known = frame.carried.get(key);
  if (!known) {
    put(undo, frame.carried, key, { ...failure });
    return;
  }
  assign(undo, known, "count", known.count + failure.count);
  assign(undo, known, "first", earlier(shape, known.first, failure.first));
};

const verdictOf = (shape: Shape, frame: Frame, index: number, isAsked: (uid: string) => boolean): Verdict => {
  const error = shape.connections[index]?.error ?? [];
  if (error.length === 0 || error.some((uid) => isAsked(uid) && !isCompleted(shape, frame, uid))) return "missed";
  return error.every(isHere(shape, frame)) ? "handled" : "open";
};

const isOwn =
  ({ scopeOf }: Shape, { scope }: Frame) =>
  (uid: string): boolean =>
    (scopeOf.get(uid) ?? "") === scope;

/** In the frame or an inner one. */
const isHere =
  ({ scopeOf }: Shape, { scope }: Frame) =>
  (uid: string): boolean =>
    isWithin(scopeOf, scopeOf.get(uid) ?? "", scope);

const earlier = ({ elements }: Shape, a: FirstFailure, b: FirstFailure): FirstFailure => {
  const difference = (elements.get(a.uid)?.position ?? 0) - (elements.get(b.uid)?.position ?? 0);
  if (difference !== 0) return difference < 0 ? a : b;
  for (const [index, number] of a.numbers.entries()) {
    const other = b.numbers[index];
    if (number !== other) return other !== undefined && number < other ? a : b;
  }
  return a;
};
