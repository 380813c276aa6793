import { type RefObject, useLayoutEffect, useState } from "react";
import { useScrollMemory } from "./scroll-memory.ts";
import type { TableProps } from "./table-props.ts";
import type { Rows } from "./use-rows.ts";

type Needs<Row> = TableProps<Row> & { readonly scroller: RefObject<HTMLElement | null>; readonly places: Rows };

/** The row that keys go on from. */
export type Cursor = {
  readonly current: number;
  readonly set: (index: number) => void;
  /** Brings a row into sight and gives it the focus; returns its index, which is within the list. */
  readonly goTo: (wanted: number) => number;
};

export const useCursor = <Row>(props: Needs<Row>): Cursor => {
  const { rows, scroller, onFocusRow } = props;
  const { first, goTo: bring } = props.places;
  const [current, setCurrent] = useState(0);
  // A row that has the focus and became another one must not keep it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: what scrolls makes rows others
  useLayoutEffect(() => {
    const focused = document.activeElement;
    if (!(focused instanceof HTMLElement) || !scroller.current?.contains(focused)) return;
    const row = focused.closest<HTMLElement>("[data-index]");
    if (row && Number(row.dataset.index) !== current) focused.blur();
  }, [first, current]);

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
  useScrollMemory(props, goTo);
  return { current, set: setCurrent, goTo };
};
