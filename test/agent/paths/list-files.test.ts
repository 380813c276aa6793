import { execFile } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { selectNames } from "../../../agent/paths/name-selection.ts";
import type { Selection } from "../../../shared/files/file-selection.ts";
import { aFolder, aStorageView } from "../../helpers/agent/agent-fixture.ts";

const all: Selection = { pattern: { wildcard: "*" }, isRecursive: false };

/** Root reads everything, unless that privilege is taken away. */
const withoutPrivilege =
  process.getuid?.() === 0 ? ["setpriv", "--bounding-set", "-dac_override,-dac_read_search"] : [];

test("a file that the node has no permission to read is named, with the reason", async () => {
  const { path, remove } = await aFolder();
  writeFileSync(join(path, "a.mov"), "12345");
  writeFileSync(join(path, "locked.mov"), "12345", { mode: 0 });
  const fixture = fileURLToPath(new URL("../../helpers/fixtures/list-files.ts", import.meta.url));
  const [command = "", ...args] = [...withoutPrivilege, process.execPath, fixture, path];
  const { stdout } = await promisify(execFile)(command, args);
  expect(JSON.parse(stdout)).toEqual({
    "a.mov": null,
    "locked.mov": "this node has no permission to read it",
  });
  await remove();
});

const listed = async (root: string, selection: Selection, folder = root): Promise<string[]> => {
  const names: string[] = [];
  const { resolver } = aStorageView(root);
  for await (const { uri, size } of resolver.list(
    { folder: `file://${folder}`, selection },
    new AbortController().signal,
  ))
    names.push(`${uri.slice(`file://${root}/`.length)} ${size}`);
  return names.sort();
};

test("lists what is meant, in folders below only where asked; hidden names and our own temporary ones stay out", async () => {
  const { path, remove } = await aFolder();
  mkdirSync(join(path, "below"));
  mkdirSync(join(path, ".hidden"));
  for (const name of ["a.mov", "b c.txt", ".secret.mov", ".a.mov.1.2.part", "below/d.mov", ".hidden/e.mov"])
    writeFileSync(join(path, name), "12345");
  symlinkSync(join(path, "a.mov"), join(path, "link.mov"));
  symlinkSync("/etc/hostname", join(path, "outside.mov"));
  symlinkSync(join(path, "below"), join(path, "folder.mov"));
  expect(await listed(path, all)).toEqual(["a.mov 5", "b%20c.txt 5", "link.mov 5"]);
  expect(await listed(path, { pattern: { wildcard: "*.mov" }, isRecursive: true })).toEqual([
    ...["a.mov 5", "below/d.mov 5", "link.mov 5"],
  ]);
  expect(await listed(path, { pattern: { regex: "^[ab]" }, isRecursive: false })).toEqual(["a.mov 5", "b%20c.txt 5"]);
  expect(await listed(path, all, join(path, "gone"))).toEqual([]);
  await expect(listed(path, all, "/etc")).rejects.toThrow("outside of the folders");
  await remove();
});

test("lists names of every kind, empty files too", async () => {
  const { path, remove } = await aFolder();
  const names = ["two\nlines.mov", "🎬 take 1.mov", "~home.mov", "100%.mov", "#1?.mov", "a.mov.part", "-rf"];
  for (const name of names) writeFileSync(join(path, name), name);
  writeFileSync(join(path, "empty.mov"), "");
  writeFileSync(join(path, "locked.mov"), "x", { mode: 0 });
  symlinkSync(join(path, "nowhere.mov"), join(path, "dangling.mov"));
  const found = (await listed(path, all)).map((each) => decodeURIComponent(each.replace(/ \d+$/, "")));
  expect(found.sort()).toEqual([...names, "empty.mov", "locked.mov"].sort());
  await remove();
});

test("an expression that takes too long is refused, and ends nothing", () => {
  const evil = () => selectNames([`${"a".repeat(60)}!`], { pattern: { regex: "^(a+)+$" }, isRecursive: false });
  expect(evil).toThrow("The regex ^(a+)+$ takes too long");
});
