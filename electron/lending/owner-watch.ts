import type { Clock } from "../../shared/basics/clock.ts";
import type { Desktop } from "../desktop/desktop.ts";
import type { Sense } from "../services/service-messages.ts";

/** Frequent enough that a returning owner has the machine within two seconds. */
export const watchEveryMs = 500;
/** Repeated even without changes, so that the agent knows that somebody watches. */
const sayEveryMs = 4000;

type WatchNeeds = {
  readonly desktop: Pick<Desktop, "idleMs" | "isOnBattery" | "onSleep">;
  readonly clock: Clock;
  readonly tell: (sense: Sense) => void;
};

/** Tells the agent what the desktop knows of its user: idle time, battery, sleep. */
export const createOwnerWatch = ({ desktop, clock, tell }: WatchNeeds) => {
  let last: Sense = {};
  let toldAt = Number.NEGATIVE_INFINITY;

  const say = (sense: Sense): void => {
    last = { ...last, ...sense };
    toldAt = clock.monotonic();
    tell(last);
  };

  const look = (): void => {
    const now: Sense = { idleMs: desktop.idleMs(), isOnBattery: desktop.isOnBattery() };
    const isBack = (now.idleMs ?? 0) < (last.idleMs ?? 0);
    const isOld = clock.monotonic() - toldAt >= sayEveryMs;
    if (isBack || isOld || now.isOnBattery !== last.isOnBattery) say(now);
  };

  return {
    start: (): (() => void) => {
      const stopHearing = desktop.onSleep((isAsleep) => say({ isAsleep }));
      const stopLooking = clock.every(watchEveryMs, look);
      return () => {
        stopHearing();
        stopLooking();
      };
    },
  };
};
