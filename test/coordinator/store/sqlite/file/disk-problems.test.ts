import { closeSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { asAnswer, diskProblemOf } from "../../../../../coordinator/store/sqlite/file/disk-problems.ts";
import { openSqlite } from "../../../../../coordinator/store/sqlite/open.ts";
import { aJobRow, inserted, leading } from "../../../../helpers/farm/batches.ts";
import { openTestCoordinator } from "../../../../helpers/farm/coordinator.ts";
import { damage } from "../../../../helpers/farm/damage.ts";
import { aFolder, aSmallJob, removeFolder } from "../../../../helpers/farm/farm.ts";

let folder: string;
beforeEach(() => {
  folder = aFolder();
});
afterEach(() => removeFolder(folder));

const error = (code: string) => new Database.SqliteError("no", code);

describe("what SQLite says of the disk", () => {
  test.each([
    ["SQLITE_FULL", "The coordinator's disk is full: nothing can be stored"],
    ["SQLITE_IOERR_READ", "The coordinator's disk fails (SQLITE_IOERR_READ): nothing can be stored"],
    ["SQLITE_READONLY", "The coordinator's disk or database is read-only (SQLITE_READONLY): nothing can be stored"],
    [
      "SQLITE_CORRUPT_INDEX",
      "The coordinator's database is damaged (SQLITE_CORRUPT_INDEX): a backup should be restored; nothing can be stored",
    ],
  ])("%s is told in words", (code, words) => {
    expect(diskProblemOf(error(code), "stored")).toBe(words);
    expect(asAnswer(error(code), "stored")).toMatchObject({ code: "UNAVAILABLE", message: words });
  });

  test("of a read says that it is one, also where the error came from another thread", () => {
    const words = "The coordinator's disk fails (SQLITE_IOERR_READ): what was asked for cannot be read";
    expect(diskProblemOf(Object.assign(new Error("disk I/O error"), { code: "SQLITE_IOERR_READ" }), "read")).toBe(
      words,
    );
  });

  test("is nothing where a statement is wrong, or the error is not SQLite's", () => {
    for (const problem of [error("SQLITE_CONSTRAINT_UNIQUE"), new Error("no"), { code: "SQLITE_FULL" }, undefined])
      expect([diskProblemOf(problem, "read"), asAnswer(problem, "read")]).toEqual([undefined, problem]);
  });
});

const damaged = { code: "UNAVAILABLE", message: expect.stringContaining("database is damaged (SQLITE_CORRUPT") };

test("a damaged page is told by reads of either thread and by operations; all others go on", async () => {
  const person = (name: string) => ({ name, role: "viewer", passwordHash: "h", created: 1 }) as const;
  const before = openSqlite(folder);
  await before.people.insert(person("Ann"));
  await (await leading(before)).write(inserted(aJobRow(1)));
  await before.close();
  damage(folder, "job_definitions");
  damage(folder, "people");
  const store = openSqlite(folder);
  const lead = await leading(store);
  await expect(store.load.job(1)).rejects.toMatchObject(damaged);
  await expect(store.jobs.outline(1)).rejects.toMatchObject(damaged);
  await expect(store.people.readAll()).rejects.toMatchObject(damaged);
  await expect(store.people.insert(person("Bob"))).rejects.toMatchObject(damaged);
  // A batch is refused as if for its content, so that only the decision that needs the page fails.
  await expect(lead.write(inserted(aJobRow(2)))).rejects.toMatchObject({ kind: "content", cause: damaged });
  expect((await store.load.row("jobs", 1))?.id).toBe(1);
  await store.records.change("farm", "a", () => "b");
  await store.close();
});

test("a database that is none is refused in words", () => {
  const store = openSqlite(folder);
  return store.close().then(() => {
    const fd = openSync(join(folder, "farm.db"), "r+");
    writeSync(fd, Buffer.alloc(100, 0xee), 0, 100, 0);
    closeSync(fd);
    expect(() => openSqlite(folder)).toThrow(expect.objectContaining({ code: "UNAVAILABLE" }));
  });
});

test("a farm on a damaged database answers 503 with the reason, says that it is not ready, and goes on", async () => {
  const { api, ask, coordinator, clock } = await openTestCoordinator(folder);
  const { id } = (await api("POST", "/jobs", { body: aSmallJob({ paused: true }) })).body;
  damage(folder, "job_definitions");
  const told = { status: 503, body: { error: "UNAVAILABLE", message: expect.stringContaining("is damaged") } };
  expect(await api("GET", `/jobs/${id}/result`)).toMatchObject(told);
  expect(await api("POST", "/jobs", { body: aSmallJob() })).toMatchObject(told);
  expect(await api("GET", `/jobs/${id}/info`)).toMatchObject({ status: 200, body: { id } });
  const ready = async () => (await ask("GET", "/readyz", { headers: { authorization: undefined } })).status;
  expect(await ready()).toBe(503);
  await clock.advance(6_000);
  expect(await ready()).toBe(200);
  await coordinator.close();
});
