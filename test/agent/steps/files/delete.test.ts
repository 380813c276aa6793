import { existsSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { deleteAll } from "../../../../agent/steps/files/delete.ts";
import type { StepOf } from "../../../../shared/work/work.ts";
import { aFolder, aStorageView } from "../../../helpers/agent/agent-fixture.ts";

const deleting = async (root: string, what: Partial<StepOf<"delete">>, made?: readonly string[]) => {
  const lines: string[] = [];
  const { storageOf } = aStorageView(root);
  const log = { line: (text: string): void => void lines.push(text.replaceAll(root, "")) };
  const step: StepOf<"delete"> = { do: "delete", id: "delete", files: [], ...what };
  await deleteAll(step, { storageOf, log, signal: new AbortController().signal, ...(made && { made }) });
  return lines;
};

test("sources are deleted only as they were probed; what is gone, changed or a folder is left with a word", async () => {
  const { path, remove } = await aFolder();
  const uri = (name: string) => `file://${path}/${name}`;
  for (const name of ["same.mov", "grown.mov", "later.mov"]) writeFileSync(join(path, name), "12345");
  mkdirSync(join(path, "folder.mov"));
  const { size, mtimeMs } = statSync(join(path, "same.mov"));
  const modified = Math.floor(mtimeMs);
  const files = [
    { uri: uri("same.mov"), size, modified },
    { uri: uri("grown.mov"), size: size - 1 },
    { uri: uri("later.mov"), size, modified: 1000 },
    { uri: uri("gone.mov") },
    { uri: uri("folder.mov") },
  ];
  expect(await deleting(path, { files })).toEqual([
    "delete file:///same.mov",
    "not deleted: file:///grown.mov changed since the job looked at it",
    "not deleted: file:///later.mov changed since the job looked at it",
    "not deleted: file:///gone.mov is gone already",
    "not deleted: file:///folder.mov is a folder",
  ]);
  await remove();
});

test("what the task has just made is not deleted as its source, however it looks and is written", async () => {
  const { path, remove } = await aFolder();
  writeFileSync(join(path, "a b.mov"), "12345");
  const [made, source] = [`file://${path}/a%20b.mov`, `file://${path}/a b.mov`];
  expect(await deleting(path, { files: [{ uri: source }] }, [made])).toEqual([
    "not deleted: file:///a b.mov is what the task made",
  ]);
  expect(existsSync(join(path, "a b.mov"))).toBe(true);
  await remove();
});

test("a folder goes with its contents, but no folder that the node lends", async () => {
  const { path, remove } = await aFolder();
  mkdirSync(join(path, "day1/below"), { recursive: true });
  writeFileSync(join(path, "day1/below/a.mov"), "1");
  expect(await deleting(path, { folders: [`file://${path}/day1`] })).toEqual(["delete folder file:///day1"]);
  expect(existsSync(join(path, "day1"))).toBe(false);
  await deleting(path, { folders: [`file://${path}/day1`] }); // again, after a crash
  await expect(deleting(path, { folders: [`file://${path}`] })).rejects.toThrow("is a root folder of this node");
  await remove();
});
