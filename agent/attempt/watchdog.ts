import { type Clock, sleep } from "../../shared/basics/clock.ts";
import { TaskError } from "../../shared/model/failure.ts";
import type { TimeLimits } from "../../shared/model/time-limits.ts";
import type { Progress } from "../../shared/protocol/messages.ts";

/** Watches one attempt: ends it if it makes no progress for too long, or takes too long in total. */
export type Watchdog = {
  /** Aborts with the outer signal's reason, or with the failure. */
  readonly signal: AbortSignal;
  /** Reports progress; repeating the same value does not count. */
  moved(progress?: Progress): void;
  /** The result of the work. When time is up it rejects soon, even if the work cannot be interrupted. */
  race<T>(work: Promise<T>): Promise<T>;
  stop(): void;
};

/** Time for a program to die, so that it writes nothing after its files are swept. A dead share is not waited for. */
const patienceMs = 20_000;

export const createWatchdog = (clock: Clock, limits: TimeLimits | undefined, outer: AbortSignal): Watchdog => {
  const limit = new AbortController();
  const signal = AbortSignal.any([outer, limit.signal]);
  const startedAt = clock.monotonic();
  let movedAt = startedAt;
  let last = "";

  const check = ({ stallMs, hardMs }: TimeLimits): void => {
    const now = clock.monotonic();
    if (now - startedAt >= hardMs) limit.abort(tooLong(`It ran for ${inWords(hardMs)}, which is the limit`));
    else if (now - movedAt >= stallMs) limit.abort(tooLong(`It made no progress for ${inWords(stallMs)}`));
  };
  const stop = limits
    ? clock.every(Math.min(limits.stallMs, limits.hardMs, 40_000) / 4, () => check(limits))
    : () => undefined;

  return {
    signal,
    moved: (progress) => {
      const said =
        progress === undefined
          ? undefined
          : `${progress.percent} ${progress.frame} ${progress.position} ${progress.bytes}`;
      if (said === last) return;
      last = said ?? "";
      movedAt = clock.monotonic();
    },
    race: async (work) => {
      const expired = Promise.withResolvers<never>();
      const expire = () => void sleep(clock, patienceMs).then(() => expired.reject(limit.signal.reason));
      limit.signal.addEventListener("abort", expire, { once: true });
      try {
        return await Promise.race([work, expired.promise]);
      } catch (error) {
        throw limit.signal.aborted ? limit.signal.reason : error;
      } finally {
        limit.signal.removeEventListener("abort", expire);
        work.catch(() => undefined); // uninterruptible work may still fail later, when nobody waits for it
      }
    },
    stop,
  };
};

const tooLong = (message: string): TaskError => new TaskError("timeout", message);

const inWords = (ms: number): string => {
  if (ms < 120_000) return `${Math.round(ms / 1000)} seconds`;
  return ms < 7_200_000 ? `${Math.round(ms / 60_000)} minutes` : `${Math.round(ms / 3_600_000)} hours`;
};
