import type { WebhookDeliveryState } from "../../../../shared/outbound/webhooks.ts";
import {
  changedAtOnce,
  countTrimmed,
  type DeliveryKey,
  deliveryCounts,
  type WebhookDeliveryRow,
  type WebhookStore,
} from "../../webhooks.ts";
import type { Database } from "../connection/database.ts";
import type { Operation } from "../operation.ts";

const columns =
  'epoch, nr, webhook, type, about, made, body, state, since, tries, next_try AS "nextTry", ended, http_status AS status, answer';
const selectSql = `SELECT ${columns} FROM webhook_deliveries WHERE webhook = $1`;
const newestSql = "ORDER BY epoch DESC, nr DESC LIMIT $2 OFFSET $3";
const edgeSql =
  "SELECT epoch, nr FROM webhook_deliveries WHERE webhook = $1 ORDER BY epoch DESC, nr DESC LIMIT 1 OFFSET $2";
const countSql = "SELECT state, count(*) AS n FROM webhook_deliveries WHERE webhook = $1 GROUP BY state";
const triedSql = `UPDATE webhook_deliveries
  SET state = $1, since = $2, tries = $3, next_try = $4, ended = $5, http_status = $6, answer = $7 WHERE epoch = $8 AND nr = $9`;
const againSql = `UPDATE webhook_deliveries
  SET state = 'waiting', since = $2, tries = 0, next_try = $2, ended = NULL WHERE webhook = $1`;
const someSql = `(SELECT epoch, nr FROM webhook_deliveries
  WHERE webhook = $1 AND state = $3 AND (next_try IS NULL OR next_try > $2) LIMIT ${changedAtOnce})`;
const trimSql = (where: string) => `DELETE FROM webhook_deliveries WHERE (epoch, nr) IN
  (SELECT epoch, nr FROM webhook_deliveries WHERE ${where} LIMIT ${changedAtOnce}) RETURNING state`;

type Gone = { readonly state: WebhookDeliveryState };

export const createWebhookStore = ({ ask }: Database, operation: Operation): WebhookStore => ({
  due: (webhook, now, most) =>
    ask<WebhookDeliveryRow>(
      `${selectSql} AND next_try <= $2 ORDER BY next_try, epoch, nr LIMIT $3`,
      webhook,
      now,
      most,
    ),
  tried: operation(async (within, { epoch, nr }, { state, since, tries, nextTry, ended, status, answer }) => {
    await within(triedSql, state, since, tries, nextTry, ended, status, answer, epoch, nr);
  }),
  sendAgain: operation(async (within, webhook, keys, now) => {
    let sent = 0;
    for (const { epoch, nr } of keys)
      sent += (await within(`${againSql} AND epoch = $3 AND nr = $4 RETURNING nr`, webhook, now, epoch, nr)).length;
    return sent;
  }),
  sendSomeAgain: operation(async (within, webhook, state, now) => {
    const again = await within(`${againSql} AND (epoch, nr) IN ${someSql} RETURNING nr`, webhook, now, state);
    return again.length;
  }),
  get: async (webhook, { epoch, nr }) =>
    (await ask<WebhookDeliveryRow>(`${selectSql} AND epoch = $2 AND nr = $3`, webhook, epoch, nr))[0],
  list: (webhook, state, { skip, take }) =>
    state === undefined
      ? ask<WebhookDeliveryRow>(`${selectSql} ${newestSql}`, webhook, take, skip)
      : ask<WebhookDeliveryRow>(`${selectSql} AND state = $4 ${newestSql}`, webhook, take, skip, state),
  counts: async (webhook) => deliveryCounts(await ask<Gone & { readonly n: number }>(countSql, webhook)),
  remove: operation(async (within, webhook) => {
    await within("DELETE FROM webhook_deliveries WHERE webhook = $1", webhook);
  }),
  trim: operation(async (within, webhook, { before, most }) => {
    const old = await within<Gone>(trimSql("webhook = $1 AND made < $2"), webhook, before);
    const [last] = await within<DeliveryKey>(edgeSql, webhook, most);
    const beyond = last
      ? await within<Gone>(trimSql("webhook = $1 AND (epoch, nr) <= ($2, $3)"), webhook, last.epoch, last.nr)
      : [];
    return countTrimmed([...old, ...beyond]);
  }),
  trimOthers: operation(async (within, webhooks) => {
    await within(trimSql("NOT webhook = ANY($1::text[])"), webhooks);
  }),
});
