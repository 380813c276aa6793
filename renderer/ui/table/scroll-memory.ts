import { useEffect } from "react";

/** The row that was opened from a table. It outlives the table: whoever comes back finds the cursor on it. */
export type ScrollMemory = { key: string | undefined };

/** So many rows are searched for it. */
const mostSearched = 500;

type Rows<Row> = {
  readonly lastPlace?: ScrollMemory;
  readonly rows: { readonly length: number; readonly at: (index: number) => Row | undefined };
  readonly keyOf: (row: Row) => string;
};

/** Goes to the row that was opened from here, if nothing else has the focus. */
export const useScrollMemory = <Row>({ lastPlace, rows, keyOf }: Rows<Row>, goTo: (index: number) => unknown): void => {
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the table appears
  useEffect(() => {
    const key = lastPlace?.key;
    if (!lastPlace || key === undefined || document.activeElement !== document.body) return;
    lastPlace.key = undefined;
    const count = Math.min(rows.length, mostSearched);
    for (let index = 0; index < count; index += 1) {
      const row = rows.at(index);
      if (row !== undefined && keyOf(row) === key) return void goTo(index);
    }
  }, []);
};
