import { t } from "@lingui/core/macro";
import { number } from "../text/format.ts";
/** The number of tasks (or percent) in each state of a bar. */
export type Counts = {
  readonly completed: number;
  readonly running: number;
  readonly retrying: number;
  readonly queued: number;
  readonly blocked: number;
  readonly failed: number;
  readonly stopped: number;
};
export type Part = keyof Counts;

export type Segment = {
  readonly part: Part;
  readonly count: number /** Share of the bar, 0..1. */;
  readonly share: number;
};

/** From done to not begun, failures at the right end. */
const order: readonly Part[] = ["completed", "running", "retrying", "queued", "blocked", "stopped", "failed"];

/** The parts of a stacked bar that are not empty, in their order; shares add up to 1. */
export const toSegments = (counts: Partial<Counts>): Segment[] => {
  const present = order.map((part) => ({ part, count: counts[part] ?? 0 })).filter(({ count }) => count > 0);
  const total = present.reduce((sum, { count }) => sum + count, 0);
  return present.map(({ part, count }) => ({ part, count, share: count / total }));
};

/** For people who do not see the bar, and for its tooltip. */
export const describeCounts = (counts: Partial<Counts>, unit = ""): string =>
  toSegments(counts)
    .map(({ part, count }) => words[part](`${number(count)}${unit}`))
    .join(", ") || t`nothing yet`;

const words: Readonly<Record<Part, (amount: string) => string>> = {
  completed: (amount) => t`${amount} completed`,
  running: (amount) => t`${amount} running`,
  retrying: (amount) => t`${amount} retrying`,
  queued: (amount) => t`${amount} queued`,
  blocked: (amount) => t`${amount} blocked`,
  stopped: (amount) => t`${amount} stopped`,
  failed: (amount) => t`${amount} failed`,
};
