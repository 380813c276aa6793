import type { WebhookDelivery, WebhookView } from "../../shared/api/webhooks.ts";
import type { FarmClock } from "../farm-clock.ts";
import { isoTime } from "../iso-time.ts";
import type { DeliveryCounts, WebhookDeliveryRow } from "../store/webhooks.ts";
import type { Webhook } from "./config.ts";
import { messageId } from "./delivering.ts";
import { deliveryId } from "./lanes.ts";

type Clocked = { readonly clock: Pick<FarmClock, "wallOf" | "steady"> };

/** A moment of the farm's time as people read it. */
const shown = ({ clock }: Clocked, moment: number | null): string | null =>
  moment === null ? null : isoTime(clock.wallOf(moment));

/** What may be shown of a webhook. */
export const viewOfWebhook = (
  farm: Clocked,
  { name, origin, events, tags, users, off, off_since, failing_since, rotates_until }: Webhook,
  counts: DeliveryCounts,
): WebhookView => ({
  ...{ name, origin, events, tags, users, is_on: off === null, off, counts },
  off_since: shown(farm, off_since),
  failing_since: shown(farm, failing_since),
  rotates_until: shown(farm, rotates_until !== null && rotates_until > farm.clock.steady() ? rotates_until : null),
});

export const viewOfDelivery = (farm: Clocked, row: WebhookDeliveryRow): WebhookDelivery => ({
  ...{ id: deliveryId(row), message_id: messageId(row), type: row.type, about: row.about },
  made: isoTime(farm.clock.wallOf(row.made)),
  ...{ state: row.state, tries: row.tries, status: row.status, answer: row.answer },
  ended: shown(farm, row.ended),
  next_try: shown(farm, row.nextTry),
});
