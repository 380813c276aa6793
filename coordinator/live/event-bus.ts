import type { FarmEvent } from "../../shared/api/events.ts";
import type { Owned } from "../../shared/rights/reach.ts";

/** Number of events kept for listeners that reconnect. */
const keptEvents = 10_000;

/** Without an id: only for the moment, and not repeated to listeners that reconnect. */
export type NumberedEvent = {
  readonly id: string | undefined;
  readonly event: FarmEvent;
  /** Whose job the event is about; absent: nobody's, or it is about no job. */
  readonly owned?: Owned | undefined;
};
export type EventBus = ReturnType<typeof createEventBus>;

/** Sends events to listeners. Ids are `<epoch>-<number>`, so that listeners notice a restart. */
export const createEventBus = (epoch: number) => {
  const listeners = new Set<(event: NumberedEvent) => void>();
  let kept: NumberedEvent[] = [];
  let last = 0;
  /** Passing events by subject: only the last one counts. */
  const passing = new Map<string, { readonly make: () => FarmEvent | undefined; readonly owned: Owned | undefined }>();
  /** Events since somebody listened. */
  let unheard = keptEvents;

  const number = (event: FarmEvent, owned: Owned | undefined): NumberedEvent => {
    last += 1;
    return { id: `${epoch}-${last}`, event, owned };
  };

  const publish = (event: FarmEvent, owned?: Owned): void => {
    const numbered = number(event, owned);
    kept.push(numbered);
    if (kept.length > 2 * keptEvents) kept = kept.slice(-keptEvents);
    for (const listener of listeners) listener(numbered);
  };

  return {
    publish,
    /** Creates the event only if somebody listens, or listened recently and may come back for missed events. */
    publishIfHeard: (make: () => FarmEvent | undefined, owned?: Owned): void => {
      unheard = listeners.size > 0 ? 0 : unheard + 1;
      if (unheard > keptEvents) {
        last += 1;
        kept = [];
        return;
      }
      const event = make();
      if (event) publish(event, owned);
    },
    /** Only for the moment, such as progress: sent with the next `tellPassing`, in its latest state. */
    publishLatest: (about: string, make: () => FarmEvent | undefined, owned?: Owned): void => {
      if (listeners.size > 0) passing.set(about, { make, owned });
    },
    flushLatest: (): void => {
      const made = [...passing.values()].map(({ make, owned }) => ({ id: undefined, event: make(), owned }));
      passing.clear();
      for (const { event, ...rest } of made) if (event) for (const listener of listeners) listener({ ...rest, event });
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
