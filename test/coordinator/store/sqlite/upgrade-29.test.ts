import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openSqlite } from "../../../../coordinator/store/sqlite/open.ts";
import { scopes } from "../../../../shared/people/scopes.ts";
import { dumpSchema } from "../../../dump-schema.ts";
import { aFolder, removeFolder } from "../../../helpers/farm/farm.ts";

// Goes together with `upgrade-29.ts`, with the next release.

let folder: string;

beforeEach(() => {
  folder = aFolder();
  withDatabase((db) => db.exec(readFileSync(new URL("version-29.sql", import.meta.url), "utf8")));
});

afterEach(() => removeFolder(folder));

const withDatabase = <T>(use: (db: Database.Database) => T): T => {
  const db = new Database(join(folder, "farm.db"));
  try {
    return use(db);
  } finally {
    db.close();
  }
};

/** The rows of every table by its name, `null` columns left out. */
const rows = () =>
  withDatabase((db) => {
    const names = db.prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all();
    return Object.fromEntries(names.map((name) => [name, db.prepare(`SELECT * FROM ${name}`).all()]));
  });

test("a farm of version 29 gets today's schema and keeps every row; its sections become tasks of a stage", async () => {
  const { sqlite_sequence: _, unsealed: __, ...before } = rows();
  for (const [name, found] of Object.entries(before)) expect([name, found.length]).not.toEqual([name, 0]);
  await openSqlite(folder).close();
  const { sqlite_sequence: ids, records, record_versions: ___, ...after } = rows();
  const { meta, mounts, presets, saved_views, credentials, ...same } = before;
  const [section, ...others] = same.tasks ?? [];
  // What migrations since then say of users and jobs from before.
  const then = scopes.filter((each) => each !== "webhooks"); // there were none
  const power = (mayMount: unknown) => ({
    scopes: JSON.stringify(mayMount ? then : then.filter((each) => each !== "mounts")),
    reach: "all",
  });
  const users = (same.api_users ?? []).map((each) => {
    const { may_mount, ...user } = Object(each);
    return { ...user, ...power(may_mount), group_name: null, expires: null, last_used: null };
  });
  const nodes = (same.nodes ?? []).map((each) => ({
    ...Object(each),
    joined_by: null,
    left_at: null,
    lost_at: null,
    pending: 0,
  }));
  const ofNobody = (rows: readonly unknown[] = []) =>
    rows.map((each) => ({ ...Object(each), owner_id: null, owner_group: null }));
  expect(after).toEqual({
    ...same,
    ...{ alert_messages: [], alert_state: [], webhook_deliveries: [] },
    jobs: ofNobody(same.jobs).map((each) => ({ ...each, traceparent: null })),
    facts: ofNobody(same.facts).map((each) => ({ ...each, found_by: null })),
    nodes,
    api_users: users,
    sessions: (same.sessions ?? []).map((each) => ({
      ...{ ...Object(each), origin: "", browser: "" },
      ...{ issuer: null, provider_session: null, most_role: null },
    })),
    people: (same.people ?? []).map((each) => ({
      ...{ ...Object(each), issuer: null, subject: null, second_steps: "" },
      ...{ only_tags: "[]", only_groups: "[]" },
    })),
    tasks: [{ ...Object(section), purpose: "stage" }, ...others].map((each) => ({ ...Object(each), cause: null })),
    ...{ trail: [], trail_ends: [], links: [] },
  });
  expect(records).toEqual(
    [
      { kind: "farm", key: "farm_id", value: "f1" },
      { kind: "farm", key: "outbound_rules", value: '["example.com"]' },
      { kind: "preset", key: "hd", value: '{"key":"hd"}' },
      { kind: "view", key: "jobs/tonight", value: '{"page":"jobs","name":"tonight","search":{"state":"failed"}}' },
      {
        kind: "credential",
        key: "nas",
        value:
          '{"name":"nas","kind":"login","prefix":"sftp://nas","bound":{"nodes":[7],"groups":[]},"sealed":"sealed","changed":8}',
      },
      {
        kind: "credential",
        key: "free",
        value: '{"name":"free","kind":"login","prefix":null,"bound":null,"sealed":"sealed","changed":9}',
      },
      { kind: "mounts", key: "all", value: '[{"prefix":"file:///nas","folders":{"posix":"/mnt/nas"}}]' },
    ].map((each) => ({ ...each, owner: null })),
  );
  expect(ids).toEqual(
    expect.arrayContaining([
      { name: "people", seq: 6 },
      { name: "audit", seq: 32 },
    ]),
  );
  expect(withDatabase((db) => [db.pragma("integrity_check"), db.pragma("foreign_key_check")])).toEqual([
    [{ integrity_check: "ok" }],
    [],
  ]);
  expect(withDatabase((db) => dumpSchema(db))).toBe(dumpSchema());
  expect(readdirSync(folder)).toContain(`farm.db.v29.${process.pid}.backup`);
});

test("its store goes on where it stopped", async () => {
  const store = openSqlite(folder);
  expect(await store.lead(0)).toEqual({ epoch: 13, batch: 0 });
  const { counters, nodes, held } = await store.recall(10);
  expect([counters, nodes.map(({ id }) => id), held]).toEqual([
    { jobs: 4, tasks: 11, attempts: 21, nodes: 7 },
    [7],
    [[2, { paused: 50, startAfter: null, tags: ["x"] }]],
  ]);
  const job = await store.load.job(2);
  expect(job?.runs).toMatchObject([{ uid: "list", state: "succeeded", batches: { task: 11, files: 5, size: 2 } }]);
  await store.close();
});

test("one that may still hold passwords in plain text is refused, and left as it is", () => {
  withDatabase((db) => db.exec("INSERT INTO unsealed VALUES ('specs', '[0, \"\"]')"));
  const before = rows();
  expect(() => openSqlite(folder)).toThrow("may still hold passwords in plain text");
  expect(rows()).toEqual(before);
});
