import { useSyncExternalStore } from "react";
import { systemClock } from "../../shared/basics/system-clock.ts";

/** Whether the coordinator answers, and when it last did. */
export type Link = {
  readonly state: "connecting" | "live" | "away";
  /** Milliseconds since 1970, in full seconds; undefined before the first answer. */
  readonly heardAt: number | undefined;
};

/** After a failed request, people are told after this much silence. */
const patienceMs = 2500;

export const linkOf = (heardAt: number | undefined, failedAt: number | undefined, now: number): Link => {
  const hasFailed = failedAt !== undefined && failedAt > (heardAt ?? 0);
  if (!hasFailed) return { state: heardAt === undefined ? "connecting" : "live", heardAt };
  if (heardAt === undefined) return { state: "away", heardAt };
  return { state: now - heardAt >= patienceMs ? "away" : "live", heardAt };
};

/** Answers take time, and clocks differ a little: smaller differences are ignored. */
const sameTimeMs = 3000;

/** The state of the link for the rest of the page; it changes on events, and once a second because of its age. */
export const createLinkStore = (ownNow: () => number) => {
  /** How far the farm's clock is ahead of this computer's: ages and times are the farm's. */
  let skew = 0;
  const now = () => ownNow() + skew;
  const listeners = new Set<() => void>();
  let heardAt: number | undefined;
  let failedAt: number | undefined;
  let link: Link = linkOf(undefined, undefined, 0);
  let moment = now();
  const renew = () => {
    moment = now();
    const found = linkOf(heardAt, failedAt, moment);
    // By the second: whoever shows it is not drawn anew with every event.
    const next = {
      ...found,
      heardAt: found.heardAt === undefined ? undefined : Math.floor(found.heardAt / 1000) * 1000,
    };
    if (next.state !== link.state || next.heardAt !== link.heardAt) link = next;
    for (const listener of listeners) listener();
  };
  return {
    /** `farmNow`: the farm's own time, if the answer contains it. */
    heard: (farmNow?: number) => {
      if (farmNow !== undefined) {
        const found = farmNow - ownNow();
        const before = skew;
        skew = Math.abs(found) > sameTimeMs ? found : 0;
        if (failedAt !== undefined) failedAt += skew - before;
      }
      heardAt = now();
      renew();
    },
    failed: () => {
      failedAt = now();
      renew();
    },
    renew,
    link: () => link,
    moment: () => Math.floor(moment / 1000) * 1000,
    /** How far this computer's clock is behind the farm's (negative: ahead); 0 if the difference is small. */
    skew: () => skew,
    isAway: () => link.state === "away",
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
};

export const linkStore = createLinkStore(systemClock.now);
systemClock.every(1000, linkStore.renew);

export const useLink = (): Link => useSyncExternalStore(linkStore.subscribe, linkStore.link);
/** The farm's time of day, by the second. */
export const useNow = (): number => useSyncExternalStore(linkStore.subscribe, linkStore.moment);

const coarseMs = 10_000;
/** The same in steps of ten seconds: long lists that show ages need not be drawn every second. */
export const useCoarseNow = (): number =>
  useSyncExternalStore(linkStore.subscribe, () => Math.floor(linkStore.moment() / coarseMs) * coarseMs);

export const useSkew = (): number => useSyncExternalStore(linkStore.subscribe, linkStore.skew);
