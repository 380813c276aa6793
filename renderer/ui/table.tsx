import { useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from "react";
import { classes } from "./classes.ts";
import { useKeys } from "./keys.tsx";
import css from "./table.module.css";

export type Column<Row> = {
  readonly key: string;
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  readonly align?: "end";
};

export type TableProps<Row> = {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  /** Grid columns and, on narrow screens, areas; the cells have their column's key as class. */
  readonly layout: string;
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** A row that is a heading over those below it. */
  readonly heading?: (row: Row) => ReactNode | undefined;
  readonly chosen?: string;
  readonly rowHeight?: number;
  readonly onOpen?: (row: Row) => void;
  readonly onFocusRow?: (row: Row) => void;
  readonly onEnd?: () => void;
  readonly total?: number;
};

/** A table of any length: only rows in sight exist. j, k and the arrows go through rows, Enter opens one. */
export const Table = <Row,>(props: TableProps<Row>) => {
  const { label, columns, layout, rows, keyOf, heading, chosen, rowHeight = 36, onOpen, onFocusRow, onEnd } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const head = useRef<HTMLDivElement>(null);
  const [current, setCurrent] = useState(0);
  const hasHeading = (index: number) => {
    const row = rows[index];
    return row !== undefined && heading?.(row) !== undefined;
  };
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    getItemKey: (index) => {
      const row = rows[index];
      return row === undefined ? index : keyOf(row);
    },
    overscan: 12,
    initialRect: { width: 800, height: 600 },
  });
  const items = virtual.getVirtualItems();
  const lastIndex = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (rows.length > 0 && lastIndex >= rows.length - 20) onEnd?.();
  }, [lastIndex, rows.length, onEnd]);

  // Only rows have a scroll bar beside them; the head leaves as much room, so that both have the same columns.
  useLayoutEffect(() => {
    const { offsetWidth = 0, clientWidth = 0 } = scroller.current ?? {};
    head.current?.style.setProperty("--gutter", `${offsetWidth - clientWidth}px`);
  });

  const goTo = (wanted: number) => {
    const step = wanted >= current ? 1 : -1;
    let index = Math.max(0, Math.min(rows.length - 1, wanted));
    while (hasHeading(index) && rows[index + step] !== undefined) index += step;
    setCurrent(index);
    virtual.scrollToIndex(index);
    requestAnimationFrame(() =>
      scroller.current?.querySelector<HTMLElement>(`[data-index="${index}"]`)?.focus({ preventScroll: true }),
    );
    const row = rows[index];
    if (row !== undefined) onFocusRow?.(row);
  };
  const open = (row: Row | undefined) => row !== undefined && onOpen?.(row);
  useKeys([
    { keys: "j", word: `Next row of ${label.toLowerCase()}`, run: () => goTo(current + 1) },
    { keys: "k", word: `Row before in ${label.toLowerCase()}`, run: () => goTo(current - 1) },
  ]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (!(event.target instanceof HTMLElement) || event.target.getAttribute("role") !== "row") return;
    const moves: Record<string, () => void> = {
      ArrowDown: () => goTo(current + 1),
      ArrowUp: () => goTo(current - 1),
      PageDown: () => goTo(current + 15),
      PageUp: () => goTo(current - 15),
      Home: () => goTo(0),
      End: () => goTo(rows.length - 1),
      Enter: () => open(rows[current]),
    };
    const move = moves[event.key];
    if (!move) return;
    event.preventDefault();
    move();
  };
  const firstFocusable = hasHeading(current) || current >= rows.length ? firstRow(rows, heading) : current;

  return (
    // biome-ignore lint/a11y/useSemanticElements: virtual rows are placed, which a table element does not allow
    <div className={css.table} role="grid" aria-label={label} aria-rowcount={(props.total ?? rows.length) + 1}>
      {/* biome-ignore lint/a11y/useSemanticElements: see above */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: the header is read, not used */}
      <div ref={head} className={classes(css.row, css.head, layout)} role="row" aria-rowindex={1}>
        {columns.map(({ key, title, align }) => (
          // biome-ignore lint/a11y/useSemanticElements: see above
          // biome-ignore lint/a11y/useFocusableInteractive: see above
          <div key={key} className={classes(css.cell, key, align && css.end)} role="columnheader">
            {title}
          </div>
        ))}
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: see above */}
      <div ref={scroller} className={css.scroller} role="rowgroup" onKeyDown={onKeyDown}>
        <div className={css.space} role="presentation" style={{ height: virtual.getTotalSize() }}>
          {items.map(({ index, key, start }) => {
            const row = rows[index];
            if (row === undefined) return null;
            const title = heading?.(row);
            return (
              // biome-ignore lint/a11y/useSemanticElements: see above
              // biome-ignore lint/a11y/useKeyWithClickEvents: keys are handled above
              <div
                key={key}
                ref={virtual.measureElement}
                data-index={index}
                className={classes(css.row, title === undefined ? layout : css.heading, css.placed)}
                role="row"
                aria-rowindex={index + 2}
                aria-selected={title === undefined && chosen !== undefined ? keyOf(row) === chosen : undefined}
                tabIndex={title === undefined && index === firstFocusable ? 0 : -1}
                style={{ transform: `translateY(${start}px)` }}
                onFocus={() => setCurrent(index)}
                onClick={() => title === undefined && open(row)}
              >
                {title === undefined ? (
                  columns.map(({ key: column, align, cell }) => (
                    // biome-ignore lint/a11y/useSemanticElements: see above
                    // biome-ignore lint/a11y/useFocusableInteractive: the row has the focus
                    <div key={column} className={classes(css.cell, column, align && css.end)} role="gridcell">
                      {cell(row)}
                    </div>
                  ))
                ) : (
                  // biome-ignore lint/a11y/useSemanticElements: see above
                  // biome-ignore lint/a11y/useFocusableInteractive: see above
                  <div className={css.cell} role="gridcell" aria-colspan={columns.length}>
                    {title}
                  </div>
                )}
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
};

const firstRow = <Row,>(rows: readonly Row[], heading: ((row: Row) => ReactNode | undefined) | undefined): number =>
  Math.max(
    0,
    rows.findIndex((row) => heading?.(row) === undefined),
  );
