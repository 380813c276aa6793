import { noOthers, type Others, type RecordStore, type StoredRecord } from "../records.ts";
import type { Connections } from "./connections.ts";
import { createOperation } from "./operation.ts";

// octet_length reads no value: how long it is stands in its row.
const othersSql = `SELECT count(*) AS "all", coalesce(sum(octet_length(value)), 0) AS allBytes,
  count(*) FILTER (WHERE owner = ?) AS own, coalesce(sum(octet_length(value)) FILTER (WHERE owner = ?), 0) AS ownBytes
  FROM records WHERE kind = ? AND key <> ?`;
const oneSql = "SELECT value FROM records WHERE kind = ? AND key = ?";

export const createRecordStore = ({ writer, point, reader }: Connections): RecordStore => {
  const one = point.prepare<[string, string], string>(oneSql).pluck();
  const current = writer.prepare<[string, string], string>(oneSql).pluck();
  const all = "SELECT key, value FROM records WHERE kind = ? ORDER BY key";
  const few = point.prepare<[string], StoredRecord>(all);
  const others = writer.prepare<[string | null, string | null, string, string], Others>(othersSql);
  const put = writer.prepare(
    "INSERT INTO records (kind, key, value, owner) VALUES (?, ?, ?, ?) ON CONFLICT (kind, key) DO UPDATE SET value = excluded.value",
  );
  const remove = writer.prepare("DELETE FROM records WHERE kind = ? AND key = ?");
  const raise = writer.prepare(
    "INSERT INTO record_versions VALUES (?, 1) ON CONFLICT (kind) DO UPDATE SET version = version + 1",
  );
  const version = point.prepare<[string], number>("SELECT version FROM record_versions WHERE kind = ?").pluck();
  return {
    get: async (kind, key) => one.get(kind, key),
    // There may be many presets, and large ones.
    all: async (kind) => (kind === "preset" ? reader.all(all, [kind]) : few.all(kind)),
    change: createOperation(writer)((kind, key, decide, owner = null) => {
      const before = current.get(kind, key);
      const after = decide(before, others.get(owner, owner, kind, key) ?? noOthers);
      if (after === before) return { before, after };
      if (after === undefined) remove.run(kind, key);
      else put.run(kind, key, after, owner);
      raise.run(kind);
      return { before, after };
    }),
    version: async (kind) => version.get(kind) ?? 0,
  };
};
