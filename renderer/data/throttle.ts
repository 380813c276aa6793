import { systemClock } from "../../shared/basics/system-clock.ts";

/** Runs each named action at most once per span: at once, and again at the end if it was requested meanwhile. */
export const createActionThrottle = (spanMs: number) => {
  const waiting = new Map<string, { again: (() => void) | undefined; cancel: () => void }>();
  const start = (name: string, run: () => void) => {
    run();
    const cancel = systemClock.after(spanMs, () => {
      const again = waiting.get(name)?.again;
      waiting.delete(name);
      if (again) start(name, again);
    });
    waiting.set(name, { again: undefined, cancel });
  };
  const throttle = (name: string, run: () => void): void => {
    const busy = waiting.get(name);
    if (busy) busy.again = run;
    else start(name, run);
  };
  const stop = () => {
    for (const { cancel } of waiting.values()) cancel();
    waiting.clear();
  };
  return Object.assign(throttle, { stop });
};
