import type { FarmEvent } from "../../shared/api/events.ts";

/** Number of events kept for listeners that reconnect. */
const keptEvents = 10_000;

/** Without an id: only for the moment, and not repeated to listeners that reconnect. */
export type NumberedEvent = { readonly id: string | undefined; readonly event: FarmEvent };
export type EventBus = ReturnType<typeof createEventBus>;

/** Sends events to listeners. Ids are `<epoch>-<number>`, so that listeners notice a restart. */
export const createEventBus = (epoch: number) => {
  const listeners = new Set<(event: NumberedEvent) => void>();
  let kept: NumberedEvent[] = [];
  let last = 0;
  /** Passing events by subject: only the last one counts. */
  const passing = new Map<string, () => FarmEvent | undefined>();
  /** Events since somebody listened. */
  let unheard = keptEvents;

  const number = (event: FarmEvent): NumberedEvent => {
    last += 1;
    return { id: `${epoch}-${last}`, event };
  };

  const publish = (event: FarmEvent): void => {
    const numbered = number(event);
    kept.push(numbered);
    if (kept.length > 2 * keptEvents) kept = kept.slice(-keptEvents);
    for (const listener of listeners) listener(numbered);
  };

  return {
    publish,
    /** Creates the event only if somebody listens, or listened recently and may come back for missed events. */
    publishIfHeard: (make: () => FarmEvent | undefined): void => {
      unheard = listeners.size > 0 ? 0 : unheard + 1;
      if (unheard > keptEvents) {
        last += 1;
        kept = [];
        return;
      }
      const event = make();
      if (event) publish(event);
    },
    /** Only for the moment, such as progress: sent with the next `tellPassing`, in its latest state. */
    publishLatest: (about: string, make: () => FarmEvent | undefined): void => {
      if (listeners.size > 0) passing.set(about, make);
    },
    flushLatest: (): void => {
      const made = [...passing.values()].flatMap((make) => make() ?? []);
      passing.clear();
      for (const event of made) for (const listener of listeners) listener({ id: undefined, event });
    },
    subscribe: (listener: (event: NumberedEvent) => void): (() => void) => {
      listeners.add(listener);
      unheard = 0;
      return () => listeners.delete(listener);
    },
    /** The events that a listener missed since the named one; a `reset` if that is no longer known. */
    since: (id: string | undefined): NumberedEvent[] => {
      if (id === undefined) return [];
      const [epochText, numberText] = id.split("-");
      const first = last - kept.length;
      const missed = Number(numberText);
      const isKnown = epochText === String(epoch) && missed >= first && missed <= last;
      return isKnown ? kept.slice(missed - first) : [{ id: `${epoch}-${last}`, event: { type: "reset" } }];
    },
  };
};
