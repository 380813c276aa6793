import { AppError } from "../../shared/basics/errors.ts";
import type { Handlers } from "../http/server.ts";
import type { Webhooks } from "../webhooks/webhooks.ts";

/** What programs are told of events, for those who may see and change that. */
export const webhookHandlers = (webhooks: Webhooks) =>
  ({
    listWebhooks: async () => ({ items: await webhooks.list() }),
    createWebhook: (wanted) => webhooks.create(wanted),
    changeWebhook: ({ name, ...wanted }) => webhooks.change(name, wanted),
    rotateWebhook: ({ name, ...wanted }) => webhooks.rotate(name, wanted),
    deleteWebhook: async ({ name }) => {
      await webhooks.remove(name);
      return {};
    },
    testWebhook: ({ name }) => webhooks.test(name),
    listWebhookMessages: ({ name, ...page }) => webhooks.deliveries(name, page),
    getWebhookMessage: ({ name, message_id }) => webhooks.delivery(name, message_id),
    sendWebhookMessages: ({ name, ids, all_given_up }) => {
      if (ids.length > 0 === all_given_up)
        throw new AppError("VALIDATION_FAILED", "Name the messages in ids, or ask for all_given_up");
      return webhooks.sendAgain(name, all_given_up ? "given_up" : ids);
    },
  }) satisfies Partial<Handlers>;
