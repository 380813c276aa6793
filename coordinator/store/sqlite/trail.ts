import type { Cipher } from "../cipher.ts";
import { chained, endsText, noEnds, type TrailEnds, type TrailRow, type TrailStore, trimmedAtOnce } from "../trail.ts";
import { endsOf, type StoredEnds, searchOf } from "../trail-sql.ts";
import type { Connections } from "./connections.ts";
import { createOperation } from "./operation.ts";

const columns = "id, at, who, origin, action, outcome, about, hash";
const endsSql = "SELECT first, before, last, hash, seal FROM trail_ends";

export const createTrailStore = ({ writer, point, reader }: Connections, cipher: Cipher): TrailStore => {
  const current = writer.prepare<[], StoredEnds>(endsSql);
  const insert = writer.prepare(`INSERT INTO trail (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`);
  const hashAt = writer.prepare<[number], string>("SELECT hash FROM trail WHERE id = ?").pluck();
  const remove = writer.prepare("DELETE FROM trail WHERE id < ?");
  const put = writer.prepare(
    `INSERT INTO trail_ends (id, first, before, last, hash, seal) VALUES (1, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE
     SET first = excluded.first, before = excluded.before, last = excluded.last, hash = excluded.hash, seal = excluded.seal`,
  );
  const known = point.prepare<[], StoredEnds>(endsSql);

  const trim = (ends: Omit<TrailEnds, "isSealed">, keep: number): Omit<TrailEnds, "isSealed"> => {
    const first = Math.min(ends.first + trimmedAtOnce, ends.last - keep + 1);
    if (first <= ends.first) return ends;
    const before = hashAt.get(first - 1) ?? ends.before;
    remove.run(first);
    return { ...ends, first, before };
  };

  return {
    add: createOperation(writer)((lines, keep) => {
      const ends = current.get() ?? noEnds;
      const rows = chained(lines, ends);
      for (const { id, at, who, origin, action, outcome, about, hash } of rows)
        insert.run(id, at, who, origin, action, outcome, about, hash);
      const { id: last, hash } = rows.at(-1) ?? { id: ends.last, hash: ends.hash };
      const next = trim({ first: ends.first, before: ends.before, last, hash }, keep);
      put.run(next.first, next.before, next.last, next.hash, cipher.seal(endsText(next)));
    }),
    find: (search, take) => {
      const { where, params } = searchOf(search, () => "?");
      return reader.all<TrailRow>(`SELECT ${columns} FROM trail WHERE ${where} ORDER BY id DESC LIMIT ?`, [
        ...params,
        take,
      ]);
    },
    after: (id, take) =>
      reader.all<TrailRow>(`SELECT ${columns} FROM trail WHERE id > ? ORDER BY id LIMIT ?`, [id, take]),
    ends: async () => endsOf(cipher, known.get()),
  };
};
