import { messageOf } from "../../shared/basics/errors.ts";
import { secretsOfAddress, withoutSecrets } from "../../shared/credentials/secrets-of-request.ts";
import type { Delivery, Receipt } from "../../shared/outbound/delivery.ts";
import type { Jobs } from "../jobs/jobs.ts";
import { createSender, type SenderNeeds } from "../outbound/sender.ts";
import { signatureHeaders } from "../outbound/signature.ts";
import type { WebhookDeliveryRow } from "../store/webhooks.ts";
import { changeOne, signingSecrets, type Target, targetOf, type Webhook } from "./config.ts";
import { type Attempted, deliveryId } from "./lanes.ts";
import type { Outbox } from "./outbox.ts";
import { healthAfter, outcomeOf } from "./tries.ts";

export type DeliveringNeeds = Pick<SenderNeeds, "deliver"> & { readonly farm: Jobs; readonly outbox: Outbox };

/** By which receivers know repeats: the same for every try of a message. */
export const messageId = (row: Pick<WebhookDeliveryRow, "epoch" | "nr">): string => `msg_${deliveryId(row)}`;

/** Tries messages, and keeps what came of it. */
export const createDelivering = ({ farm, outbox, deliver }: DeliveringNeeds) => {
  const sender = createSender({ farm, deliver });
  const { clock, log, store } = farm;

  const send = async (row: WebhookDeliveryRow, webhook: Webhook): Promise<Receipt> => {
    const target = targetOf(farm, webhook);
    const times = { at: clock.now(), now: clock.steady() };
    const receipt = await sender.send((rules) => deliveryOf(row, target, times, rules));
    return { ...receipt, answer: withoutSecrets(receipt.answer, secretsIn(target)) };
  };

  const keepHealth = async (name: string, receipt: Receipt): Promise<void> => {
    const now = clock.steady();
    const webhook = outbox.webhooks().find((each) => each.name === name);
    if (!webhook || !healthAfter(webhook, receipt, now)) return;
    const webhooks = await changeOne(farm, name, (each) => ({ ...each, ...healthAfter(each, receipt, now) }));
    outbox.take(webhooks);
    const off = webhooks.find((each) => each.name === name)?.off ?? null;
    if (off !== null) log.warn({ webhook: name, why: off }, "a webhook was switched off");
  };

  return {
    /** What cannot be stored is tried again, so that a receiver may get it twice. */
    attempt: async (row: WebhookDeliveryRow): Promise<Attempted> => {
      const webhook = outbox.webhooks().find(({ name }) => name === row.webhook);
      if (!webhook) return { isTaken: false }; // deleted: its messages are deleted as well
      try {
        const receipt = await send(row, webhook);
        if (sender.isEnding()) return { isTaken: false }; // the next coordinator tries it again
        const outcome = outcomeOf(row, receipt, { now: clock.steady(), chance: farm.random() });
        await store.webhooks.tried(row, outcome);
        const about = { webhook: row.webhook, id: messageId(row), state: outcome.state, status: receipt.status };
        log.info(about, "a webhook was tried");
        await keepHealth(row.webhook, receipt);
        return { isTaken: receipt.isTaken, askedMs: receipt.retryAfterMs };
      } catch (problem) {
        log.error({ webhook: row.webhook, err: messageOf(problem) }, "what came of a webhook cannot be kept");
        return { isTaken: false };
      }
    },
    end: sender.end,
    isEnding: sender.isEnding,
  };
};

/** A receiver knows the keys that sign as well, and may repeat them. */
const secretsIn = ({ url, secrets }: Target): string[] => [
  ...secretsOfAddress(url.reveal()),
  ...secrets.map(({ secret }) => secret.reveal()),
];

const deliveryOf = (
  row: WebhookDeliveryRow,
  target: Target,
  { at, now }: { readonly at: number; readonly now: number },
  rules: readonly string[],
): Delivery => {
  const id = messageId(row);
  const headers = {
    "content-type": "application/json",
    ...signatureHeaders({ id, at, body: row.body }, signingSecrets(target, now)),
  };
  return { key: id, way: { by: "request", url: target.url.reveal(), headers, body: row.body, rules } };
};
