import type { Change } from "../../../../coordinator/store/batch.ts";
import type { Store } from "../../../../coordinator/store/store.ts";
import { nobodys } from "../../../../shared/rights/reach.ts";
import { aJobRow, inserted, insertedDelivery, removed } from "../../../helpers/farm/batches.ts";
import { filled } from "../contract/filled.ts";

/** Rows of every table, with what is hard to move: U+0000, long keys, fractions, gaps in ids, more rows than a page has. */
export const fillAllTables = async (store: Store): Promise<void> => {
  const lead = await filled(store);
  const facts = {
    size: 1,
    modified: 2.5,
    tool: "t",
    facts: { format: "mov" } as never,
    found: 2 ** 53 - 9,
    found_by: 7,
    ...nobodys,
  };
  const watched = { mark: "m", owner: null, job_id: null, at: 1, problem: null, gone: null };
  const many = Array.from({ length: 1200 }, (_, nr): Change[] => [
    { table: "facts", key: [`file:///${"x".repeat(nr)}\u0000\u0001\ufffd${nr}`], before: undefined, after: facts },
    { table: "watchedFiles", key: [`key:${nr % 7}`, `${nr}`], before: undefined, after: watched },
  ]).flat();
  await lead.write([
    ...[...many, ...inserted(aJobRow(70, { name: "N\u0000l" })), ...inserted(aJobRow(71))],
    { table: "groups", key: ["g"], before: undefined, after: { name: "g", provided_tags: ["a"], mandatory_tags: [] } },
    { table: "limits", key: ["t"], before: undefined, after: { tag: "t", most: 3 } },
    { table: "listings", key: [1, 0], before: undefined, after: { files: [] }, job: 1 },
    { table: "schedules", key: [70], before: undefined, after: { paused: 5, startAfter: null, tags: [] }, job: 70 },
    insertedDelivery({
      ...{ epoch: 1, nr: 1, webhook: "one", type: "job.failed", about: "job 1", made: 1, body: '{"a":"\\u0000"}' },
      ...{ state: "waiting", since: 1, tries: 1, nextTry: 2, ended: null, status: 503, answer: "no" },
    }),
    { table: "submissions", key: ["me", "k"], before: undefined, after: { mark: "m", job_id: 1, created: 70 } },
  ]);
  await lead.write([removed(aJobRow(71))], { jobs: 71 });
  const power = { scopes: [], reach: "all", group: null } as const;
  const user = { auth_key: "u", secretHash: "h", name: "n", created: 1, expires: 9, ...power };
  const pass = { hash: "p", now: 1, expires: 9, most: 3 };
  await store.accounts.create({ oapi_key: "k", oapi_secret: "s" }, user, 1);
  await store.accounts.logIn((await store.accounts.user("u"))?.id ?? 0, pass, 2);
  await store.people.insert({ name: "Ada", role: "owner", passwordHash: "h", created: 1 }, pass);
  const link = { person_id: 1, issuer: "https://a", subject: "1\u0000", name: "ada", created: 2 };
  await store.people.link(link, { hash: "p", now: 2 });
  await store.people.insert({ name: "Eve", role: "viewer", passwordHash: "h", created: 1 });
  await store.people.remove("Eve");
  await store.audit.add([{ at: 1, who: "Ada", action: "stop", jobId: 1, nodeId: null, note: "why" }]);
  const content = { counts: [], notices: [], is_test: true };
  await store.alerts.note('{"open":{}}', [{ channel: "night", made: 1, content, nextTry: 2 }]);
  await store.trail.add(
    [{ at: 1, who: "Ada", origin: "::1", action: "stopJob", outcome: "done", about: "job_id=1" }],
    9,
  );
  await store.records.change("preset", "p", () => '{"a":"\\u0000"}');
};
