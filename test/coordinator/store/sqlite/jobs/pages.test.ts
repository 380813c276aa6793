import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Change } from "../../../../../coordinator/store/batch.ts";
import type { JobQuery, SortField } from "../../../../../coordinator/store/job-reads.ts";
import type { JobRow } from "../../../../../coordinator/store/rows.ts";
import { openSqlite } from "../../../../../coordinator/store/sqlite/open.ts";
import type { Store } from "../../../../../coordinator/store/store.ts";
import { jobSortFields as sorts } from "../../../../../shared/model/job-info.ts";
import { type JobStatus, jobStatuses } from "../../../../../shared/state/job.ts";
import { aJobRow, changed, inserted, leading, removed } from "../../../../helpers/farm/batches.ts";
import { aFolder, removeFolder } from "../../../../helpers/farm/farm.ts";
import { stored } from "../../../../helpers/farm/stored.ts";
import { times } from "../../../../helpers/long.ts";
import { randomFrom } from "../../../../helpers/random/random.ts";

/** As many that some are walked to and some are sorted. */
const jobCount = 9000;

const choices = [
  ["all", undefined],
  ["of one status", ["completed"]],
  ["of two", ["completed", "queued"]],
  ["of a rare one", ["failed"]],
  ["of none", []],
] as const satisfies [string, JobStatus[] | undefined][];
const skips = [0, 2500, 5999, jobCount - 50, 10 * jobCount];

type HowSorted = [field: SortField, order: "asc" | "desc", statuses: readonly JobStatus[]];

/** All jobs as one plain statement sorts them. */
const sortedOn = (disk: ReturnType<typeof stored>, ...[field, order, statuses]: HowSorted): number[] => {
  const wanted = statuses.map(() => "?").join(",");
  const sql = `SELECT id FROM jobs WHERE status IN (${wanted}) ORDER BY ${field} ${order}, id ${order}`;
  return disk.all<{ id: number }>(sql, ...statuses).map(({ id }) => id);
};

const pageOf = async (store: Store, query: Partial<JobQuery>): Promise<number[]> => {
  const all = { filters: [], order: "asc", sort: "id", skip: 0, take: 100 } as const;
  return (await store.jobs.list({ ...all, ...query })).map(({ id }) => id);
};

describe("a page of many jobs", () => {
  let folder: string;
  let store: Store;
  let write: Awaited<ReturnType<typeof leading>>["write"];
  const disk = () => stored({ config: { dataDir: folder } });
  const sorted = (...how: HowSorted) => sortedOn(disk(), ...how);

  beforeAll(async () => {
    folder = aFolder();
    store = openSqlite(folder);
    ({ write } = await leading(store));
    await write(someJobs().flatMap((row) => inserted(row)));
  });

  afterAll(async () => {
    await store.close();
    removeFolder(folder);
  });

  const page = (query: Partial<JobQuery>) => pageOf(store, query);

  const agree = async (field: SortField, statuses: readonly JobStatus[] | undefined) => {
    const filters = statuses ? [{ field: "status" as const, values: [...statuses] }] : [];
    for (const order of ["asc", "desc"] as const) {
      const expected = sorted(field, order, statuses ?? jobStatuses);
      for (const skip of skips) {
        const found = await page({ sort: field, order, filters, skip });
        expect([field, order, skip, found]).toEqual([field, order, skip, expected.slice(skip, skip + 100)]);
      }
    }
  };

  test.each(sorts)("sorted by %s is the one that plain SQL finds", async (field) => {
    await agree(field, undefined);
    for (const [, statuses] of choices) await agree(field, statuses);
  });

  test("stays right while jobs are made, changed, ended and deleted", async () => {
    const random = randomFrom(7);
    for (let round = 0; round < times(1, 3, 3); round += 1) {
      const asked = sorts.map((sort) => page({ sort, skip: 4000 }));
      for (let nr = 0; nr < 50; nr += 1)
        await write(changeOne(disk().job(random.integer(1, jobCount)), nr + round * 50, random));
      await Promise.all(asked);
      for (const field of sorts) await agree(field, undefined);
      for (const field of sorts) await agree(field, ["completed"]);
    }
  });

  test("has as many jobs as counting says, from counters and without", async () => {
    for (const values of choices.map(([, statuses]) => [...(statuses ?? jobStatuses)])) {
      const expected = sorted("id", "asc", values).length;
      expect(await store.jobs.count({ filters: [{ field: "status", values }] })).toBe(expected);
    }
    const [tagged] = disk().all<{ n: number }>("SELECT count(*) AS n FROM jobs WHERE user_tag = 'tag 3'");
    expect(await store.jobs.count({ filters: [{ field: "user_tag", values: ["tag 3"] }] })).toBe(tagged?.n);
    const rows = disk().all("SELECT status, substatus, count(*) AS n FROM jobs GROUP BY 1, 2 ORDER BY 1, 2");
    expect(await store.jobs.states({ filters: [] })).toEqual(rows);
  });
});

/** Values with many ties, with none, missing ones, and letters that UTF-16 sorts otherwise. */
const someJobs = (): JobRow[] => {
  const random = randomFrom(3);
  return Array.from({ length: jobCount }, (_, nr) => {
    const { name, userTag, status, ended } = aRow(random, nr);
    return aJobRow(nr + 1, {
      ...{
        name,
        user_tag: userTag,
        priority: random.integer(1, 254),
        status,
        substatus: random.one([null, "running"]),
      },
      ...{
        progress: nr % 101,
        creation_time: 1000 + (nr >> 2),
        start_time: ended,
        end_time: ended,
        expiration_time: ended,
      },
    });
  });
};

const names = ["a job", "\u{1f600}", "\uff5e", "é", "\ue000"];

const aRow = (random: ReturnType<typeof randomFrom>, nr: number) => {
  const status = nr % 1000 === 7 ? "failed" : nr < 6000 ? "completed" : random.one(["queued", "active"]);
  return {
    name: random.chance(0.5) ? random.one(names) : `${random.one(names)} ${random.integer(0, 1e6)}`,
    userTag: random.chance(0.3) ? null : `tag ${random.integer(0, 20)}`,
    status: status as JobStatus,
    ended: status === "completed" || status === "failed" ? 5000 + random.integer(0, 1000) : null,
  };
};

const changeOne = (row: JobRow | undefined, nr: number, random: ReturnType<typeof randomFrom>): Change[] => {
  const now = random.integer(1000, 9000);
  const made = inserted(
    aJobRow(jobCount + 1 + nr, { name: `new ${random.integer(0, 9)}`, priority: random.integer(1, 254) }),
  );
  if (!row) return made;
  const changes: (() => Change[])[] = [
    () => made,
    () => [removed(row)],
    () => [changed(row, { name: `changed ${random.integer(0, 9)}`, priority: random.integer(1, 254) })],
    () => [changed(row, { status: "completed", substatus: null, end_time: now, expiration_time: now + 600_000 })],
    () => [changed(row, { status: "active", substatus: "running", start_time: now })],
  ];
  return random.one(changes)();
};
