/** Does each named thing at most once in a span: at once, and once more at its end if it was asked for meanwhile. */
export const createThrottle = (spanMs: number) => {
  const waiting = new Map<string, { again: (() => void) | undefined; timer: ReturnType<typeof setTimeout> }>();
  const start = (name: string, run: () => void) => {
    run();
    const timer = setTimeout(() => {
      const again = waiting.get(name)?.again;
      waiting.delete(name);
      if (again) start(name, again);
    }, spanMs);
    waiting.set(name, { again: undefined, timer });
  };
  const throttle = (name: string, run: () => void): void => {
    const busy = waiting.get(name);
    if (busy) busy.again = run;
    else start(name, run);
  };
  const stop = () => {
    for (const { timer } of waiting.values()) clearTimeout(timer);
    waiting.clear();
  };
  return Object.assign(throttle, { stop });
};
