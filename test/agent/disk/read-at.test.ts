import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createReadAt } from "../../../agent/disk/read-at.ts";

const bytes = Buffer.from(Array.from({ length: 10_000 }, (_, at) => at % 251));
let folder: string;
let file: FileHandle;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "mediafarm-read-at-"));
  writeFileSync(join(folder, "bytes"), bytes);
  file = await open(join(folder, "bytes"));
});
afterEach(async () => {
  await file.close();
  rmSync(folder, { recursive: true });
});

test("all bytes are found, in any order, on both sides of what was read before and longer than it", async () => {
  const readAt = createReadAt(file);
  for (const [from, length] of [
    [100, 16],
    [108, 8],
    [4190, 16],
    [4, 16],
    [0, 9000],
    [9990, 5],
  ] as const)
    expect(await readAt(from, length)).toEqual(bytes.subarray(from, from + length));
});

test("at the end of a file there are fewer", async () => {
  const readAt = createReadAt(file);
  expect(await readAt(9992, 16)).toEqual(bytes.subarray(9992));
  expect(await readAt(20_000, 16)).toHaveLength(0);
});

test("what lies close together is read at once", async () => {
  const read = vi.spyOn(file, "read");
  const readAt = createReadAt(file);
  for (let at = 500; at < 4500; at += 20) await readAt(at, 16);
  expect(read).toHaveBeenCalledTimes(1);
});
