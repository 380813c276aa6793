import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { JobQuery, SortField } from "../../../coordinator/db/job-pages.ts";
import { type Db, openDb } from "../../../coordinator/db/open.ts";
import { createStores, type Stores } from "../../../coordinator/db/stores.ts";
import { jobInfo } from "../../../shared/job-info.ts";
import { type JobStatus, jobStatuses } from "../../../shared/state/job.ts";
import { aFolder, removeFolder } from "../../helpers/farm.ts";
import { randomFrom } from "../../helpers/random.ts";

const sortFields = jobInfo.omit({ error: true }).keyof().options;
/** As many that some are walked to and some are sorted. */
const jobCount = 9000;

describe("a page of many jobs", () => {
  let folder: string;
  let db: Db;
  let stores: Stores;

  beforeAll(() => {
    folder = aFolder();
    db = openDb(folder);
    stores = createStores(db);
    fill(db);
  });

  afterAll(async () => {
    await db.close();
    removeFolder(folder);
  });

  /** All jobs as one plain statement sorts them. */
  const sorted = (field: SortField, order: "asc" | "desc", statuses: readonly JobStatus[]): number[] =>
    db.writer
      .prepare<unknown[], { id: number }>(
        `SELECT id FROM jobs WHERE status IN (${statuses.map(() => "?").join(",")}) ORDER BY ${field} ${order}, id ${order}`,
      )
      .all(...statuses)
      .map(({ id }) => id);

  const page = async (query: Partial<JobQuery>) => {
    const all = { ids: undefined, filters: [], order: "asc", sortField: "id", skip: 0, take: 100 } as const;
    return (await stores.jobPages.list({ ...all, ...query })).map(({ id }) => id);
  };

  const choices = [
    ["all", undefined],
    ["of one status", ["completed"]],
    ["of two", ["completed", "queued"]],
    ["of a rare one", ["failed"]],
    ["of none", []],
  ] as const satisfies [string, JobStatus[] | undefined][];
  const skips = [0, 2500, 5999, jobCount - 50, 10 * jobCount];

  const agree = async (field: SortField, statuses: readonly JobStatus[] | undefined) => {
    const filters = statuses ? [{ field: "status" as const, values: [...statuses] }] : [];
    for (const order of ["asc", "desc"] as const) {
      const expected = sorted(field, order, statuses ?? jobStatuses);
      for (const skip of skips) {
        const found = await page({ sortField: field, order, filters, skip });
        expect([field, order, skip, found]).toEqual([field, order, skip, expected.slice(skip, skip + 100)]);
      }
    }
  };

  test.each(sortFields)("sorted by %s is the one that plain SQL finds", async (field) => {
    await agree(field, undefined);
    for (const [, statuses] of choices) await agree(field, statuses);
  });

  test("stays right while jobs are made, changed, ended and deleted", async () => {
    const random = randomFrom(7);
    for (let round = 0; round < 3; round += 1) {
      const asked = sortFields.map((sortField) => page({ sortField, skip: 4000 }));
      for (let change = 0; change < 300; change += 1) void db.commit(() => changeOne(stores, random));
      await Promise.all(asked);
      await db.settle();
      for (const field of sortFields) await agree(field, undefined);
      for (const field of sortFields) await agree(field, ["completed"]);
    }
  });

  test("forgets what a commit took back", async () => {
    await agree("name", undefined);
    const undone = db.commit(() => {
      stores.jobs.update(6000, { name: "zzz" });
      throw new Error("no");
    });
    await expect(undone).rejects.toThrow("no");
    await agree("name", undefined);
  });

  test("has as many jobs as counting says, from counters and without", async () => {
    for (const values of choices.map(([, statuses]) => [...(statuses ?? jobStatuses)])) {
      const expected = sorted("id", "asc", values).length;
      expect(await stores.jobPages.count([{ field: "status", values }])).toBe(expected);
    }
    const tagged = db.writer
      .prepare<[], { n: number }>("SELECT count(*) AS n FROM jobs WHERE user_tag = 'tag 3'")
      .get();
    expect(await stores.jobPages.count([{ field: "user_tag", values: ["tag 3"] }])).toBe(tagged?.n);
    const rows = db.writer
      .prepare("SELECT status, substatus, count(*) AS n FROM jobs GROUP BY 1, 2 ORDER BY 1, 2")
      .all();
    expect(stores.jobPages.states()).toEqual(rows);
  });
});

/** Values with many ties, with none, missing ones, and letters that UTF-16 sorts otherwise. */
const fill = ({ writer }: Db): void => {
  const random = randomFrom(3);
  const insert = writer.prepare(`INSERT INTO jobs (name, user_tag, priority, status, substatus, progress, creation_time,
    start_time, end_time, expiration, expiration_time) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 10, ?)`);
  writer.transaction(() => {
    for (let nr = 0; nr < jobCount; nr += 1) {
      const { name, userTag, status, ended } = aRow(random, nr);
      const [priority, substatus, progress] = [random.integer(1, 254), random.one([null, "running"]), nr % 101];
      const created = 1000 + (nr >> 2);
      insert.run(name, userTag, priority, status, substatus, progress, created, ended, ended, ended);
    }
  })();
};

const names = ["a job", "\u{1f600}", "\uff5e", "é", "\ue000"];

const aRow = (random: ReturnType<typeof randomFrom>, nr: number) => {
  const status = nr % 1000 === 7 ? "failed" : nr < 6000 ? "completed" : random.one(["queued", "active"]);
  return {
    name: random.chance(0.5) ? random.one(names) : `${random.one(names)} ${random.integer(0, 1e6)}`,
    userTag: random.chance(0.3) ? null : `tag ${random.integer(0, 20)}`,
    status,
    ended: status === "completed" || status === "failed" ? 5000 + random.integer(0, 1000) : null,
  };
};

const changeOne = ({ jobs }: Stores, random: ReturnType<typeof randomFrom>): void => {
  const id = random.integer(1, jobCount);
  const now = random.integer(1000, 9000);
  const state = { id, progress: random.integer(0, 100), error: null, now, steady: now, hasStarted: random.chance(0.5) };
  const spec = { userTag: null, expiration: 1, definition: "{}", elements: [], connections: [], warnings: [], now };
  const changes: (() => void)[] = [
    () => jobs.insert({ ...spec, name: `new ${random.integer(0, 9)}`, priority: random.integer(1, 254) }),
    () => jobs.remove(id),
    () => jobs.update(id, { name: `changed ${random.integer(0, 9)}`, priority: random.integer(1, 254) }),
    () => jobs.setState({ ...state, status: "completed", substatus: null, hasEnded: true }),
    () => jobs.setState({ ...state, status: "active", substatus: "running", hasEnded: false }),
  ];
  random.one(changes)();
};
