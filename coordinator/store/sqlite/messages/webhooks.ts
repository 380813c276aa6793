import type { WebhookDeliveryState } from "../../../../shared/outbound/webhooks.ts";
import {
  changedAtOnce,
  countTrimmed,
  type DeliveryKey,
  deliveryCounts,
  type WebhookDeliveryRow,
  type WebhookStore,
} from "../../webhooks.ts";
import type { Connections } from "../connections.ts";
import { createOperation } from "../operation.ts";

const columns =
  "epoch, nr, webhook, type, about, made, body, state, since, tries, next_try AS nextTry, ended, http_status AS status, answer";
const selectSql = `SELECT ${columns} FROM webhook_deliveries WHERE webhook = ?`;
const newestSql = "ORDER BY epoch DESC, nr DESC LIMIT ? OFFSET ?";
const countSql = "SELECT state, count(*) AS n FROM webhook_deliveries WHERE webhook = ? GROUP BY state";
const againSql = `UPDATE webhook_deliveries
  SET state = 'waiting', since = ?, tries = 0, next_try = ?, ended = NULL WHERE webhook = ?`;
const trimSql = (where: string) => `DELETE FROM webhook_deliveries WHERE (epoch, nr) IN
  (SELECT epoch, nr FROM webhook_deliveries WHERE ${where} LIMIT ${changedAtOnce}) RETURNING state`;

export const createWebhookStore = ({ writer, point, reader }: Connections): WebhookStore => {
  const operation = createOperation(writer);
  const end = writer.prepare(
    `UPDATE webhook_deliveries SET state = ?, since = ?, tries = ?, next_try = ?, ended = ?, http_status = ?, answer = ?
     WHERE epoch = ? AND nr = ?`,
  );
  const again = writer.prepare(`${againSql} AND epoch = ? AND nr = ?`);
  const someAgain = writer.prepare(`${againSql} AND (epoch, nr) IN (SELECT epoch, nr FROM webhook_deliveries
    WHERE webhook = ? AND state = ? AND (next_try IS NULL OR next_try > ?) LIMIT ${changedAtOnce})`);
  const remove = writer.prepare("DELETE FROM webhook_deliveries WHERE webhook = ?");
  const due = point.prepare<[string, number, number], WebhookDeliveryRow>(
    `${selectSql} AND next_try <= ? ORDER BY next_try, epoch, nr LIMIT ?`,
  );
  const get = point.prepare<[string, number, number], WebhookDeliveryRow>(`${selectSql} AND epoch = ? AND nr = ?`);
  const edge = writer.prepare<[string, number], DeliveryKey>(
    `SELECT epoch, nr FROM webhook_deliveries WHERE webhook = ? ORDER BY epoch DESC, nr DESC LIMIT 1 OFFSET ?`,
  );
  type Gone = { readonly state: WebhookDeliveryState };
  const trimOld = writer.prepare<[string, number], Gone>(trimSql("webhook = ? AND made < ?"));
  const trimBeyond = writer.prepare<[string, number, number], Gone>(trimSql("webhook = ? AND (epoch, nr) <= (?, ?)"));
  const trimOthers = writer.prepare<[string], Gone>(trimSql("webhook NOT IN (SELECT value FROM json_each(?))"));
  return {
    due: async (webhook, now, most) => due.all(webhook, now, most),
    tried: operation(({ epoch, nr }, { state, since, tries, nextTry, ended, status, answer }) => {
      end.run(state, since, tries, nextTry, ended, status, answer, epoch, nr);
    }),
    sendAgain: operation((webhook, keys, now) =>
      keys.reduce((sum, { epoch, nr }) => sum + again.run(now, now, webhook, epoch, nr).changes, 0),
    ),
    sendSomeAgain: operation((webhook, state, now) => someAgain.run(now, now, webhook, webhook, state, now).changes),
    get: async (webhook, { epoch, nr }) => get.get(webhook, epoch, nr),
    list: (webhook, state, { skip, take }) =>
      state === undefined
        ? reader.all<WebhookDeliveryRow>(`${selectSql} ${newestSql}`, [webhook, take, skip])
        : reader.all<WebhookDeliveryRow>(`${selectSql} AND state = ? ${newestSql}`, [webhook, state, take, skip]),
    counts: async (webhook) =>
      deliveryCounts(await reader.all<{ state: WebhookDeliveryState; n: number }>(countSql, [webhook])),
    remove: operation((webhook) => {
      remove.run(webhook);
    }),
    trim: operation((webhook, { before, most }) => {
      const old = trimOld.all(webhook, before);
      const last = edge.get(webhook, most);
      return countTrimmed([...old, ...(last ? trimBeyond.all(webhook, last.epoch, last.nr) : [])]);
    }),
    trimOthers: operation((webhooks) => {
      trimOthers.all(JSON.stringify(webhooks));
    }),
  };
};
