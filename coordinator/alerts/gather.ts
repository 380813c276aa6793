import type { AlertContent, AlertNotice, AlertSettings } from "../../shared/outbound/alerts.ts";
import { inOrder } from "./decide.ts";
import { isQuiet } from "./quiet-hours.ts";
import { type Gathered, nothingGathered } from "./state.ts";

/** A message names so many things; the others are counted. */
export const mostNamed = 20;

/** Adds what is new to what waits for one channel. */
export const gather = (
  before: Gathered,
  notices: readonly AlertNotice[],
  { rules }: Pick<AlertSettings, "rules">,
  now: number,
): Gathered =>
  notices.length === 0
    ? before
    : {
        since: before.since ?? now,
        last: before.last,
        is_urgent: before.is_urgent || notices.some(({ kind, is_over }) => !is_over && rules[kind].is_urgent),
        content: {
          counts: addedUp([
            ...before.content.counts,
            ...notices.map(({ kind, is_over, count: n }) => ({ kind, is_over, n })),
          ]),
          notices: [...before.content.notices, ...notices].slice(0, mostNamed),
          is_test: false,
        },
      };

/**
 * The message that goes out now, if one does: once what belongs together has had time to come, the last message is long
 * enough ago, and nobody wants quiet. Urgent things do not wait for the end of the quiet hours.
 */
export const release = (
  waiting: Gathered,
  settings: Pick<AlertSettings, "quiet" | "time_zone" | "gather_seconds" | "pause_minutes">,
  now: number,
): { readonly left: Gathered; readonly content?: AlertContent } => {
  const { since, last, is_urgent, content } = waiting;
  // A clock that was set back must not hold messages up.
  const hasPassed = (from: number, ms: number): boolean => now < from || now - from >= ms;
  if (since === null || !hasPassed(since, settings.gather_seconds * 1000)) return { left: waiting };
  if (last !== null && !hasPassed(last, settings.pause_minutes * 60_000)) return { left: waiting };
  if (isQuiet(settings, now) && !is_urgent) return { left: waiting };
  return { left: { ...nothingGathered, last: now }, content };
};

const addedUp = (counts: AlertContent["counts"]): AlertContent["counts"] => {
  const sums = new Map<string, AlertContent["counts"][number]>();
  for (const each of counts) {
    const key = `${each.kind} ${each.is_over}`;
    sums.set(key, { ...each, n: each.n + (sums.get(key)?.n ?? 0) });
  }
  return [...sums.values()].sort((a, b) => Number(a.is_over) - Number(b.is_over) || inOrder(a.kind, b.kind));
};
