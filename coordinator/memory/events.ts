import type { FarmEvent } from "../../shared/events.ts";

/** Events kept for listeners that come back. */
const keptEvents = 10_000;

/** Without an id: of the moment alone, and not told again to who comes back. */
export type NumberedEvent = { readonly id: string | undefined; readonly event: FarmEvent };
export type EventBus = ReturnType<typeof createEventBus>;

/** What happened, told to whoever listens. Ids are `<epoch>-<number>`, so that a restart is noticed. */
export const createEventBus = (epoch: number) => {
  const listeners = new Set<(event: NumberedEvent) => void>();
  let kept: NumberedEvent[] = [];
  let last = 0;
  /** What passes, by what it is about: the last word counts. */
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
    /** Makes the event only where somebody listens, or did not long ago and may come back for what was missed. */
    tell: (make: () => FarmEvent | undefined): void => {
      unheard = listeners.size > 0 ? 0 : unheard + 1;
      if (unheard > keptEvents) {
        last += 1;
        kept = [];
        return;
      }
      const event = make();
      if (event) publish(event);
    },
    /** Of the moment alone, such as progress: told with the next `tellPassing`, and only as it is by then. */
    tellInPassing: (about: string, make: () => FarmEvent | undefined): void => {
      if (listeners.size > 0) passing.set(about, make);
    },
    tellPassing: (): void => {
      const made = [...passing.values()].flatMap((make) => make() ?? []);
      passing.clear();
      for (const event of made) for (const listener of listeners) listener({ id: undefined, event });
    },
    subscribe: (listener: (event: NumberedEvent) => void): (() => void) => {
      listeners.add(listener);
      unheard = 0;
      return () => listeners.delete(listener);
    },
    /** What a listener missed since the event it names; a `reset` where that is no longer known. */
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
