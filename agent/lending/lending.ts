import type { Clock } from "../../shared/basics/clock.ts";
import type { LendingAction, LendingReport, LendingRules, LocalTask, Standing } from "../../shared/lending/lending.ts";
import { memoryOfAll } from "../process/memory.ts";
import { canSuspendOn, type Suspension } from "../process/suspension.ts";
import type { Ledger } from "./ledger.ts";
import { type Decision, decideLending } from "./policy.ts";
import { type Moment, toWallTime } from "./schedule.ts";
import type { DesktopReport, Reading, Senses } from "./senses.ts";

export type Lending = {
  readonly start: () => void;
  /** Whether new tasks may come; if not, why. */
  readonly refusal: () => string | undefined;
  readonly standing: () => Standing;
  /** The owner's new rules and last button press apply from now on. */
  readonly set: (wanted: { readonly rules: LendingRules; readonly press: LendingAction | undefined }) => void;
  /** What a desktop knows about its user. */
  readonly tell: (told: DesktopReport) => void;
  readonly stop: () => Promise<void>;
};

export type LendingNeeds = {
  readonly clock: Clock;
  readonly rules: LendingRules;
  readonly press: LendingAction | undefined;
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
  const count = createLentTime(needs);
  const announce = createAnnouncements(needs, canSuspend);
  let { rules, press } = needs;
  let reading: Reading = { sensed: {} };
  let decision: Decision | undefined;
  let cancel = () => {};

  const decide = (): Decision => {
    const programs = rules.notWhile.length > 0;
    reading = senses.read({ fullScreen: !rules.inFullScreen, battery: !rules.onBattery, programs });
    const before = decision?.memory;
    return decideLending({ rules, press, sensed: reading.sensed, moment: readMoment(clock), canSuspend, before });
  };

  const look = (): void => {
    cancel();
    count();
    decision = decide();
    if (decision.isPressSpent) {
      press = undefined;
      needs.onPressSpent?.();
    }
    carryOut(decision, needs, look);
    announce(standing(), held());
    cancel = clock.after(decision.lookInMs, look);
  };

  const standing = (): Standing => {
    const { state, why, until, takes } = decision ?? decide();
    const isSuspended = suspension.isOn() && needs.running().length > 0;
    return { state, why, until, takes, isSuspended, load: reading.load, battery: reading.battery };
  };

  const held = (): LendingReport["held"] => {
    if (!suspension.isOn() || needs.running().length === 0) return null;
    const bytes = memoryOfAll(suspension.pids());
    return { memory: bytes === undefined ? null : roundedUp(bytes), until: decision?.heldUntil ?? null };
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
      const { sensed } = senses.read({ fullScreen: false, battery: false });
      senses.tell(more);
      if (isUrgent(more, sensed)) look();
    },
    stop: async () => {
      cancel();
      count();
      await ledger.keep();
    },
  };
};

/** Suspends the tasks, gives them back and looks again, or lets them run. */
const carryOut = ({ fate, why }: Decision, { suspension, running, giveBack }: LendingNeeds, look: () => void): void => {
  if (fate === "suspend") suspension.suspend();
  else if (fate === "giveBack" && running().length > 0) void giveBack(why).then(look);
  else suspension.resume();
};

const readMoment = (clock: Clock): Moment => {
  const now = clock.now();
  return { now, monotonic: clock.monotonic(), wall: toWallTime(now) };
};

/** When the owner returns, closes the lid or unplugs, the next check is too late. */
const isUrgent = (now: DesktopReport, before: DesktopReport): boolean =>
  (now.idleMs ?? 0) < (before.idleMs ?? 0) ||
  now.isAsleep !== before.isAsleep ||
  now.isOnBattery !== before.isOnBattery;

/** Each call counts the time since the last one as lent if tasks ran in it. */
const createLentTime = ({ clock, running, suspension, ledger }: LendingNeeds) => {
  let countedTo = clock.monotonic();
  return (): void => {
    const passed = clock.monotonic() - countedTo;
    countedTo += passed;
    if (running().length > 0 && !suspension.isOn()) ledger.lent(passed);
  };
};

/** Tells the farm and the desktop about a standing, each only what is new to it. */
const createAnnouncements = ({ ledger, running, onStanding, onReport }: LendingNeeds, canSuspend: boolean) => {
  const isNewToFarm = createChangeCheck();
  const isNewToDesktop = createChangeCheck();
  return (standing: Standing, held: LendingReport["held"]): void => {
    const { load: _, battery: __, ...short } = standing;
    if (isNewToFarm(short)) onStanding(standing);
    if (!onReport) return;
    const [ended, days] = [[...ledger.ended()], [...ledger.days()]];
    const report: LendingReport = { standing, canSuspend, held, running: [...running()], ended, days };
    if (isNewToDesktop(report)) onReport(report);
  };
};

/** To whole megabytes, so that every page does not count. */
const roundedUp = (bytes: number): number => Math.ceil(bytes / 1e6) * 1e6;

/** Whether a value is another one than at the last call. */
const createChangeCheck = () => {
  let last = "";
  return (value: unknown): boolean => {
    const before = last;
    last = JSON.stringify(value);
    return last !== before;
  };
};
