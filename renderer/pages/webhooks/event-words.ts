import { t } from "@lingui/core/macro";
import type { WebhookDeliveryState, WebhookEvent, WebhookOff } from "../../../shared/outbound/webhooks.ts";

/** What happened, in words. */
export const eventWords: Readonly<Record<WebhookEvent, string>> = {
  "job.submitted": t`A job was submitted`,
  "job.started": t`A job started`,
  "job.completed": t`A job completed`,
  "job.failed": t`A job failed`,
  "job.stopped": t`A job was stopped`,
  "outputs.published": t`Files were published`,
  "node.lost": t`A node is lost`,
  "node.back": t`A node is back`,
  "node.off": t`A node was switched off`,
};

export const messageStateWords: Readonly<Record<WebhookDeliveryState, string>> = {
  waiting: t`waiting`,
  delivered: t`delivered`,
  given_up: t`given up`,
};

export const offWords: Readonly<Record<WebhookOff, string>> = {
  hand: t`Off: its messages wait.`,
  failing: t`Switched off, since it took nothing for days. Its messages wait.`,
  gone: t`Switched off: its receiver says that it is gone. Its messages wait.`,
};
