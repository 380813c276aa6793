import type { Cipher } from "../cipher.ts";
import { chained, endsText, noEnds, type TrailEnds, type TrailRow, type TrailStore, trimmedAtOnce } from "../trail.ts";
import { endsOf, type StoredEnds, searchOf } from "../trail-sql.ts";
import type { Database } from "./connection/database.ts";
import type { Operation } from "./operation.ts";

const columns = "id, at, who, origin, action, outcome, about, hash";
const endsSql = "SELECT first, before, last, hash, seal FROM trail_ends";

export const createTrailStore = ({ ask }: Database, operation: Operation, cipher: Cipher): TrailStore => ({
  add: operation(async (within, lines, keep) => {
    const put = ({ first, before, last, hash }: Omit<TrailEnds, "isSealed">) =>
      within(putSql, first, before, last, hash, cipher.seal(endsText({ first, before, last, hash })));
    const [stored] = await within<StoredEnds>(endsSql);
    const ends = stored ?? noEnds;
    const rows = chained(lines, ends);
    await within(insertSql, JSON.stringify(rows));
    const { id: last, hash } = rows.at(-1) ?? { id: ends.last, hash: ends.hash };
    const first = Math.min(ends.first + trimmedAtOnce, last - keep + 1);
    if (first <= ends.first) return void (await put({ first: ends.first, before: ends.before, last, hash }));
    const [removed] = await within<{ hash: string }>("SELECT hash FROM trail WHERE id = $1", first - 1);
    await within("DELETE FROM trail WHERE id < $1", first);
    await put({ first, before: removed?.hash ?? ends.before, last, hash });
  }),
  find: (search, take) => {
    let nr = 0;
    const place = (): string => `$${++nr}`;
    const { where, params } = searchOf(search, place);
    return ask<TrailRow>(
      `SELECT ${columns} FROM trail WHERE ${where} ORDER BY id DESC LIMIT ${place()}`,
      ...params,
      take,
    );
  },
  after: (id, take) => ask<TrailRow>(`SELECT ${columns} FROM trail WHERE id > $1 ORDER BY id LIMIT $2`, id, take),
  ends: async () => endsOf(cipher, (await ask<StoredEnds>(endsSql))[0]),
});

const insertSql = `INSERT INTO trail (${columns}) SELECT ${columns} FROM json_to_recordset($1) AS r(id bigint, at bigint,
  who text, origin text, action text, outcome text, about text, hash text)`;
const putSql = `INSERT INTO trail_ends (id, first, before, last, hash, seal) VALUES (1, $1, $2, $3, $4, $5)
  ON CONFLICT (id) DO UPDATE SET first = excluded.first, before = excluded.before, last = excluded.last,
    hash = excluded.hash, seal = excluded.seal`;
