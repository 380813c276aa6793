import { useEffect } from "react";
import type { UiJobRow } from "../../../shared/api/job-view.ts";
import { rowFreeze } from "../../data/hold.ts";
import type { JobRows } from "./use-job-list.ts";

/** Rows keep their places while some are selected, and while Shift is held. */
export const useHold = (hasChosen: boolean): void => {
  useEffect(() => rowFreeze.set("chosen", hasChosen), [hasChosen]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => rowFreeze.set("shift", event.shiftKey);
    addEventListener("keydown", onKey);
    addEventListener("keyup", onKey);
    return () => {
      removeEventListener("keydown", onKey);
      removeEventListener("keyup", onKey);
      for (const reason of ["chosen", "shift", "pointer"]) rowFreeze.set(reason, false);
    };
  }, []);
};

/** Ctrl A chooses all rows that are read. */
export const useSelectAll = (rows: JobRows, add: (rows: readonly UiJobRow[]) => void, mayChange: boolean): void => {
  useEffect(() => {
    if (!mayChange) return;
    const onKey = (event: KeyboardEvent) => {
      const isTyping = event.target instanceof HTMLInputElement && event.target.type !== "checkbox";
      if (event.key !== "a" || !(event.ctrlKey || event.metaKey) || isTyping) return;
      event.preventDefault();
      add(rows.read());
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [rows, add, mayChange]);
};
