import { useVirtualizer } from "@tanstack/react-virtual";
import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { systemClock } from "../../../shared/basics/system-clock.ts";
import { heightInSight, observeInSight } from "./in-sight.ts";

/** The rendered rows of a long list, in the order of their elements, each with its offset in pixels. */
export type Rows = {
  readonly items: readonly RowPlace[];
  readonly first: number;
  readonly last: number;
  readonly height: number;
  readonly goTo: (index: number) => void;
  /** Measures a row, if rows have different heights. */
  readonly measure?: (row: HTMLElement | null) => void;
};

export type RowPlace = {
  readonly index: number;
  readonly start: number;
  /** The element that shows the row, if elements show other rows while the list scrolls. */
  readonly slot?: number;
};

type Wish = {
  readonly scroller: RefObject<HTMLElement | null>;
  readonly count: number;
  readonly rowHeight: number;
};

/** Rows rendered beyond the visible edge. */
const beyond = 12;

/** After this long without scrolling, elements are put in the order of their rows. */
const restMs = 150;

/** Rows of equal height: each offset is a simple product, however many there are. */
export const useFixedRows = ({ scroller, count, rowHeight }: Wish): Rows => {
  const [{ first, size, settled }, setSight] = useState({ first: 0, size: 2 * beyond, settled: 0 });
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const look = () => {
      const from = Math.max(0, Math.floor(element.scrollTop / rowHeight) - beyond);
      // As many rows at every offset: otherwise one comes and goes while the list scrolls.
      const size = Math.ceil(heightInSight(element.clientHeight) / rowHeight) + 1 + 2 * beyond;
      setSight((old) => (old.first === from && old.size === size ? old : { ...old, first: from, size }));
    };
    const settle = () => setSight((old) => (old.settled === old.first ? old : { ...old, settled: old.first }));
    let cancelRest = () => {};
    const onScroll = () => {
      // In the same frame in which the list moves, so that no gap is visible.
      flushSync(look);
      cancelRest();
      cancelRest = systemClock.after(restMs, settle);
    };
    const watch = new ResizeObserver(look);
    watch.observe(element);
    element.addEventListener("scroll", onScroll, { passive: true });
    look();
    return () => {
      watch.disconnect();
      cancelRest();
      element.removeEventListener("scroll", onScroll);
    };
  }, [scroller, rowHeight]);
  const within = (index: number) => Math.max(0, Math.min(index, count - size));
  const from = within(first);
  const items = rowsInSlots(from, Math.min(size, count), within(settled)).map((each) => ({
    ...each,
    start: each.index * rowHeight,
  }));
  const goTo = (index: number) => {
    const element = scroller.current;
    if (!element) return;
    const [top, bottom] = [index * rowHeight, (index + 1) * rowHeight];
    if (top < element.scrollTop) element.scrollTop = top;
    else if (bottom > element.scrollTop + element.clientHeight) element.scrollTop = bottom - element.clientHeight;
  };
  return { items, first: from, last: from + Math.max(0, items.length - 1), height: count * rowHeight, goTo };
};

/**
 * Rows from `first` on in as many elements, whose order begins with the one of row `settled`. An element that changes
 * its place in the document is styled and laid out whole again: while the list scrolls, each one stays where it is.
 */
export const rowsInSlots = (first: number, size: number, settled: number): { index: number; slot: number }[] =>
  Array.from({ length: size }, (_, at) => {
    const slot = (settled + at) % size;
    return { slot, index: first + ((((slot - first) % size) + size) % size) };
  });

/** Rows as high as their text: each is measured once it is rendered. */
export const useMeasuredRows = (wish: Wish & { readonly keyAt: (index: number) => string | number }): Rows => {
  const { scroller, count, rowHeight } = wish;
  // A new function would recompute the offsets of all rows.
  const latest = useRef(wish.keyAt);
  latest.current = wish.keyAt;
  const virtual = useVirtualizer({
    count,
    getScrollElement: useCallback(() => scroller.current, [scroller]),
    observeElementRect: observeInSight,
    estimateSize: useCallback(() => rowHeight, [rowHeight]),
    getItemKey: useCallback((index: number) => latest.current(index), []),
    overscan: beyond,
    initialRect: { width: 800, height: 600 },
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a different row height changes every offset
  useLayoutEffect(() => virtual.measure(), [rowHeight]);
  const items = virtual.getVirtualItems();
  return {
    items,
    first: items[0]?.index ?? 0,
    last: items.at(-1)?.index ?? 0,
    height: virtual.getTotalSize(),
    goTo: (index) => virtual.scrollToIndex(index),
    measure: virtual.measureElement,
  };
};
