import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openSqlite } from "../../../coordinator/store/sqlite/open.ts";
import type { Store } from "../../../coordinator/store/store.ts";
import { checkTrail } from "../../../coordinator/trail/check.ts";
import { leaveLine, takeLeftLines } from "../../../coordinator/trail/left-lines.ts";
import { aFolder, removeFolder, silentLog } from "../../helpers/farm/farm.ts";

let folder: string;
let store: Store;
beforeEach(() => {
  folder = aFolder();
  store = openSqlite(folder);
});
afterEach(async () => {
  await store.close();
  removeFolder(folder);
});

const note = { at: 5, user: "ada", action: "backup", about: { file: "/b/farm backup" } };
const take = () => takeLeftLines({ log: silentLog, store }, folder);
const left = () => readdirSync(join(folder, "audit")).sort();
const lines = async () =>
  (await store.trail.after(0, 99)).map(({ at, who, action, outcome, about }) =>
    [at, who, action, outcome, about.replace(/^line=[0-9a-f]{16} /, "")].join(" | "),
  );

test("a command's line joins the chain with its own time, once, and its file goes", async () => {
  leaveLine(folder, note)("done", { jobs: 3 });
  leaveLine(folder, { ...note, at: 4, action: "restore" })("CONFLICT");
  expect(left()).toHaveLength(2);
  await take();
  await take();
  expect(await lines()).toEqual([
    '4 | this machine | restore | CONFLICT | file="/b/farm backup" user=ada',
    '5 | this machine | backup | done | file="/b/farm backup" jobs=3 user=ada',
  ]);
  expect([left(), await checkTrail(store)]).toEqual([[], { lines: 2, first: 1, last: 2, problem: null }]);
});

test("what a coordinator added before it was killed is not added again", async () => {
  leaveLine(folder, note)("done");
  const [name = ""] = left();
  const text = JSON.stringify({ ...note, pid: process.pid, outcome: "done" });
  await take();
  writeFileSync(join(folder, "audit", name), text);
  await take();
  expect([(await lines()).length, left()]).toEqual([1, []]);
});

test("a command that runs is waited for; one that was killed is told as unfinished", async () => {
  const end = leaveLine(folder, note);
  await take();
  expect([await lines(), left()]).toEqual([[], [expect.stringMatching(/\.begun$/)]]);
  end("done");
  const killed = { ...note, at: 6, pid: 2 ** 22 + 1, outcome: "UNFINISHED" }; // beyond what systems give
  writeFileSync(join(folder, "audit/6-0123456789abcdef.begun"), JSON.stringify(killed));
  // Killed between the end of its work and the removal of its beginning.
  writeFileSync(join(folder, "audit/7-0123456789abcdef.begun"), JSON.stringify({ ...killed, at: 7 }));
  writeFileSync(join(folder, "audit/7-0123456789abcdef.json"), JSON.stringify({ ...killed, at: 7, outcome: "done" }));
  await take();
  expect((await lines()).map((line) => line.split(" | ").toSpliced(4).toSpliced(1, 2))).toEqual([
    ["5", "done"],
    ["6", "UNFINISHED"],
    ["7", "done"],
  ]);
  expect(left()).toEqual([]);
});

test("what is no line of a command is put aside, told in the log, and never added", async () => {
  mkdirSync(join(folder, "audit"));
  const put = (nr: number, text: string) => writeFileSync(join(folder, `audit/${nr}-0123456789abcdef.json`), text);
  const whole = { ...note, pid: 1, outcome: "done" };
  put(1, "{");
  put(2, JSON.stringify({ ...whole, who: "Eve" }));
  put(3, JSON.stringify({ ...whole, action: "sign in\n" }));
  put(4, JSON.stringify({ ...whole, about: { file: "x".repeat(20_000) } }));
  writeFileSync(join(folder, "elsewhere"), JSON.stringify(whole));
  symlinkSync(join(folder, "elsewhere"), join(folder, "audit/5-0123456789abcdef.json"));
  writeFileSync(join(folder, "audit/notes.txt"), "mine");
  await take();
  await take();
  expect(await lines()).toEqual([]);
  expect(left()).toEqual([...[1, 2, 3, 4, 5].map((nr) => `${nr}-0123456789abcdef.json.broken`), "notes.txt"]);
});

const written = (nr: number, more: object, ending = "json") =>
  writeFileSync(
    join(folder, `audit/${nr}-${nr.toString(16).padStart(16, "0")}.${ending}`),
    JSON.stringify({ ...note, pid: 1, outcome: "done", ...more }),
  );

test("no line is taken for another one: neither one that quotes it, nor one that says very much", async () => {
  mkdirSync(join(folder, "audit"));
  const other = `line=${(2).toString(16).padStart(16, "0")}`;
  written(1, { about: { file: `/b/${other}` } });
  written(2, {});
  const much = Object.fromEntries(Array.from({ length: 15 }, (_, nr) => [`fact${nr}`, "x".repeat(199)]));
  written(3, { about: much });
  written(4, { about: much });
  await take();
  expect((await store.trail.after(0, 99)).map(({ about }) => about.slice(0, 21))).toEqual(
    [1, 2, 3, 4].map((nr) => `line=${nr.toString(16).padStart(16, "0")}`),
  );
});

test("facts have plain names: they begin no line of their own", async () => {
  mkdirSync(join(folder, "audit"));
  written(1, { about: { "x\nuser=root": 1 } });
  written(2, { about: { "": 1 } });
  await take();
  expect([await lines(), left().every((name) => name.endsWith(".broken"))]).toEqual([[], true]);
});

test("nothing holds up the lines behind it: not what waits for ever, nor what cannot be put aside", async () => {
  mkdirSync(join(folder, "audit"));
  for (let nr = 1; nr <= 600; nr += 1) written(nr, { pid: process.pid, outcome: "UNFINISHED" }, "begun");
  written(601, { pid: 0 });
  mkdirSync(join(folder, `audit/601-${(601).toString(16).padStart(16, "0")}.json.broken/full`), { recursive: true });
  written(602, {});
  await take();
  expect(await lines()).toHaveLength(1);
});

test("lines that cannot be stored stay", async () => {
  leaveLine(folder, note)("done");
  const add = () => Promise.reject(new Error("The disk is full"));
  const broken = { log: silentLog, store: { trail: { ...store.trail, add } } };
  await expect(takeLeftLines(broken, folder)).rejects.toThrow("The disk is full");
  expect(left()).toHaveLength(1);
  await take();
  expect(await lines()).toHaveLength(1);
});
