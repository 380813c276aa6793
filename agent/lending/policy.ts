import type { LendState, ReturnWay } from "../../shared/lending/lending.ts";
import { type Block, blocks, isBusy, isDiskLow } from "./blocks.ts";
import { clockTime, planChange } from "./schedule.ts";
import type { ButtonPress, Memory } from "./situation.ts";

/** What happens to running tasks. */
export type WorkFate = "run" | "suspend" | "finish" | "giveBack";

export type Decision = {
  readonly state: LendState;
  readonly why: string;
  readonly until: number | null;
  readonly takes: boolean;
  readonly fate: WorkFate;
  /** Unix milliseconds at which held tasks are given back; null while none may be held. */
  readonly heldUntil: number | null;
  /** Milliseconds until the next decision at the latest. */
  readonly lookInMs: number;
  /** The owner's button press is no longer in effect. */
  readonly isPressSpent: boolean;
  /** The state that the next decision starts from. */
  readonly memory: Memory;
};

const minute = 60_000;

/** Whether this computer lends now, why, what its tasks do, and when to check again. Pure and deterministic. */
export const decideLending = (asked: ButtonPress): Decision => {
  const memory = { isDiskLow: isDiskLow(asked), isBusy: isBusy(asked) };
  const blocked = blocks.map((rule) => rule({ ...asked, ...memory })).find((each) => each !== undefined);
  const isPressSpent = isSpent(asked, blocked?.state);
  if (blocked) return stand(asked, blocked, memory, isPressSpent);
  const notice = noticeOf(asked);
  if (notice) return stand(asked, notice.block, { ...memory, noticeSince: notice.since }, isPressSpent);
  const until = endOfLending(asked);
  const why = until === null ? "Lending" : `Lending until ${clockTime(asked.moment, until)}`;
  const lookInMs = lookAgain(asked, until);
  return { state: "lending", why, until, takes: true, fate: "run", heldUntil: null, lookInMs, isPressSpent, memory };
};

/** A press to stop or lend expires; skipping ends when the rules themselves stop lending. */
const isSpent = ({ press, moment, rules }: ButtonPress, state: LendState | undefined): boolean => {
  if (press === undefined) return false;
  if (press.do === "skip") return state === "inUse" || state === "outOfHours" || rules.lend === "always";
  return press.until !== null && press.until <= moment.now;
};

/** People get a notice before work starts; work that they start themselves starts at once. */
const noticeOf = (asked: ButtonPress): { block: Block; since: number } | undefined => {
  const { rules, press, moment, before } = asked;
  const wasBlocked = before === undefined || before.blockedSince !== undefined;
  if (rules.noticeSec === 0 || !wasBlocked || press?.do === "lend") return undefined;
  const since = before?.noticeSince ?? moment.monotonic;
  const leftMs = since + rules.noticeSec * 1000 - moment.monotonic;
  if (leftMs <= 0) return undefined;
  return { block: { state: "soon", why: "Lending starts soon", until: moment.now + leftMs }, since };
};

const stand = (
  asked: ButtonPress,
  block: Block,
  kept: Omit<Memory, "blockedSince">,
  isPressSpent: boolean,
): Decision => {
  const { moment, before } = asked;
  const blockedSince = before?.blockedSince ?? moment.monotonic;
  const { until = null } = block;
  const fate = fateOf(asked, block.state, moment.monotonic - blockedSince);
  const held = fate === "suspend" ? blockedSince + asked.rules.holdMin * minute - moment.monotonic : undefined;
  const lookInMs = Math.min(lookAgain(asked, until), held ?? Number.POSITIVE_INFINITY);
  const memory = { ...kept, blockedSince };
  const heldUntil = held === undefined ? null : Math.round((moment.now + held) / 1000) * 1000;
  return { ...block, until, takes: false, fate, heldUntil, lookInMs, isPressSpent, memory };
};

/** As the owner chose, except with a full disk or a sleeping machine: then nothing may continue. */
const fateOf = ({ rules, canSuspend }: ButtonPress, state: LendState, blockedMs: number): WorkFate => {
  const mustStand = state === "diskLow" || state === "asleep";
  const way: ReturnWay = rules.onReturn === "finish" && mustStand ? "suspend" : rules.onReturn;
  if (way === "finish") return "finish";
  if (way === "requeue") return "giveBack";
  if (!canSuspend) return mustStand ? "giveBack" : "finish";
  return blockedMs < rules.holdMin * minute ? "suspend" : "giveBack";
};

const endOfLending = ({ rules, moment, press }: ButtonPress): number | null => {
  if (press?.do === "lend" && press.until !== null) return press.until;
  return rules.lend === "hours" ? planChange(rules, moment) : null;
};

/** The owner's return must be noticed within two seconds, everything else within a few. */
const lookAgain = ({ rules, moment }: ButtonPress, until: number | null): number => {
  const usual = rules.lend === "idle" || !rules.inFullScreen ? 1000 : 5000;
  return until === null ? usual : Math.min(usual, Math.max(50, until - moment.now));
};
