import type { LendingAction } from "./lending.ts";

const hourMs = 3_600_000;
/** When a working day begins: "until tomorrow" ends here. */
const morningHour = 6;

/** What the buttons mean: stop for an hour, until tomorrow, or until it is started again. */
export const pauseButtons = {
  stop: (): LendingAction => ({ do: "stop", until: null }),
  stopForHour: (now: number): LendingAction => ({ do: "stop", until: now + hourMs }),
  stopUntilTomorrow: (now: number): LendingAction => ({ do: "stop", until: tomorrowMorning(now) }),
  skip: (): LendingAction => ({ do: "skip" }),
  /** Even if somebody is there, or outside the hours: for an hour, so that nobody has to remember it. */
  lendForHour: (now: number): LendingAction => ({ do: "lend", until: now + hourMs }),
} as const;

const tomorrowMorning = (now: number): number => {
  const date = new Date(now);
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + 1, morningHour).getTime();
};
