import type { Clock } from "../shared/clock.ts";
import { type AgentMessage, maxLogCharacters } from "../shared/protocol.ts";
import type { OpenAttempt } from "./open-attempt.ts";

export type LogTailsNeeds = {
  readonly clock: Clock;
  readonly all: () => Iterable<OpenAttempt>;
  readonly send: (message: AgentMessage) => void;
};

const everyMs = 500;

/** Sends the logs that someone is watching, twice a second. Sends nothing while nobody watches. */
export const createLogTails = ({ clock, all, send }: LogTailsNeeds) => {
  let cancel: (() => void) | undefined;

  const stop = (): void => {
    cancel?.();
    cancel = undefined;
  };
  const tell = (attempt: OpenAttempt, isFirst: boolean): void => {
    const { tail, log, assignment } = attempt;
    if (!tail) return;
    const { from, left, text } = log?.since(tail.from, maxLogCharacters) ?? { from: tail.from, left: 0, text: "" };
    tail.from = from + text.length;
    if (isFirst || text !== "") send({ type: "log", fence: assignment.fence, from, left, text });
  };
  const tellAll = (): void => {
    const now = clock.monotonic();
    const watched = [...all()].filter(({ tail }) => tail !== undefined);
    for (const attempt of watched) {
      if ((attempt.tail?.until ?? 0) < now) attempt.tail = undefined;
      tell(attempt, false);
    }
    if (watched.length === 0) stop();
  };

  return {
    begin: (attempt: OpenAttempt, from: number, forMs: number): void => {
      attempt.tail = { from, until: clock.monotonic() + forMs };
      tell(attempt, true);
      cancel ??= clock.every(everyMs, tellAll);
    },
    stop,
  };
};
