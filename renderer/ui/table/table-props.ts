import type { ScrollMemory } from "./scroll-memory.ts";
import type { Heading } from "./table-heading.tsx";
import type { Column } from "./table-row.tsx";

export type Sorting = { readonly key: string; readonly order: "asc" | "desc" };

/** An array of rows, or what stands for a very long one. Undefined at a place: it is there, and not read yet. */
export type RowList<Row> = { readonly length: number; readonly at: (index: number) => Row | undefined };

export type TableProps<Row> = {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  /** Grid columns and, on narrow screens, areas; the cells have their column's key as class. */
  readonly layout: string;
  readonly rows: RowList<Row>;
  readonly keyOf: (row: Row) => string;
  /** The heading that stands at this place instead of a row. */
  readonly headingAt?: (index: number) => Heading | undefined;
  readonly chosen?: string;
  /** Keys of the rows that are selected together. */
  readonly selected?: Pick<ReadonlySet<string>, "has">;
  readonly rowHeight?: number;
  /** Rows have a height of their own: on narrow screens, where their words wrap. */
  readonly isMeasured?: boolean;
  readonly sorting?: Sorting;
  readonly onSort?: (key: string) => void;
  readonly onOpen?: (row: Row) => void;
  readonly onFocusRow?: (row: Row) => void;
  /** Space, or a click with Shift or Ctrl. */
  readonly onSelect?: (index: number, mode: SelectMode) => void;
  /** First and last row in sight. */
  readonly onSight?: (first: number, last: number) => void;
  /** Outlives the table: whoever opens a row and comes back finds the cursor on it. */
  readonly lastPlace?: ScrollMemory;
};

export type SelectMode = "toggle" | "range";

/** What a row is drawn under: its own key, or its place while it is not read yet. */
export const keyAt = <Row>(row: Row | undefined, index: number, keyOf: (row: Row) => string): string | number =>
  row === undefined ? index : keyOf(row);
