import type { Clock } from "../shared/clock.ts";
import { type AgentMessage, maxLogCharacters } from "../shared/protocol.ts";
import type { Held } from "./held.ts";

export type LogTailsNeeds = {
  readonly clock: Clock;
  readonly all: () => Iterable<Held>;
  readonly send: (message: AgentMessage) => void;
};

const everyMs = 500;

/** Tells the logs that somebody looks at, twice a second, and says nothing while nobody does. */
export const createLogTails = ({ clock, all, send }: LogTailsNeeds) => {
  let cancel: (() => void) | undefined;

  const stop = (): void => {
    cancel?.();
    cancel = undefined;
  };
  const tell = (held: Held, isFirst: boolean): void => {
    const { tail, log, assignment } = held;
    if (!tail) return;
    const { from, left, text } = log?.since(tail.from, maxLogCharacters) ?? { from: tail.from, left: 0, text: "" };
    tail.from = from + text.length;
    if (isFirst || text !== "") send({ type: "log", fence: assignment.fence, from, left, text });
  };
  const tellAll = (): void => {
    const now = clock.monotonic();
    const watched = [...all()].filter(({ tail }) => tail !== undefined);
    for (const held of watched) {
      if ((held.tail?.until ?? 0) < now) held.tail = undefined;
      tell(held, false);
    }
    if (watched.length === 0) stop();
  };

  return {
    begin: (held: Held, from: number, forMs: number): void => {
      held.tail = { from, until: clock.monotonic() + forMs };
      tell(held, true);
      cancel ??= clock.every(everyMs, tellAll);
    },
    stop,
  };
};
