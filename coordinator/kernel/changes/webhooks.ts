import type { WebhookDeliveryRow } from "../../store/webhooks.ts";
import type { ChangeContext } from "./change-context.ts";

/** Messages to webhooks. They are written with what they tell of, and none is kept in memory. */
export const webhookChanges = ({ put, weigh }: ChangeContext) => ({
  insertDelivery: (after: WebhookDeliveryRow): void => {
    weigh(2 * after.body.length);
    const key = [after.epoch, after.nr];
    put({ table: "webhookDeliveries", key, before: undefined, after }, () => undefined);
  },
});
