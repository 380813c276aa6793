import { useVirtualizer } from "@tanstack/react-virtual";
import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";

/** The rendered rows of a long list, each with its offset in pixels. */
export type Rows = {
  readonly items: readonly { readonly index: number; readonly start: number }[];
  readonly height: number;
  readonly goTo: (index: number) => void;
  /** Measures a row, if rows have different heights. */
  readonly measure?: (row: HTMLElement | null) => void;
};

type Wish = {
  readonly scroller: RefObject<HTMLElement | null>;
  readonly count: number;
  readonly rowHeight: number;
};

/** Rows rendered beyond the visible edge. */
const beyond = 12;

/** Rows of equal height: each offset is a simple product, however many there are. */
export const useFixedRows = ({ scroller, count, rowHeight }: Wish): Rows => {
  const [{ first, end }, setSight] = useState({ first: 0, end: 2 * beyond });
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const look = () => {
      const { scrollTop, clientHeight } = element;
      const from = Math.max(0, Math.floor(scrollTop / rowHeight) - beyond);
      const to = Math.ceil((scrollTop + clientHeight) / rowHeight) + beyond;
      setSight((old) => (old.first === from && old.end === to ? old : { first: from, end: to }));
    };
    // In the same frame in which the list moves, so that no gap is visible.
    const onScroll = () => flushSync(look);
    const watch = new ResizeObserver(look);
    watch.observe(element);
    element.addEventListener("scroll", onScroll, { passive: true });
    look();
    return () => {
      watch.disconnect();
      element.removeEventListener("scroll", onScroll);
    };
  }, [scroller, rowHeight]);
  const from = Math.max(0, Math.min(first, count - 1));
  const items = Array.from({ length: Math.max(0, Math.min(end, count) - from) }, (_, at) => ({
    index: from + at,
    start: (from + at) * rowHeight,
  }));
  const goTo = (index: number) => {
    const element = scroller.current;
    if (!element) return;
    const [top, bottom] = [index * rowHeight, (index + 1) * rowHeight];
    if (top < element.scrollTop) element.scrollTop = top;
    else if (bottom > element.scrollTop + element.clientHeight) element.scrollTop = bottom - element.clientHeight;
  };
  return { items, height: count * rowHeight, goTo };
};

/** Rows as high as their text: each is measured once it is rendered. */
export const useMeasuredRows = (wish: Wish & { readonly keyAt: (index: number) => string | number }): Rows => {
  const { scroller, count, rowHeight } = wish;
  // A new function would recompute the offsets of all rows.
  const latest = useRef(wish.keyAt);
  latest.current = wish.keyAt;
  const virtual = useVirtualizer({
    count,
    getScrollElement: useCallback(() => scroller.current, [scroller]),
    estimateSize: useCallback(() => rowHeight, [rowHeight]),
    getItemKey: useCallback((index: number) => latest.current(index), []),
    overscan: beyond,
    initialRect: { width: 800, height: 600 },
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a different row height changes every offset
  useLayoutEffect(() => virtual.measure(), [rowHeight]);
  return {
    items: virtual.getVirtualItems(),
    height: virtual.getTotalSize(),
    goTo: (index) => virtual.scrollToIndex(index),
    measure: virtual.measureElement,
  };
};
