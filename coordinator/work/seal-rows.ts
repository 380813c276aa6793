import type { UnsealedRow, UnsealedTable } from "../store/store.ts";
import type { Farm } from "./farm.ts";
import { sealStored, sealStoredPayloads } from "./sealed.ts";

/** Batches per tick: a million old jobs take less than an hour. */
const batchesATick = 20;

/** Encrypts rows that an older version stored in plain text, one batch at a time. Continues after a restart. */
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
