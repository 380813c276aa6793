import { noOthers, type Others, type RecordStore, type StoredRecord } from "../records.ts";
import type { Database } from "./connection/database.ts";
import type { Operation } from "./operation.ts";

const oneSql = "SELECT value FROM records WHERE kind = $1 AND key = $2";

export const createRecordStore = ({ ask }: Database, operation: Operation): RecordStore => ({
  get: async (kind, key) => (await ask<{ value: string }>(oneSql, kind, key))[0]?.value,
  all: (kind) => ask<StoredRecord>("SELECT key, value FROM records WHERE kind = $1 ORDER BY key", kind),
  change: operation(async (within, kind, key, decide, owner = null) => {
    const [found, others] = await Promise.all([
      within<{ value: string }>(oneSql, kind, key),
      within<Others>(othersSql, kind, key, owner),
    ]);
    const before = found[0]?.value;
    const after = decide(before, others[0] ?? noOthers);
    if (after === before) return { before, after };
    if (after === undefined) await within("DELETE FROM records WHERE kind = $1 AND key = $2", kind, key);
    else await within(putSql, kind, key, after, owner);
    await within(raiseSql, kind);
    return { before, after };
  }),
  version: async (kind) =>
    (await ask<{ version: number }>("SELECT version FROM record_versions WHERE kind = $1", kind))[0]?.version ?? 0,
});

const othersSql = `SELECT count(*) AS "all", coalesce(sum(octet_length(value)), 0)::bigint AS "allBytes",
  count(*) FILTER (WHERE owner = $3) AS own, coalesce(sum(octet_length(value)) FILTER (WHERE owner = $3), 0)::bigint AS "ownBytes"
  FROM records
  WHERE kind = $1 AND key <> $2`;
const putSql = `INSERT INTO records (kind, key, value, owner) VALUES ($1, $2, $3, $4)
  ON CONFLICT (kind, key) DO UPDATE SET value = excluded.value`;
const raiseSql = `INSERT INTO record_versions (kind, version) VALUES ($1, 1)
  ON CONFLICT (kind) DO UPDATE SET version = record_versions.version + 1`;
