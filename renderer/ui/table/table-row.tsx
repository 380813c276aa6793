import { t } from "@lingui/core/macro";
import { type FocusEvent, type MouseEvent, memo, type ReactNode, useRef } from "react";
import { classes } from "../text/classes.ts";
import css from "./table.module.css";

export type Column<Row> = {
  readonly key: string;
  readonly title: ReactNode;
  readonly cell: (row: Row) => ReactNode;
  readonly align?: "end";
  /** What the list is sorted by when somebody clicks the head. */
  readonly sort?: string;
};

export type PlacedProps = {
  readonly index: number;
  readonly start: number;
  readonly rowHeight: number;
  readonly isMeasured: boolean | undefined;
  /** A row's own type does not matter to who only hands it to the columns. */
  readonly row: unknown;
  readonly columns: readonly Column<unknown>[];
  readonly className: string;
  readonly isSelected: boolean | undefined;
  readonly isFocusable: boolean;
  readonly measure: ((row: HTMLElement | null) => void) | undefined;
  readonly onFocus: (event: FocusEvent<HTMLElement>) => void;
  readonly onClick: (event: MouseEvent<HTMLElement>) => void;
};

/** One row in its place; while the list scrolls or another row changes, it is not drawn again. */
export const Placed = memo((props: PlacedProps) => {
  const { index, start, rowHeight, isMeasured, row, columns } = props;
  // What is not read yet stands on the cells of what the row showed last, unseen: they are cheaper to change than to make.
  const last = useRef(row);
  if (row !== undefined) last.current = row;
  const isUnread = row === undefined;
  return (
    // biome-ignore lint/a11y/useSemanticElements: the table's rows are placed
    // biome-ignore lint/a11y/useKeyWithClickEvents: keys are handled by the table
    <div
      ref={props.measure}
      data-index={index}
      className={isUnread ? `${props.className} ${css.reading}` : props.className}
      role="row"
      aria-busy={isUnread || undefined}
      aria-rowindex={index + 2}
      aria-selected={props.isSelected}
      tabIndex={props.isFocusable ? 0 : -1}
      style={{ transform: `translateY(${start}px)`, [isMeasured ? "minHeight" : "height"]: rowHeight }}
      onFocus={props.onFocus}
      onClick={props.onClick}
    >
      {last.current === undefined ? <Unread /> : <Cells columns={columns} row={last.current} />}
    </div>
  );
});

/** Drawn again only when the row or the columns are others: a row that is only chosen keeps its cells. */
const Cells = memo(({ columns, row }: Pick<PlacedProps, "columns" | "row">) =>
  columns.map(({ key, align, cell }) => (
    // biome-ignore lint/a11y/useSemanticElements: the table's rows are placed
    // biome-ignore lint/a11y/useFocusableInteractive: the row has the focus
    <div key={key} className={classes(css.cell, key, align && css.end)} role="gridcell">
      {cell(row)}
    </div>
  )),
);

const Unread = () => (
  // biome-ignore lint/a11y/useSemanticElements: the table's rows are placed
  // biome-ignore lint/a11y/useFocusableInteractive: the row has the focus
  <div className={css.unread} role="gridcell" aria-label={t`Loading`} />
);

/** The head of a column, which sorts the list where it can. */
export const Head = <Row,>({
  column: { key, title, align, sort },
  sorting,
  onSort,
}: {
  readonly column: Column<Row>;
  readonly sorting: { readonly key: string; readonly order: "asc" | "desc" } | undefined;
  readonly onSort: ((key: string) => void) | undefined;
}) => {
  const isSorted = sort !== undefined && sorting?.key === sort;
  const order = sorting?.order === "asc" ? "ascending" : "descending";
  return (
    // biome-ignore lint/a11y/useSemanticElements: the table's rows are placed
    // biome-ignore lint/a11y/useFocusableInteractive: the button in it has the focus
    <div
      className={classes(css.cell, key, align && css.end)}
      role="columnheader"
      aria-sort={isSorted ? order : undefined}
    >
      {sort !== undefined && onSort ? (
        <button type="button" className={classes(css.sort, isSorted && css.sorted)} onClick={() => onSort(sort)}>
          {isSorted && (sorting?.order === "asc" ? "↑ " : "↓ ")}
          {title}
        </button>
      ) : (
        title
      )}
    </div>
  );
};
