import type { LendingAction, LendingRules, LendState } from "../../shared/lending/lending.ts";
import { isPlanned } from "../../shared/lending/week-plan.ts";
import { programAmong } from "./programs.ts";
import { clockTime, type Moment, planChange } from "./schedule.ts";
import type { ButtonPress, Memory, Sensed } from "./situation.ts";

/** Why a computer does not lend. */
export type Block = { readonly state: LendState; readonly why: string; readonly until?: number | null };
type Facts = ButtonPress & Pick<Memory, "isDiskLow" | "isBusy">;

/** The reasons not to lend, in order; the first one that applies is reported. */
export const blocks: readonly ((facts: Facts) => Block | undefined)[] = [
  ({ rules }) => (rules.lend === "never" ? { state: "never", why: "This computer never lends" } : undefined),
  ({ sensed }) => (sensed.isAsleep ? { state: "asleep", why: "This computer sleeps" } : undefined),
  ({ press, moment }) => stoppedBy(press, moment),
  ({ isDiskLow, sensed: { disk }, rules }) =>
    isDiskLow ? { state: "diskLow", why: disk ? fullWords(disk, rules) : "The disk is full" } : undefined,
  ({ rules, sensed }) =>
    sensed.isOnBattery && !rules.onBattery ? { state: "battery", why: "This computer runs on battery" } : undefined,
  ({ rules, sensed }) =>
    sensed.isFullScreen && !rules.inFullScreen ? { state: "fullScreen", why: "A program fills the screen" } : undefined,
  (facts) => (isOverruled(facts) ? undefined : programRuns(facts)),
  (facts) => (isOverruled(facts) ? undefined : outOfHours(facts)),
  (facts) => (isOverruled(facts) ? undefined : inUse(facts)),
  ({ press }) => (press?.do === "skip" ? { state: "stopped", why: "Not this time, as you asked" } : undefined),
];

const stoppedBy = (press: LendingAction | undefined, moment: Moment): Block | undefined => {
  if (press?.do !== "stop") return undefined;
  if (press.until === null) return { state: "stopped", why: "Stopped until you start it again" };
  if (press.until <= moment.now) return undefined;
  return { state: "stopped", why: `Stopped until ${clockTime(moment, press.until)}`, until: press.until };
};

/** The owner requested it, even though somebody is there or the hours are over. */
const isOverruled = ({ press, moment }: ButtonPress): boolean =>
  press?.do === "lend" && (press.until === null || press.until > moment.now);

const programRuns = ({ rules, sensed: { programs = [] } }: ButtonPress): Block | undefined => {
  const name = programAmong(rules.notWhile, programs);
  return name === undefined ? undefined : { state: "program", why: `${name} is running` };
};

const outOfHours = ({ rules, moment }: ButtonPress): Block | undefined => {
  if (rules.lend !== "hours" || isPlanned(rules.week, moment.wall)) return undefined;
  const until = planChange(rules, moment);
  const when = until === null ? "its week plan has no hours" : `its hours begin at ${clockTime(moment, until)}`;
  return { state: "outOfHours", why: `Outside the planned hours: ${when}`, until };
};

const inUse = ({ rules, sensed: { idleMs }, isBusy }: Facts): Block | undefined => {
  if (rules.lend !== "idle") return undefined;
  const waitMs = rules.idleAfterMin * minute;
  if (idleMs !== undefined && idleMs < waitMs) {
    const why = `In use. Lending starts after ${rules.idleAfterMin} min without mouse or key`;
    // Names no time: every key press changes it, and the farm would be told again each second.
    return { state: "inUse", why };
  }
  return isBusy ? { state: "busy", why: "Other programs keep this computer busy" } : undefined;
};

/** Low means below the floor, and then until a fifth more is free, so that lending does not flicker. */
export const isDiskLow = ({ rules, sensed: { disk }, before }: ButtonPress): boolean => {
  if (!disk) return before?.isDiskLow ?? false;
  return disk.free < (before?.isDiskLow ? resumeAt(rules, disk.total) : floorOf(rules, disk.total));
};

const fullWords = ({ folder, free, total }: NonNullable<Sensed["disk"]>, rules: LendingRules): string =>
  `${folder} has ${inGigabytes(free)} free. Lending resumes by itself above ${inGigabytes(resumeAt(rules, total))}`;

/** On a small disk the floor is a twentieth of its size. */
const floorOf = ({ minDisk }: LendingRules, total: number): number => Math.min(minDisk, total / 20);
const resumeAt = (rules: LendingRules, total: number): number => floorOf(rules, total) * 1.2;

export const isBusy = ({ sensed: { othersLoad }, before }: ButtonPress): boolean =>
  othersLoad === undefined ? (before?.isBusy ?? false) : othersLoad >= (before?.isBusy ? 0.25 : 0.5);

const minute = 60_000;
const inGigabytes = (bytes: number): string => `${(bytes / 1e9).toFixed(1)} GB`;
