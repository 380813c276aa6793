import { open, opendir } from "node:fs/promises";
import { hasCode } from "../../disk.ts";
import type { ByteRange, Entry } from "../storage.ts";

const chunkSize = 1024 * 1024;

/** Reads a file whose path was checked. */
export async function* readFile(
  checked: Promise<string>,
  { from, length = Number.POSITIVE_INFINITY }: ByteRange,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  await using file = await open(await checked, "r");
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

/** The names in a folder whose path was checked, a few at a time; none if the folder does not exist. */
export async function* listFolder(checked: Promise<string | undefined>): AsyncGenerator<Entry> {
  const path = await checked;
  if (path === undefined) return;
  try {
    for await (const entry of await opendir(path)) yield { name: entry.name, isFile: !entry.isDirectory() };
  } catch (error) {
    if (!hasCode(error, "ENOENT")) throw error;
  }
}
