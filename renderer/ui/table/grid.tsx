import {
  type FocusEvent,
  type MouseEvent,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
} from "react";
import { classes } from "../text/classes.ts";
import css from "./table.module.css";
import { PlacedHeading } from "./table-heading.tsx";
import { keyAt, type TableProps } from "./table-props.ts";
import { Head, Placed, type PlacedProps } from "./table-row.tsx";
import { useCursor } from "./use-cursor.ts";
import { useGridKeys } from "./use-grid-keys.ts";
import type { RowPlace, Rows } from "./use-rows.ts";

export const usualHeight = 36;

export type GridProps<Row> = TableProps<Row> & {
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly places: Rows;
};

/** The head and the rows in sight, with a cursor that keys and clicks move. */
export const Grid = <Row,>(props: GridProps<Row>) => {
  const { label, rows, scroller, onSelect, onSight, places } = props;
  const { first, last } = places;
  const cursor = useCursor(props);
  const open = (row: Row | undefined) => {
    if (row === undefined || !props.onOpen) return;
    if (props.lastPlace) props.lastPlace.key = props.keyOf(row);
    props.onOpen(row);
  };
  const onKeyDown = useGridKeys(props, cursor, open);
  const onRowClick = useLatest((event: MouseEvent<HTMLElement>) => {
    const index = Number(event.currentTarget.dataset.index);
    const row = rows.at(index);
    if (row === undefined) return;
    cursor.set(index);
    props.onFocusRow?.(row);
    if (onSelect && (event.shiftKey || event.ctrlKey || event.metaKey)) {
      getSelection()?.removeAllRanges(); // Shift selects rows here, not words
      return onSelect(index, event.shiftKey ? "range" : "toggle");
    }
    open(row);
  });
  const onRowFocus = useLatest((event: FocusEvent<HTMLElement>) =>
    cursor.set(Number(event.currentTarget.dataset.index)),
  );
  useEffect(() => onSight?.(first, last), [first, last, onSight]);
  const focusable = Math.min(cursor.current, rows.length - 1);

  return (
    // biome-ignore lint/a11y/useSemanticElements: virtual rows are placed, which a table element does not allow
    <div
      className={css.table}
      role="grid"
      aria-label={label}
      aria-rowcount={rows.length + 1}
      aria-multiselectable={onSelect ? true : undefined}
    >
      <HeadRow {...props} />
      {/* biome-ignore lint/a11y/useSemanticElements: see above */}
      <div ref={scroller} className={css.scroller} role="rowgroup" onKeyDown={onKeyDown}>
        <div className={css.space} role="presentation" style={{ height: places.height }}>
          {places.items.map((place) => (
            <RowAt
              key={
                props.headingAt?.(place.index)?.key ??
                place.slot ??
                keyAt(rows.at(place.index), place.index, props.keyOf)
              }
              {...{ props, place, onRowFocus, onRowClick }}
              isFocusable={place.index === focusable}
            />
          ))}
        </div>
      </div>
    </div>
  );
};

/** Only rows have a scroll bar beside them; the head leaves as much room, so that both have the same columns. */
const HeadRow = <Row,>({ columns, layout, sorting, onSort, scroller }: GridProps<Row>) => {
  const head = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const rows = scroller.current;
    if (!rows) return;
    const measure = () => head.current?.style.setProperty("--gutter", `${rows.offsetWidth - rows.clientWidth}px`);
    const watch = new ResizeObserver(measure);
    // The space within is as wide as the bar leaves it.
    for (const each of [rows, rows.firstElementChild]) if (each) watch.observe(each);
    return () => watch.disconnect();
  }, [scroller]);
  return (
    // biome-ignore lint/a11y/useSemanticElements: the table's rows are placed
    // biome-ignore lint/a11y/useFocusableInteractive: the header is read, not used
    <div ref={head} className={classes(css.row, css.head, layout)} role="row" aria-rowindex={1}>
      {columns.map((column) => (
        <Head key={column.key} column={column} sorting={sorting} onSort={onSort} />
      ))}
    </div>
  );
};

type RowAtProps<Row> = {
  readonly props: GridProps<Row>;
  readonly place: RowPlace;
  readonly isFocusable: boolean;
  readonly onRowFocus: (event: FocusEvent<HTMLElement>) => void;
  readonly onRowClick: (event: MouseEvent<HTMLElement>) => void;
};

const RowAt = <Row,>({ props, place: { index, start }, isFocusable, onRowFocus, onRowClick }: RowAtProps<Row>) => {
  const { columns, rows, keyOf, chosen, selected, isMeasured, rowHeight = usualHeight } = props;
  const { measure } = props.places;
  const heading = props.headingAt?.(index);
  if (heading)
    return (
      <PlacedHeading
        {...{ heading, index, start, measure, isFocusable }}
        rowHeight={isMeasured ? undefined : rowHeight}
        columnCount={columns.length}
        onFocus={onRowFocus}
      />
    );
  const row = rows.at(index);
  const isPicked = row !== undefined && selected?.has(keyOf(row));
  const isChosen = row !== undefined && keyOf(row) === chosen;
  return (
    <Placed
      {...{ index, start, measure, row, rowHeight, isMeasured, isFocusable }}
      columns={columns as PlacedProps["columns"]}
      className={classes(css.row, props.layout, css.placed, !isMeasured && css.contained)}
      isSelected={selected || chosen !== undefined ? isPicked || isChosen : undefined}
      onFocus={onRowFocus}
      onClick={onRowClick}
    />
  );
};

/** The latest of a function under one name: what it is handed to need not be drawn anew. */
const useLatest = <Args extends readonly unknown[]>(fn: (...args: Args) => void): ((...args: Args) => void) => {
  const latest = useRef(fn);
  latest.current = fn;
  return useCallback((...args: Args) => latest.current(...args), []);
};
