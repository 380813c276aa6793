import { mkdirSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isSameState, markOf, type TaggedFile } from "../../../shared/files/file-state.ts";
import { type FolderIdentity, isEmptied, isSameFileSystem } from "../../../shared/files/folder-identity.ts";
import { aFolder, aStorageView } from "../../helpers/agent/agent-fixture.ts";
import { canMount, mountSmallDisk, unmountDisk } from "../../helpers/processes/small-disk.ts";

const mayMount = canMount();
if (!mayMount) console.warn("SKIPPED: this user may mount no disk, so an unmounted share is not tested");

const signal = new AbortController().signal;
const selection = { pattern: { wildcard: "*" }, isRecursive: false };

test.skipIf(!mayMount)("a folder whose disk is unmounted is on another file system than its files were", async () => {
  const { path, remove } = await aFolder();
  const { resolver } = aStorageView(path);
  const folder = join(path, "share");
  const place = async (): Promise<Required<FolderIdentity>> => {
    const { isThere = false, on } = (await resolver.place(`file://${folder}`, true)) ?? {};
    if (!on) throw new Error("a node sees the file systems of its own folders");
    return { isThere, on };
  };
  const missing = await place();
  mkdirSync(folder);
  const empty = await place();
  mountSmallDisk(folder, 1);
  try {
    const mounted = await place();
    unmountDisk(folder);
    expect([missing.isThere, empty.isThere]).toEqual([false, true]);
    expect(isSameFileSystem(missing.on, empty.on)).toBe(true);
    expect(isSameFileSystem(empty.on, mounted.on)).toBe(false);
    const before = { nodeId: 1, on: mounted.on };
    expect(isEmptied({ nodeId: 1, place: mounted }, before)).toBe(true);
    expect(isEmptied({ nodeId: 1, place: await place() }, before)).toBe(false);
    expect(isEmptied({ nodeId: 2, place: mounted }, before)).toBe(false);
  } finally {
    unmountDisk(folder);
    await remove();
  }
});

test("a file that takes another one's place with its size and time is another state; a new name or mode is none", async () => {
  const { path, remove } = await aFolder();
  const { resolver } = aStorageView(path);
  const file = join(path, "a.mov");
  const put = (name: string, text: string): void => {
    writeFileSync(join(path, name), text);
    utimesSync(join(path, name), 1000, 1000);
  };
  const look = async (): Promise<TaggedFile> => {
    for await (const each of resolver.list({ folder: `file://${path}`, selection }, signal))
      if (each.uri.endsWith("/a.mov")) return each;
    throw new Error("there is no file");
  };
  put("a.mov", "one");
  const first = await look();
  utimesSync(file, 1000, 1000); // it changed, and is the same
  expect(isSameState(markOf(first, 1), await look(), 1)).toBe(true);
  put("b.mov", "two");
  renameSync(join(path, "b.mov"), file);
  const second = await look();
  expect([second.size, second.modified]).toEqual([first.size, first.modified]);
  expect(isSameState(markOf(first, 1), second, 1)).toBe(false);
  rmSync(file);
  await remove();
});
