import { useMemo, useRef, useState } from "react";
import type { JobGroupCount, UiJobRow } from "../../../shared/api/job-view.ts";
import type { JobSelection } from "../../data/job-states.ts";
import type { WholeList } from "../../data/meant.ts";
import type { JobRows } from "./use-job-list.ts";

/** What is selected: rows by their ids, or the whole list but for some rows. */
type Chosen = { readonly isWhole: boolean; readonly rows: ReadonlyMap<string, UiJobRow> };

const none: Chosen = { isWhole: false, rows: new Map() };

type List = {
  readonly rows: JobRows;
  readonly selection: JobSelection;
  readonly count: number | undefined;
  readonly groups: readonly JobGroupCount[];
};

/** The selected jobs: as they were last seen, even if they are out of sight, or all that the list has. */
export const useSelection = ({ rows, selection, count = 0, groups }: List) => {
  const [{ chosen, of }, setState] = useState({ chosen: none, of: selection });
  // Rows stay selected in another list; a whole list is another one with another filter.
  const { isWhole, rows: named } = chosen.isWhole && of !== selection ? none : chosen;
  const anchor = useRef(0);
  const fresh = useMemo(() => {
    if (named.size === 0) return [];
    const seen = new Map(rows.read().map((row) => [row.id, row]));
    return [...named].map(([id, row]) => seen.get(id) ?? row);
  }, [rows, named]);
  const whole = useMemo<WholeList | undefined>(
    () => (isWhole ? { selection, groups, except: [...named.values()] } : undefined),
    [isWhole, selection, groups, named],
  );
  const selected = useMemo(() => ({ has: (id: string) => named.has(id) !== isWhole }), [named, isWhole]);

  // Of the latest selection: two ranges may come before the next drawing.
  const change = (next: (latest: Chosen) => ReadonlyMap<string, UiJobRow>) =>
    setState((old) => {
      const latest = old.chosen.isWhole && old.of !== selection ? none : old.chosen;
      return { chosen: { ...latest, rows: next(latest) }, of: selection };
    });
  const add = (list: readonly UiJobRow[]) =>
    change((latest) => (latest.isWhole ? without(latest.rows, list) : withThese(latest.rows, list)));
  const toggle = (row: UiJobRow) =>
    change(({ rows: old }) => (old.has(row.id) ? without(old, [row]) : withThese(old, [row])));
  // Selected jobs may be out of sight, by another filter: that some are selected does not say that the list is.
  const isAll = useMemo(() => {
    if (isWhole) return named.size === 0;
    const read = rows.read();
    return count > 0 && named.size >= count && read.length >= count && read.every(({ id }) => named.has(id));
  }, [rows, named, isWhole, count]);
  const clear = () => setState({ chosen: none, of: selection });
  return {
    selected,
    size: isWhole ? Math.max(0, count - named.size) : named.size,
    jobs: isWhole ? [] : fresh,
    whole,
    /** Every job of the list is selected. */
    isAll,
    /** Space, or a click on a box or with Ctrl, for one row; with Shift for all from the last one on. */
    select: async (index: number, mode: "toggle" | "range") => {
      const row = rows.at(index);
      if (mode === "toggle" && row) {
        anchor.current = index;
        toggle(row);
      }
      if (mode === "range") {
        const [from, to] = [anchor.current, index].sort((a, b) => a - b);
        add(await rows.between(from ?? index, to ?? index));
      }
    },
    /** Every job of the list, read or not. Where all are read, those of another list stay selected beside them. */
    selectAll: () => {
      const read = rows.read();
      if (read.length < count) setState({ chosen: { isWhole: true, rows: new Map() }, of: selection });
      else setState({ chosen: { isWhole: false, rows: withThese(isWhole ? none.rows : named, read) }, of: selection });
    },
    clear,
  };
};

const withThese = (rows: ReadonlyMap<string, UiJobRow>, list: readonly UiJobRow[]) =>
  new Map([...rows, ...list.map((row) => [row.id, row] as const)]);

const without = (rows: ReadonlyMap<string, UiJobRow>, list: readonly UiJobRow[]) => {
  const next = new Map(rows);
  for (const { id } of list) next.delete(id);
  return next;
};

export type Selected = ReturnType<typeof useSelection>;
