import { t } from "@lingui/core/macro";
import {
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { classes } from "./classes.ts";
import { useKeys } from "./keys.tsx";
import { type LastPlace, useLastPlace } from "./last-place.ts";
import css from "./table.module.css";
import { type Heading, PlacedHeading } from "./table-heading.tsx";
import { type Column, Head, Placed, type PlacedProps } from "./table-row.tsx";
import { type Rows, useFixedRows, useMeasuredRows } from "./use-rows.ts";

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
  readonly selected?: ReadonlySet<string>;
  readonly rowHeight?: number;
  /** Rows have a height of their own: on narrow screens, where their words wrap. */
  readonly isMeasured?: boolean;
  readonly sorting?: Sorting;
  readonly onSort?: (key: string) => void;
  readonly onOpen?: (row: Row) => void;
  readonly onFocusRow?: (row: Row) => void;
  /** Space, or a click with Shift or Ctrl. */
  readonly onSelect?: (index: number, mode: "toggle" | "range") => void;
  /** First and last row in sight. */
  readonly onSight?: (first: number, last: number) => void;
  /** Outlives the table: whoever opens a row and comes back finds the cursor on it. */
  readonly lastPlace?: LastPlace;
};

/** A table of any length: only rows in sight exist. j, k and the arrows go through rows, Enter opens one. */
export const Table = <Row,>(props: TableProps<Row>) =>
  props.isMeasured ? <MeasuredTable {...props} /> : <FixedTable {...props} />;

const usualHeight = 36;

const FixedTable = <Row,>(props: TableProps<Row>) => {
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useFixedRows({ scroller, count: props.rows.length, rowHeight: props.rowHeight ?? usualHeight });
  return <Grid {...props} scroller={scroller} places={rows} />;
};

const MeasuredTable = <Row,>(props: TableProps<Row>) => {
  const { rows, keyOf, rowHeight = usualHeight } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const itemKey = (index: number) => props.headingAt?.(index)?.key ?? keyAt(rows.at(index), index, keyOf);
  return (
    <Grid
      {...props}
      scroller={scroller}
      places={useMeasuredRows({ scroller, count: rows.length, rowHeight, keyAt: itemKey })}
    />
  );
};

const keyAt = <Row,>(row: Row | undefined, index: number, keyOf: (row: Row) => string): string | number =>
  row === undefined ? index : keyOf(row);

type GridProps<Row> = TableProps<Row> & { readonly scroller: RefObject<HTMLDivElement | null>; readonly places: Rows };

