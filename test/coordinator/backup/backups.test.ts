import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { checkBackup } from "../../../coordinator/backup/backup.ts";
import { createBackups } from "../../../coordinator/backup/backups.ts";
import { aFolder, openTestFarm, removeFolder, type TestFarm } from "../../helpers/farm/farm.ts";

const hour = 3_600_000;
let folder: string;
let world: TestFarm;
const backupDir = () => join(folder, "backups");
const names = () => readdirSync(backupDir()).sort();

beforeEach(async () => {
  folder = aFolder();
  world = await openTestFarm(folder, { config: { backupDir: backupDir() } });
});
afterEach(async () => {
  await world.close();
  removeFolder(folder);
});

test("the farm backs itself up on its schedule and keeps the newest", async () => {
  const backups = createBackups(world.farm);
  await backups.setSchedule({ everyHours: 6, keep: 2 });
  mkdirSync(backupDir());
  writeFileSync(join(backupDir(), "notes.txt"), "of the administrator");
  for (const hours of [0, 5, 1, 6, 6]) {
    await world.clock.advance(hours * hour);
    await backups.look();
  }
  expect(names()).toHaveLength(3);
  expect(names()).toContain("notes.txt");
  for (const name of names().slice(0, 2)) expect(checkBackup(join(backupDir(), name)).jobs).toBe(0);
  const { items, failure, is_running } = await backups.view();
  expect({ items: items.length, failure, is_running }).toEqual({ items: 2, failure: null, is_running: false });
});

test("a failed backup is told, and tried again later", async () => {
  const backups = createBackups(world.farm);
  writeFileSync(backupDir(), "a file where the folder should be");
  await backups.look();
  rmSync(backupDir());
  expect((await backups.view()).failure?.message).toMatch(/EEXIST/);
  await backups.look(); // too soon
  expect(names()).toHaveLength(0);
  await world.clock.advance(hour);
  await backups.look();
  expect(names()).toHaveLength(1);
  expect((await backups.view()).failure).toBe(null);
});

test("the newest backup is tried again every day; one that broke is told, and another one is made", async () => {
  const backups = createBackups(world.farm);
  await backups.setSchedule({ everyHours: 240, keep: 5 });
  await backups.look();
  const [first = ""] = names();
  const made = (await backups.view()).items[0];
  await world.clock.advance(25 * hour);
  await backups.look();
  const [tried] = (await backups.view()).items;
  expect([tried?.made, tried?.problem]).toEqual([made?.made, null]);
  expect(Date.parse(tried?.tried ?? "") - Date.parse(made?.tried ?? "")).toBe(25 * hour);

  truncateSync(join(backupDir(), first), 8192);
  await world.clock.advance(25 * hour);
  await backups.look();
  const { items, failure } = await backups.view();
  expect([items.length, items[0]?.problem, failure]).toEqual([2, null, null]);
  expect(items[1]?.problem).toMatch(/cannot be used as a backup/);
  expect(await backups.newest()).toBe(Date.parse(items[0]?.made ?? ""));
});

test("pipes, folders and links with the names of backups, also of the future, are left alone and keep none from being made", async () => {
  const backups = createBackups(world.farm);
  await backups.setSchedule({ everyHours: 6, keep: 1 });
  mkdirSync(backupDir());
  const at = (year: number) => join(backupDir(), `mediafarm-${year}-01-01T00-00-00Z.backup`);
  execFileSync("mkfifo", [at(2001)]);
  mkdirSync(at(2002));
  symlinkSync("/nowhere", at(2003));
  symlinkSync("/dev/zero", at(2004));
  writeFileSync(at(2099), "of a clock that went wrong");
  for (const hours of [0, 30, 30]) {
    await world.clock.advance(hours * hour);
    await backups.look();
  }
  const { items, failure } = await backups.view();
  expect([items.map(({ problem }) => problem), failure]).toEqual([[null, null], null]);
  expect(names()).toHaveLength(6);
  expect(await backups.newest()).toBe(Date.parse(items[1]?.made ?? ""));
});

test("a farm without a folder for backups says how to name one", async () => {
  const backups = createBackups({ ...world.farm, config: { ...world.farm.config, backupDir: undefined } });
  await backups.look();
  expect(() => backups.begin()).toThrow("start it with --backups DIR");
  expect(await backups.view()).toMatchObject({ folder: null, items: [] });
  expect(existsSync(backupDir())).toBe(false);
});

test("a farm on a server makes no backup of the file that it was before, and says so", async () => {
  const config = { ...world.farm.config, store: "postgres://farm@localhost/farm" };
  const backups = createBackups({ ...world.farm, config });
  await backups.look();
  expect((await backups.view()).failure?.message).toContain("This farm is kept in PostgreSQL");
  expect(() => backups.begin()).toThrow("This farm is kept in PostgreSQL");
  await backups.settle();
  expect([existsSync(backupDir()) && names().length > 0, await backups.newest()]).toEqual([false, undefined]);
});
