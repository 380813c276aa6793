import { t } from "@lingui/core/macro";
import type { KeyboardEvent } from "react";
import { useKeys } from "../controls/keys.tsx";
import type { TableProps } from "./table-props.ts";
import type { Cursor } from "./use-cursor.ts";

/** Rows that a page key goes on by. */
const pageRows = 15;

/** j and k everywhere; returns what the rows do with other keys while one of them has the focus. */
export const useGridKeys = <Row>(
  props: TableProps<Row>,
  cursor: Cursor,
  open: (row: Row | undefined) => void,
): ((event: KeyboardEvent) => void) => {
  const { label } = props;
  const { current, goTo } = cursor;
  useKeys([
    { keys: "j", word: t`Next row of ${label}`, run: () => goTo(current + 1) },
    { keys: "k", word: t`Row before in ${label}`, run: () => goTo(current - 1) },
  ]);
  return (event) => {
    if (!(event.target instanceof HTMLElement) || event.target.getAttribute("role") !== "row") return;
    const move = movesOf(props, cursor, open, event.shiftKey)[event.key];
    if (!move || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    move();
  };
};

/** What each key does at the cursor: on a row or on a heading. */
const movesOf = <Row>(
  { rows, headingAt, onSelect }: TableProps<Row>,
  { current, goTo }: Cursor,
  open: (row: Row | undefined) => void,
  isShifted: boolean,
): Record<string, () => unknown> => {
  const step = (by: number) => {
    if (isShifted) onSelect?.(current, "range");
    const index = goTo(current + by);
    if (isShifted) onSelect?.(index, "range");
  };
  const heading = headingAt?.(current);
  const toggle = (isOpen: boolean) => () => heading && heading.isOpen !== isOpen && heading.onToggle();
  return {
    ArrowDown: () => step(1),
    ArrowUp: () => step(-1),
    PageDown: () => goTo(current + pageRows),
    PageUp: () => goTo(current - pageRows),
    Home: () => goTo(0),
    End: () => goTo(rows.length - 1),
    ...(heading && { ArrowRight: toggle(true), ArrowLeft: toggle(false), " ": heading.onToggle }),
    Enter: () => (heading ? heading.onToggle() : open(rows.at(current))),
    ...(onSelect && !heading ? { " ": () => onSelect(current, isShifted ? "range" : "toggle") } : {}),
  };
};
