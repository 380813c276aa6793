import { type AlertMessageRow, type AlertStore, mostAlertMessages } from "../../alerts.ts";
import type { Database } from "../connection/database.ts";
import type { Operation } from "../operation.ts";

const columns = 'id, channel, made, content, state, tries, next_try AS "nextTry", ended, answer';

const putSql = `INSERT INTO alert_state (id, value) VALUES (1, $1)
  ON CONFLICT (id) DO UPDATE SET value = excluded.value`;
const addSql = `INSERT INTO alert_messages (channel, made, content, state, tries, next_try)
  VALUES ($1, $2, $3, 'waiting', 0, $4) RETURNING id`;
const trimSql = "DELETE FROM alert_messages WHERE next_try IS NULL AND id <= (SELECT max(id) FROM alert_messages) - $1";
const triedSql =
  "UPDATE alert_messages SET state = $1, tries = $2, next_try = $3, ended = $4, answer = $5 WHERE id = $6";

const dueSql = `SELECT ${columns} FROM alert_messages WHERE next_try <= $1 ORDER BY next_try, id LIMIT $2`;
const listSql = `SELECT ${columns} FROM alert_messages ORDER BY id DESC LIMIT $1`;

/** JSON comes as text. */
type Stored = Omit<AlertMessageRow, "content"> & { readonly content: string };
const opened = (row: Stored): AlertMessageRow => ({ ...row, content: JSON.parse(row.content) });

export const createAlertStore = ({ ask }: Database, operation: Operation): AlertStore => ({
  state: async () => (await ask<{ value: string }>("SELECT value FROM alert_state"))[0]?.value,
  note: operation(async (within, value, messages) => {
    if (value === null) await within("DELETE FROM alert_state");
    else if (value !== undefined) await within(putSql, value);
    const ids: number[] = [];
    for (const { channel, made, content, nextTry } of messages) {
      const added = await within<{ id: number }>(addSql, channel, made, JSON.stringify(content), nextTry);
      ids.push(...added.map(({ id }) => id));
    }
    if (ids.length > 0) await within(trimSql, mostAlertMessages);
    return ids;
  }),
  due: async (now, most) => (await ask<Stored>(dueSql, now, most)).map(opened),
  tried: operation(async (within, id, { state, tries, nextTry, ended, answer }) => {
    await within(triedSql, state, tries, nextTry, ended, answer, id);
  }),
  list: async (take) => (await ask<Stored>(listSql, take)).map(opened),
});
