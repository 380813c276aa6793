import { createHash, randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createFlushedFile, type FlushedFile } from "../../../agent/disk/flushed-file.ts";
import { share, times } from "../../helpers/long.ts";

const piece = 4 * 1024 * 1024;
const allSizes = [0, 1, 4096, piece - 1, piece, piece + 1, 2 * piece, 3 * piece + 4097];
const sizes = share(allSizes, (size) => [0, piece - 1, piece, piece + 1].includes(size));
const digest = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

/** On a disk pieces go past the system's cache; on a file system of memory they cannot. */
const places = [tmpdir(), "/dev/shm"].filter((folder) => existsSync(folder));

const ways: Readonly<Record<string, (file: FlushedFile, bytes: Buffer) => Promise<void>>> = {
  "appended in uneven parts": async (file, bytes) => {
    for (let at = 0; at < bytes.length; at += 65_537) await file.append(bytes.subarray(at, at + 65_537));
  },
  "filled by a reader": async (file, bytes) => {
    for (let at = 0; at < bytes.length; )
      at += await file.fill(async (memory) => bytes.copy(memory, 0, at, at + memory.length));
  },
};

describe.each(places)("a flushed file in %s", (place) => {
  test.each(Object.entries(ways))("holds exactly the bytes that were %s", async (_name, put) => {
    const folder = await mkdtemp(join(place, "mediafarm-flushed-"));
    for (const size of sizes) {
      const bytes = randomBytes(size);
      const path = join(folder, String(size));
      await using file = await createFlushedFile(path);
      await put(file, bytes);
      await file.flush();
      expect([size, digest(await readFile(path))]).toEqual([size, digest(bytes)]);
    }
    await rm(folder, { recursive: true });
  });

  test("holds what was written by several at once, each its own", async () => {
    const folder = await mkdtemp(join(place, "mediafarm-flushed-"));
    // More than there are large pieces.
    const numbers = Array.from({ length: times(10, 40, 40) }, (_, index) => index);
    const written = numbers.map(async (number) => {
      const bytes = Buffer.alloc(piece + 3 * number, number);
      await using file = await createFlushedFile(join(folder, String(number)));
      await file.append(bytes);
      await file.flush();
      return digest(bytes);
    });
    const digests = await Promise.all(written);
    const found = numbers.map(async (number) => digest(await readFile(join(folder, String(number)))));
    expect(await Promise.all(found)).toEqual(digests);
    await rm(folder, { recursive: true });
  });
});
