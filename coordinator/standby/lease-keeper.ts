import type { Clock } from "../../shared/basics/clock.ts";
import { messageOf } from "../../shared/basics/errors.ts";
import type { Log } from "../log.ts";
import type { Lease } from "../store/store.ts";

/** A leader stops so long before its lease could end. */
const marginMs = 1000;
/** How often it prolongs the lease while that lasts. */
const tries = 5;
const watchMs = 100;

export type LeaseNeeds = {
  readonly lease: Pick<Lease, "take" | "give">;
  readonly clock: Pick<Clock, "monotonic" | "every">;
  readonly log: Pick<Log, "warn">;
  readonly leaseMs: number;
  /** A name that no other process has, and where the others find this one. */
  readonly mine: { readonly holder: string; readonly address: string };
};

/** The right to lead, as one coordinator has it. */
export type LeaseKeeper = {
  /** Tries to get it; true: this coordinator may lead. */
  readonly take: () => Promise<boolean>;
  /** Prolongs it from now on, and calls `lost` once when it may have ended. */
  readonly keep: (lost: (why: string) => void) => void;
  /** Lets another one have it at once. */
  readonly give: () => Promise<void>;
};

/**
 * The lease ends by the store's clock, which is not read here: it cannot end earlier than its length after it was asked for.
 * So the time is counted from before the question, by a clock that never jumps.
 */
export const createLeaseKeeper = ({ lease, clock, log, leaseMs, mine }: LeaseNeeds): LeaseKeeper => {
  let term: number | undefined;
  let goodUntil = Number.NEGATIVE_INFINITY;
  let stop = (): void => undefined;

  const take = async (): Promise<boolean> => {
    const asked = clock.monotonic();
    const found = await lease.take({ ...mine, ms: leaseMs });
    // Another term means that somebody else led meanwhile.
    if (found === undefined || (term !== undefined && found !== term)) return false;
    term = found;
    goodUntil = asked + leaseMs - marginMs;
    return true;
  };

  const keep = (lost: (why: string) => void): void => {
    let isAsking = false;
    const end = (why: string): void => {
      stop();
      lost(why);
    };
    const prolong = async (): Promise<void> => {
      if (isAsking) return;
      isAsking = true;
      try {
        if (!(await take())) end("another coordinator has the lease");
      } catch (problem) {
        log.warn(`the lease was not prolonged: ${messageOf(problem)}`);
      }
      isAsking = false;
    };
    const cancels = [
      clock.every(leaseMs / tries, () => void prolong()),
      clock.every(watchMs, () => {
        if (clock.monotonic() >= goodUntil) end("the lease could not be prolonged in time");
      }),
    ];
    stop = () => {
      for (const cancel of cancels) cancel();
    };
  };

  return {
    take,
    keep,
    give: async () => {
      stop();
      await lease.give(mine.holder);
    },
  };
};
