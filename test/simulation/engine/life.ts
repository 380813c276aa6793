import { AsyncLocalStorage } from "node:async_hooks";
import type { Loop } from "./loop.ts";

/**
 * One run of a program on a machine. What it waits for comes only while it lives; once it is over, nothing that it had
 * under way goes on: its promises stay open, its timers are dropped, and a call that does not wait throws.
 */
export type Life = {
  readonly name: string;
  /** The machine, or whatever else the life belongs to. */
  readonly owner: Owner;
  readonly isOver: () => boolean;
  /** Everything that `act` begins belongs to this life. */
  readonly run: <T>(act: () => T) => T;
  readonly after: (ms: number, act: () => void) => () => void;
  /** Lets something happen to it: now, or when it goes on. */
  readonly meet: (act: () => void) => void;
  /** A call to the system that takes some time: its effect comes at the end. */
  readonly call: <T>(what: string, ms: number, act: () => T | Promise<T>) => Promise<T>;
  /** A call to the system that does not wait. */
  readonly callNow: <T>(what: string, act: () => T) => T;
  /** A program that this one started: it ends with it. */
  readonly child: (name: string) => Life;
  readonly end: () => void;
  /** Stands still: what comes meanwhile happens when it goes on. */
  readonly pause: () => void;
  readonly resume: () => void;
  /** When it went on after it had stood still: Infinity while it does, undefined if it never did. */
  readonly resumed: () => number | undefined;
};

/** Hears of every call before and after its effect, and may end the life there. */
export type Owner = {
  readonly name: string;
  readonly atCall: (what: string, moment: "before" | "after") => void;
  /** Something was thrown that nobody caught, or a rejection was not heard: it ends a real program. */
  readonly atFault: (problem: unknown) => void;
};

/** Thrown into code that goes on although its life is over. Nobody sees it: the machine is off. */
export class LifeIsOver extends Error {}

const present = new AsyncLocalStorage<Life>();

/** The life to which the code that asks belongs. */
export const here = (): Life => {
  const life = present.getStore();
  if (!life) throw new Error("Code of the product runs outside of every simulated machine");
  return life;
};

export const isSimulated = (): boolean => present.getStore() !== undefined;

export const createLife = (name: string, owner: Owner, loop: Loop, parent?: Life): Life => {
  let over = false;
  let held: (() => void)[] | undefined;
  let resumed: number | undefined;
  const isOver = (): boolean => over || (parent?.isOver() ?? false);
  const happen = (act: () => void): void => {
    if (isOver()) return;
    try {
      present.run(life, act);
    } catch (problem) {
      if (!(problem instanceof LifeIsOver)) owner.atFault(problem);
    }
  };
  const meet = (act: () => void): void => {
    if (isOver()) return;
    if (held) held.push(act);
    else if (parent) parent.meet(() => happen(act));
    else happen(act);
  };
  const after = (ms: number, act: () => void): (() => void) => {
    let isCancelled = false;
    const cancel = loop.after(ms, () => meet(() => isCancelled || act()));
    return () => {
      isCancelled = true;
      cancel();
    };
  };
  const life: Life = {
    ...{ name, owner, isOver, after, meet },
    run: (act) => present.run(life, act),
    call: (what, ms, act) =>
      new Promise((resolve, reject) => {
        after(ms, () => {
          owner.atCall(what, "before");
          if (isOver()) return;
          const settle = (how: () => void): void => {
            owner.atCall(what, "after");
            if (!isOver()) how();
          };
          try {
            const result = act();
            if (!(result instanceof Promise)) return settle(() => resolve(result));
            result.then(
              (value) => settle(() => resolve(value)),
              (problem) => settle(() => reject(problem)),
            );
          } catch (problem) {
            settle(() => reject(problem));
          }
        });
      }),
    callNow: (what, act) => {
      if (isOver()) throw new LifeIsOver();
      owner.atCall(what, "before");
      if (isOver()) throw new LifeIsOver();
      const outcome = outcomeOf(act);
      owner.atCall(what, "after");
      if (isOver()) throw new LifeIsOver();
      if ("problem" in outcome) throw outcome.problem;
      return outcome.value;
    },
    child: (childName) => createLife(childName, owner, loop, life),
    end: () => {
      over = true;
      held = undefined;
    },
    resumed: () => (held ? Number.POSITIVE_INFINITY : resumed),
    pause: () => {
      held ??= [];
    },
    resume: () => {
      resumed = loop.now();
      const waiting = held ?? [];
      held = undefined;
      for (const act of waiting) loop.after(0, () => meet(act));
    },
  };
  return life;
};

const outcomeOf = <T>(act: () => T): { readonly value: T } | { readonly problem: unknown } => {
  try {
    return { value: act() };
  } catch (problem) {
    return { problem };
  }
};
