import { opendir } from "node:fs/promises";
import { hasCode } from "../../disk/file-system.ts";
import { openChecked } from "../../roots/checked-file.ts";
import type { Roots } from "../../roots/roots.ts";
import type { ByteRange, Entry } from "../storage.ts";

const chunkSize = 1024 * 1024;

/** Reads a file whose path was checked. */
export async function* readFile(
  checked: Promise<string>,
  { from, length = Number.POSITIVE_INFINITY }: ByteRange,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  await using file = await openChecked(await checked);
  const end = from + length;
  for (let position = from; position < end; ) {
    signal.throwIfAborted();
    const wanted = Math.min(chunkSize, end - position);
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(wanted), 0, wanted, position);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
    position += bytesRead;
  }
}

/** The names in a folder, a few at a time; none if the folder does not exist. */
export async function* listFolder(roots: Roots, path: string): AsyncGenerator<Entry> {
  await using folder = await roots.openFolder(path);
  if (!folder) return;
  try {
    for await (const entry of await opendir(folder.path)) yield { name: entry.name, isFile: !entry.isDirectory() };
  } catch (error) {
    if (!hasCode(error, "ENOENT")) throw error;
  }
}