const Grid = <Row,>(props: GridProps<Row>) => {
  const { label, columns, layout, rows, keyOf, chosen, rowHeight = usualHeight } = props;
  const { scroller, onOpen, onFocusRow, onSelect, onSight } = props;
  const { items, first, last, height, goTo: bring, measure } = props.places;
  const head = useRef<HTMLDivElement>(null);
  const [current, setCurrent] = useState(0);
  // A row that has the focus and became another one must not keep it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: what scrolls makes rows others
  useLayoutEffect(() => {
    const focused = document.activeElement;
    if (!(focused instanceof HTMLElement) || !scroller.current?.contains(focused)) return;
    const row = focused.closest<HTMLElement>("[data-index]");
    if (row && Number(row.dataset.index) !== current) focused.blur();
  }, [first, current]);
  useEffect(() => onSight?.(first, last), [first, last, onSight]);

  // Only rows have a scroll bar beside them; the head leaves as much room, so that both have the same columns.
  useLayoutEffect(() => {
    const rows = scroller.current;
    if (!rows) return;
    const measure = () => head.current?.style.setProperty("--gutter", `${rows.offsetWidth - rows.clientWidth}px`);
    const watch = new ResizeObserver(measure);
    // The space within is as wide as the bar leaves it.
    for (const each of [rows, rows.firstElementChild]) if (each) watch.observe(each);
    return () => watch.disconnect();
  }, [scroller]);

  const goTo = (wanted: number) => {
    const index = Math.max(0, Math.min(rows.length - 1, wanted));
    setCurrent(index);
    bring(index);
    const place = () => scroller.current?.querySelector<HTMLElement>(`[data-index="${index}"]`);
    // A row out of sight exists with the next frame only.
    const there = place();
    if (there) there.focus({ preventScroll: true });
    else requestAnimationFrame(() => place()?.focus({ preventScroll: true }));
    const row = rows.at(index);
    if (row !== undefined) onFocusRow?.(row);
    return index;
  };
  useLastPlace(props, goTo);
  const open = (row: Row | undefined) => {
    if (row === undefined || !onOpen) return;
    if (props.lastPlace) props.lastPlace.key = keyOf(row);
    onOpen(row);
  };
  const select = (index: number, mode: "toggle" | "range") => onSelect?.(index, mode);
  useKeys([
    { keys: "j", word: t`Next row of ${label}`, run: () => goTo(current + 1) },
    { keys: "k", word: t`Row before in ${label}`, run: () => goTo(current - 1) },
  ]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (!(event.target instanceof HTMLElement) || event.target.getAttribute("role") !== "row") return;
    const step = (by: number) => {
      if (event.shiftKey && onSelect) select(current, "range");
      const index = goTo(current + by);
      if (event.shiftKey && onSelect) select(index, "range");
    };
    const heading = props.headingAt?.(current);
    const toggle = (isOpen: boolean) => () => heading && heading.isOpen !== isOpen && heading.onToggle();
    const moves: Record<string, () => unknown> = {
      ArrowDown: () => step(1),
      ArrowUp: () => step(-1),
      PageDown: () => goTo(current + 15),
      PageUp: () => goTo(current - 15),
      Home: () => goTo(0),
      End: () => goTo(rows.length - 1),
      ...(heading && { ArrowRight: toggle(true), ArrowLeft: toggle(false), " ": heading.onToggle }),
      Enter: () => (heading ? heading.onToggle() : open(rows.at(current))),
      ...(onSelect && !heading ? { " ": () => select(current, event.shiftKey ? "range" : "toggle") } : {}),
    };
    const move = moves[event.key];
    if (!move || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    move();
  };
  const onRowClick = useLatest((event: MouseEvent<HTMLElement>) => {
    const index = Number(event.currentTarget.dataset.index);
    const row = rows.at(index);
    if (row === undefined) return;
    setCurrent(index);
    onFocusRow?.(row);
    if (onSelect && (event.shiftKey || event.ctrlKey || event.metaKey)) {
      getSelection()?.removeAllRanges(); // Shift selects rows here, not words
      return select(index, event.shiftKey ? "range" : "toggle");
    }
    open(row);
  });
  const onRowFocus = useLatest((event: FocusEvent<HTMLElement>) =>
    setCurrent(Number(event.currentTarget.dataset.index)),
  );
  const rowClass = classes(css.row, layout, css.placed, !props.isMeasured && css.contained);
  const focusable = Math.min(current, rows.length - 1);

  return (
    // biome-ignore lint/a11y/useSemanticElements: virtual rows are placed, which a table element does not allow
    <div
      className={css.table}
      role="grid"
      aria-label={label}
      aria-rowcount={rows.length + 1}
      aria-multiselectable={onSelect ? true : undefined}
    >
      {/* biome-ignore lint/a11y/useSemanticElements: see above */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: the header is read, not used */}
      <div ref={head} className={classes(css.row, css.head, layout)} role="row" aria-rowindex={1}>
        {columns.map((column) => (
          <Head key={column.key} column={column} sorting={props.sorting} onSort={props.onSort} />
        ))}
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: see above */}
      <div ref={scroller} className={css.scroller} role="rowgroup" onKeyDown={onKeyDown}>
        <div className={css.space} role="presentation" style={{ height }}>
          {items.map(({ index, start, slot }) => {
            const heading = props.headingAt?.(index);
            if (heading)
              return (
                <PlacedHeading
                  key={heading.key}
                  {...{ heading, index, start, measure }}
                  rowHeight={props.isMeasured ? undefined : rowHeight}
                  columnCount={columns.length}
                  isFocusable={index === focusable}
                  onFocus={onRowFocus}
                />
              );
            const row = rows.at(index);
            const isPicked = row !== undefined && props.selected?.has(keyOf(row));
            const isChosen = row !== undefined && keyOf(row) === chosen;
            return (
              <Placed
                key={slot ?? keyAt(row, index, keyOf)}
                {...{ index, start, measure, row, rowHeight }}
                isMeasured={props.isMeasured}
                columns={columns as PlacedProps["columns"]}
                className={rowClass}
                isSelected={props.selected || chosen !== undefined ? isPicked || isChosen : undefined}
                isFocusable={index === focusable}
                onFocus={onRowFocus}
                onClick={onRowClick}
              />
            );
          })}
        </div>
      </div>
    </div>
  );
};

/** The latest of a function under one name: what it is handed to need not be drawn anew. */
const useLatest = <Args extends readonly unknown[]>(fn: (...args: Args) => void): ((...args: Args) => void) => {
  const latest = useRef(fn);
  latest.current = fn;
  return useCallback((...args: Args) => latest.current(...args), []);
};
