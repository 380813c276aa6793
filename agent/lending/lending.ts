import type { Clock } from "../../shared/clock.ts";
import type { LendingReport, LendingRules, LocalTask, Press, Standing } from "../../shared/lending.ts";
import { canSuspendOn, type Suspension } from "../suspension.ts";
import type { Ledger } from "./ledger.ts";
import { type Decision, decideLending } from "./policy.ts";
import type { Reading, Senses, Told } from "./senses.ts";
import { wallTimeOf } from "./when.ts";

export type Lending = {
  readonly start: () => void;
  /** Whether new tasks may come; if not, why. */
  readonly refusal: () => string | undefined;
  readonly standing: () => Standing;
  /** The owner's new rules and last button press apply from now on. */
  readonly set: (wanted: { readonly rules: LendingRules; readonly press: Press | undefined }) => void;
  /** What a desktop knows about its user. */
  readonly tell: (told: Told) => void;
  readonly stop: () => Promise<void>;
};

export type LendingNeeds = {
  readonly clock: Clock;
  readonly rules: LendingRules;
  readonly press: Press | undefined;
  readonly senses: Senses;
  readonly suspension: Suspension;
  readonly ledger: Ledger;
  readonly platform: NodeJS.Platform;
  readonly running: () => readonly LocalTask[];
  /** Ends running tasks and has them started on other nodes. */
  readonly giveBack: (why: string) => Promise<void>;
  /** Its state towards its farm has changed. */
  readonly onStanding: (standing: Standing) => void;
  readonly onReport?: (report: LendingReport) => void;
  readonly onPressSpent?: () => void;
};

/** Observes the machine and its owner, decides by the rules, and lets tasks run, suspends them or gives them back. */
export const createLending = (needs: LendingNeeds): Lending => {
  const { clock, senses, suspension, ledger } = needs;
  const canSuspend = canSuspendOn(needs.platform);
  let { rules, press } = needs;
  let reading: Reading = { sensed: {} };
  let decision: Decision | undefined;
  let cancel = () => {};
  let lookedAt = clock.monotonic();
  let told = "";
  let reported = "";

  const decide = (): Decision => {
    reading = senses.read({ fullScreen: !rules.inFullScreen, battery: !rules.onBattery });
    const now = clock.now();
    const moment = { now, monotonic: clock.monotonic(), wall: wallTimeOf(now) };
    return decideLending({ rules, press, sensed: reading.sensed, moment, canSuspend, before: decision?.memory });
  };

  const look = (): void => {
    cancel();
    count();
    decision = decide();
    if (decision.isPressSpent) {
      press = undefined;
      needs.onPressSpent?.();
    }
    act(decision);
    say();
    cancel = clock.after(decision.lookInMs, look);
  };

  /** The time that just passed counts as lent if tasks ran in it. */
  const count = (): void => {
    const passed = clock.monotonic() - lookedAt;
    lookedAt += passed;
    if (needs.running().length > 0 && !suspension.isOn()) ledger.lent(passed);
  };

  const act = ({ fate, why }: Decision): void => {
    if (fate === "suspend") suspension.suspend();
    else if (fate === "giveBack" && needs.running().length > 0) void needs.giveBack(why).then(look);
    else suspension.resume();
  };

  const standing = (): Standing => {
    const { state, why, until, takes } = decision ?? decide();
    const isSuspended = suspension.isOn() && needs.running().length > 0;
    return { state, why, until, takes, isSuspended, load: reading.load, battery: reading.battery };
  };

  const say = (): void => {
    const now = standing();
    const { load: _, battery: __, ...short } = now;
    if (told !== JSON.stringify(short)) {
      told = JSON.stringify(short);
      needs.onStanding(now);
    }
    if (!needs.onReport) return;
    const report: LendingReport = {
      standing: now,
      canSuspend,
      running: [...needs.running()],
      ended: [...ledger.ended()],
      days: [...ledger.days()],
    };
    if (reported === JSON.stringify(report)) return;
    reported = JSON.stringify(report);
    needs.onReport(report);
  };

  return {
    start: look,
    refusal: () => (decision?.takes === false ? decision.why : undefined),
    standing,
    set: (wanted) => {
      ({ rules, press } = wanted);
      look();
    },
    tell: (more) => {
      const wasThere = senses.read({ fullScreen: false, battery: false }).sensed;
      senses.tell(more);
      // When the owner returns, closes the lid or unplugs, do not wait for the next check.
      const isSooner = (more.idleMs ?? 0) < (wasThere.idleMs ?? 0);
      if (isSooner || more.isAsleep !== wasThere.isAsleep || more.isOnBattery !== wasThere.isOnBattery) look();
    },
    stop: async () => {
      cancel();
      count();
      await ledger.keep();
    },
  };
};
