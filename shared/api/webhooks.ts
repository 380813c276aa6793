import { z } from "zod";
import { webhookDeliveryStates, webhookEventNames, webhookOffs } from "../outbound/webhooks.ts";

/** A webhook, without what is secret. */
export const webhookView = z.strictObject({
  name: z.string(),
  origin: z.string().describe("The beginning of its address; the rest may hold a key"),
  events: z.array(z.enum(webhookEventNames)),
  tags: z.array(z.string()),
  users: z.array(z.string()),
  is_on: z.boolean(),
  off: z.enum(webhookOffs).nullable().describe("Why it is off"),
  off_since: z.string().nullable(),
  failing_since: z.string().nullable().describe("Since when it took nothing; null: it took the last message"),
  rotates_until: z.string().nullable().describe("Until when what signed before signs as well"),
  /** Its messages by state, of those that are kept. */
  counts: z.strictObject({
    waiting: z.number().int(),
    delivered: z.number().int(),
    given_up: z.number().int(),
  }),
});
export type WebhookView = z.output<typeof webhookView>;

/** A message, and what came of it. */
export const webhookDelivery = z.strictObject({
  id: z.string(),
  message_id: z.string().describe("The header webhook-id, by which its receiver knows repeats"),
  type: z.string(),
  about: z.string().describe("Such as `job 12`"),
  made: z.string(),
  state: z.enum(webhookDeliveryStates),
  tries: z.number().int().describe("Since it was made, or since somebody had it sent again"),
  status: z.number().int().nullable().describe("Of the last response; null: there was none"),
  answer: z.string().nullable().describe("What the receiver answered, or why the last try failed"),
  ended: z.string().nullable(),
  next_try: z.string().nullable(),
});
export type WebhookDelivery = z.output<typeof webhookDelivery>;
