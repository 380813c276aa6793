import type { Clock } from "../../shared/basics/clock.ts";
import { type AgentMessage, maxLogCharacters } from "../../shared/protocol/messages.ts";
import type { OpenAttempt } from "./open-attempt.ts";

export type LiveLogsNeeds = {
  readonly clock: Clock;
  readonly all: () => Iterable<OpenAttempt>;
  readonly send: (message: AgentMessage) => void;
};

const everyMs = 500;

/** Sends the logs that someone is watching, twice a second. Sends nothing while nobody watches. */
export const createLiveLogs = ({ clock, all, send }: LiveLogsNeeds) => {
  let cancel: (() => void) | undefined;

  const stop = (): void => {
    cancel?.();
    cancel = undefined;
  };
  const tell = (attempt: OpenAttempt, isFirst: boolean): void => {
    const { logWatch, log, assignment } = attempt;
    if (!logWatch) return;
    const { from, left, text } = log?.since(logWatch.from, maxLogCharacters) ?? {
      from: logWatch.from,
      left: 0,
      text: "",
    };
    logWatch.from = from + text.length;
    if (isFirst || text !== "") send({ type: "log", fence: assignment.fence, from, left, text });
  };
  const tellAll = (): void => {
    const now = clock.monotonic();
    const watched = [...all()].filter(({ logWatch }) => logWatch !== undefined);
    for (const attempt of watched) {
      if ((attempt.logWatch?.until ?? 0) < now) attempt.logWatch = undefined;
      tell(attempt, false);
    }
    if (watched.length === 0) stop();
  };

  return {
    begin: (attempt: OpenAttempt, from: number, forMs: number): void => {
      attempt.logWatch = { from, until: clock.monotonic() + forMs };
      tell(attempt, true);
      cancel ??= clock.every(everyMs, tellAll);
    },
    stop,
  };
};
