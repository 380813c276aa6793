import { TaskError } from "../shared/causes.ts";
import { openChecked } from "./checked-file.ts";
import type { ResolvedFile } from "./path-resolver.ts";

const chunkSize = 1024 * 1024;

/**
 * Reads a checked local file from beginning to end through one descriptor. Throws TaskError `source` if it is not the
 * file that was checked, or if it was written to meanwhile, which would mix two states.
 */
export async function* readLocal(
  { path, size, modified, id }: Pick<ResolvedFile, "path" | "size" | "modified" | "id">,
  { from, length = size - from }: { readonly from: number; readonly length?: number },
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  await using file = await openChecked(path, id);
  const refuseChanged = async (): Promise<void> => {
    const now = await file.stat();
    if (now.isFile() && now.size === size && Math.floor(now.mtimeMs) === modified) return;
    throw new TaskError("source", `${path} changed while it was being copied`);
  };
  await refuseChanged();
  const end = from + length;
  const buffer = Buffer.alloc(Math.min(chunkSize, Math.max(1, length)));
  for (let position = from; position < end; ) {
    signal.throwIfAborted();
    const { bytesRead } = await file.read(buffer, 0, Math.min(buffer.length, end - position), position);
    if (bytesRead === 0) break;
    yield buffer.subarray(0, bytesRead);
    position += bytesRead;
  }
  await refuseChanged();
}
