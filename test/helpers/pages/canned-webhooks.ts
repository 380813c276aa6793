import type { FastifyInstance } from "fastify";
import type { WebhookDelivery, WebhookView } from "../../../shared/api/webhooks.ts";
import { webhookEventNames } from "../../../shared/outbound/webhooks.ts";

const [now, before] = ["2026-11-01T12:00:00.000Z", "2026-11-01T11:00:00.000Z"];

const webhook: WebhookView = {
  ...{ name: "archive-import", origin: "https://archive.studio.example", tags: ["delivery"], users: ["Ann"] },
  events: ["job.completed", "outputs.published"],
  ...{ is_on: true, off: null, off_since: null, failing_since: null, rotates_until: now },
  counts: { waiting: 2, delivered: 1234, given_up: 1 },
};
const webhooks: readonly WebhookView[] = [
  webhook,
  {
    ...webhook,
    ...{ name: "a".repeat(60), origin: `https://${"long-name-".repeat(6)}hook.example`, tags: [], users: [] },
    events: [...webhookEventNames],
    ...{ is_on: false, off: "failing", off_since: now, failing_since: before, rotates_until: null },
  },
];

const message: WebhookDelivery = {
  ...{ id: "1-3", message_id: "msg_1-3", type: "job.completed", about: "job 990", made: now },
  ...{ state: "delivered", tries: 1, status: 204, answer: "https://archive.studio.example answered 204" },
  ...{ ended: now, next_try: null },
};
const messages: readonly WebhookDelivery[] = [
  {
    ...message,
    ...{ id: "1-5", type: "outputs.published", state: "waiting", tries: 3, status: 503, ended: null, next_try: now },
    answer: `https://archive.studio.example answered 503: ${"over-and-over-".repeat(20)}`,
  },
  { ...message, ...{ id: "1-4", state: "given_up", tries: 12, status: null, answer: "connect ECONNREFUSED" } },
  message,
];

/** Webhooks of the canned farm, with long names and troubles. */
export const cannedWebhooks = (app: FastifyInstance): void => {
  app.get("/ui/v1/webhooks", () => ({ items: webhooks }));
  app.post("/ui/v1/webhooks/:name/messages", () => ({ count: 1 }));
  app.post("/ui/v1/webhooks", () => webhook);
  app.put("/ui/v1/webhooks/:name", () => webhook);
  app.get("/ui/v1/webhooks/:name/messages", () => ({ items: messages, count: messages.length }));
};
