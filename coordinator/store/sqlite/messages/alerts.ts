import { type AlertMessageRow, type AlertStore, mostAlertMessages } from "../../alerts.ts";
import type { Connections } from "../connections.ts";
import { createOperation } from "../operation.ts";

const columns = "id, channel, made, content, state, tries, next_try AS nextTry, ended, answer";

type Stored = Omit<AlertMessageRow, "content"> & { readonly content: string };

const opened = (row: Stored): AlertMessageRow => ({ ...row, content: JSON.parse(row.content) });

export const createAlertStore = ({ writer, point }: Connections): AlertStore => {
  const operation = createOperation(writer);
  const state = point.prepare<[], string>("SELECT value FROM alert_state").pluck();
  const forget = writer.prepare("DELETE FROM alert_state");
  const put = writer.prepare(
    "INSERT INTO alert_state (id, value) VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET value = excluded.value",
  );
  const add = writer.prepare(
    "INSERT INTO alert_messages (channel, made, content, state, tries, next_try) VALUES (?, ?, ?, 'waiting', 0, ?)",
  );
  const trim = writer.prepare(
    "DELETE FROM alert_messages WHERE next_try IS NULL AND id <= (SELECT max(id) FROM alert_messages) - ?",
  );
  const end = writer.prepare(
    "UPDATE alert_messages SET state = ?, tries = ?, next_try = ?, ended = ?, answer = ? WHERE id = ?",
  );
  const due = point.prepare<[number, number], Stored>(
    `SELECT ${columns} FROM alert_messages WHERE next_try <= ? ORDER BY next_try, id LIMIT ?`,
  );
  const list = point.prepare<[number], Stored>(`SELECT ${columns} FROM alert_messages ORDER BY id DESC LIMIT ?`);
  return {
    state: async () => state.get(),
    note: operation((value, messages) => {
      if (value === null) forget.run();
      else if (value !== undefined) put.run(value);
      const ids = messages.map(({ channel, made, content, nextTry }) =>
        Number(add.run(channel, made, JSON.stringify(content), nextTry).lastInsertRowid),
      );
      if (ids.length > 0) trim.run(mostAlertMessages);
      return ids;
    }),
    due: async (now, most) => due.all(now, most).map(opened),
    tried: operation((id, outcome) => {
      end.run(outcome.state, outcome.tries, outcome.nextTry, outcome.ended, outcome.answer, id);
    }),
    list: async (take) => list.all(take).map(opened),
  };
};
