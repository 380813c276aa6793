import type { UnsealedRow, UnsealedTable } from "../store/store.ts";
import type { Farm } from "./farm.ts";
import { sealStored, sealStoredPayloads } from "./sealed.ts";

/** How many batches one tick takes: a million old jobs are done within an hour, and nobody waits for it. */
const batchesATick = 20;

/** Seals what was stored before passwords were encrypted, a batch at a time. Goes on at the next start where it stood. */
export const sealRows = async (farm: Farm): Promise<void> => {
  const { unsealed } = farm.store;
  for (let batch = 0; batch < batchesATick; batch += 1) {
    const [next] = await unsealed.pending();
    if (!next) return;
    const rows = await unsealed.rows(next.what, next.after);
    const sealed = rows.flatMap((row) => sealRow(farm, next.what, row));
    await unsealed.seal(next.what, sealed, rows.at(-1)?.key);
    if (next.what === "specs") for (const { row } of sealed) farm.values.letGo(Number(row.key[0]));
    if ((await unsealed.pending()).length === 0) await unsealed.emptyLog();
  }
};

const sealRow = ({ vault }: Farm, what: UnsealedTable, row: UnsealedRow) => {
  const text = what === "specs" ? sealStoredPayloads(vault, row.text) : sealStored(vault, row.text);
  return text === row.text ? [] : [{ row, text }];
};
