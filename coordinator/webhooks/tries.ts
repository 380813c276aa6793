import type { Receipt } from "../../shared/outbound/delivery.ts";
import { testEvent } from "../../shared/outbound/webhooks.ts";
import { nextTryOf, type Patience } from "../outbound/patience.ts";
import type { DeliveryOutcome, WebhookDeliveryRow } from "../store/webhooks.ts";
import type { Webhook } from "./config.ts";

const [secondMs, minuteMs, hourMs, dayMs] = [1000, 60_000, 3_600_000, 86_400_000];

/** How long a message is tried. `docs/webhooks.md` is made from it. */
export const patience: Patience = {
  waits: [10 * secondMs, minuteMs, 5 * minuteMs, 30 * minuteMs, 2 * hourMs, 5 * hourMs, 10 * hourMs],
  giveUpAfterMs: 5 * dayMs,
  spread: 0.2,
};
/** A webhook that took nothing for so long is switched off. */
export const offAfterMs = 5 * dayMs;
/** Older messages are deleted, and of each webhook all but the newest ones. */
export const [keptMs, keptMessages] = [14 * dayMs, 20_000];

/** The receiver is gone for good, by its own word. */
const goneStatus = 410;

type Moment = { readonly now: number; readonly chance: number };

/** Pure: what came of a try. */
export const outcomeOf = (
  { type, tries, since }: Pick<WebhookDeliveryRow, "type" | "tries" | "since">,
  { isTaken, status, answer, retryAfterMs: askedMs }: Receipt,
  { now, chance }: Moment,
): DeliveryOutcome => {
  const told = { since, tries: tries + 1, status, answer };
  if (isTaken) return { ...told, state: "delivered", nextTry: null, ended: now };
  // Whoever asked for a test sees what came of it.
  const nextTry = type === testEvent ? undefined : nextTryOf({ tries, since, askedMs }, now, patience, chance);
  return nextTry === undefined
    ? { ...told, state: "given_up", nextTry: null, ended: now }
    : { ...told, state: "waiting", nextTry, ended: null };
};

/** Pure: what a try changes of its webhook; undefined: nothing. */
export const healthAfter = (
  { failing_since, off }: Pick<Webhook, "failing_since" | "off">,
  { isTaken, status }: Receipt,
  now: number,
): Pick<Webhook, "failing_since" | "off" | "off_since"> | undefined => {
  if (off !== null) return undefined;
  const on = { off: null, off_since: null };
  if (isTaken) return failing_since === null ? undefined : { ...on, failing_since: null };
  const since = failing_since ?? now;
  if (status === goneStatus) return { failing_since: since, off: "gone", off_since: now };
  if (now - since >= offAfterMs) return { failing_since: since, off: "failing", off_since: now };
  return failing_since === null ? { ...on, failing_since: now } : undefined;
};
