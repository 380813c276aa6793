import { sourceError } from "../../shared/model/failure.ts";
import { openChecked } from "../roots/checked-file.ts";
import type { ResolvedFile } from "./resolved-paths.ts";

export type LocalReader = AsyncDisposable & {
  /** Puts the next bytes there; 0 at the end, where the file is still in the state that was checked. */
  into(memory: Uint8Array): Promise<number>;
};

type Checked = Pick<ResolvedFile, "path" | "size" | "modified" | "id">;

/**
 * Reads a checked local file from beginning to end through one descriptor. Throws TaskError `source` if it is not the
 * file that was checked, or if it was written to meanwhile, which would mix two states.
 */
export const openLocal = async (
  { path, size, modified, id }: Checked,
  { from, length = size - from }: { readonly from: number; readonly length?: number },
): Promise<LocalReader> => {
  const file = await openChecked(path, id);
  const refuseChanged = async (): Promise<void> => {
    const now = await file.stat();
    if (now.isFile() && now.size === size && Math.floor(now.mtimeMs) === modified) return;
    throw sourceError(`${path} changed while it was being copied`);
  };
  let position = from;
  return {
    into: async (memory) => {
      if (position === from) await refuseChanged();
      const wanted = Math.min(memory.length, from + length - position);
      const { bytesRead } = wanted > 0 ? await file.read(memory, 0, wanted, position) : { bytesRead: 0 };
      if (bytesRead === 0) await refuseChanged();
      position += bytesRead;
      return bytesRead;
    },
    [Symbol.asyncDispose]: () => file.close(),
  };
};
