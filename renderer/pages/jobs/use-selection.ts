import { useMemo, useRef, useState } from "react";
import type { UiJobRow } from "../../../shared/api/job-view.ts";
import type { JobRows } from "./use-job-list.ts";

/** The selected jobs, as they were last seen, even if they are out of sight. */
export const useSelection = (rows: JobRows) => {
  const [chosen, setChosen] = useState<ReadonlyMap<string, UiJobRow>>(new Map());
  const anchor = useRef(0);
  const fresh = useMemo(() => {
    if (chosen.size === 0) return [];
    const seen = new Map(rows.read().map((row) => [row.id, row]));
    return [...chosen].map(([id, row]) => seen.get(id) ?? row);
  }, [rows, chosen]);
  const ids = useMemo<ReadonlySet<string>>(() => new Set(chosen.keys()), [chosen]);

  const add = (list: readonly UiJobRow[]) =>
    setChosen((old) => new Map([...old, ...list.map((row) => [row.id, row] as const)]));
  const toggle = (row: UiJobRow) =>
    setChosen((old) => {
      const next = new Map(old);
      if (!next.delete(row.id)) next.set(row.id, row);
      return next;
    });
  const range = (index: number) => {
    const [from, to] = [Math.min(anchor.current, index), Math.max(anchor.current, index)];
    const places = Array.from({ length: to - from + 1 }, (_, at) => rows.at(from + at));
    add(places.filter((row) => row !== undefined));
  };
  return {
    ids,
    jobs: fresh,
    toggle,
    select: (index: number, mode: "toggle" | "range") => {
      const row = rows.at(index);
      if (mode === "range") range(index);
      else if (row) {
        anchor.current = index;
        toggle(row);
      }
    },
    add,
    clear: () => setChosen(new Map()),
  };
};
