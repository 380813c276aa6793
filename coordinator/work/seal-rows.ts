import type { UnsealedRow, UnsealedTable } from "../db/unsealed.ts";
import type { Farm } from "./farm.ts";
import { sealStored, sealStoredPayloads } from "./sealed.ts";

/** How many batches one tick takes: a million old jobs are done within an hour, and nobody waits for it. */
const batchesATick = 20;

/** Seals what was stored before passwords were encrypted, a batch a commit. Goes on at the next start where it stood. */
export const sealRows = async (farm: Farm): Promise<void> => {
  const { unsealed } = farm.stores;
  for (let batch = 0; batch < batchesATick; batch += 1) {
    const [next] = unsealed.pending();
    if (!next) return;
    const rows = unsealed.rows(next.what, next.after);
    await farm.db.commit(() => sealBatch(farm, next.what, rows));
    if (unsealed.pending().length === 0) unsealed.emptyLog();
  }
};

const sealBatch = ({ stores: { unsealed }, vault }: Farm, what: UnsealedTable, rows: readonly UnsealedRow[]): void => {
  for (const row of rows) {
    const sealed = what === "specs" ? sealStoredPayloads(vault, row.text) : sealStored(vault, row.text);
    if (sealed !== row.text) unsealed.replace(what, row, sealed);
  }
  const last = rows.at(-1);
  if (last) unsealed.noteAfter(what, last.key);
  else unsealed.noteEnd(what);
};
