import { queryOptions } from "@tanstack/react-query";
import type { WebhookDeliveryState } from "../../../shared/outbound/webhooks.ts";
import { request } from "../../data/client.ts";

const everyMs = 5000;

/** How webhooks fare changes by itself. */
export const webhooksQuery = queryOptions({
  queryKey: ["webhooks"],
  refetchInterval: everyMs,
  queryFn: async ({ signal }) => (await request("listWebhooks", {}, { signal })).items,
});

/** The last messages of one webhook; `state` all: in any state. */
export const messagesQuery = (name: string, state: WebhookDeliveryState | "all") =>
  queryOptions({
    queryKey: ["webhooks", name, "messages", state],
    refetchInterval: everyMs,
    queryFn: async ({ signal }) => {
      const filter = state === "all" ? {} : { state };
      return request("listWebhookMessages", { name, ...filter, take: 50 }, { signal });
    },
  });
