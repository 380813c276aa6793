import { useEffect, useRef } from "react";
import { rowFreeze } from "../../data/hold.ts";

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

/** Ctrl A selects all jobs of the list. */
export const useSelectAll = (selectAll: () => void, mayChange: boolean): void => {
  const latest = useRef(selectAll);
  latest.current = selectAll;
  useEffect(() => {
    if (!mayChange) return;
    const onKey = (event: KeyboardEvent) => {
      const isTyping = event.target instanceof HTMLInputElement && event.target.type !== "checkbox";
      if (event.key !== "a" || !(event.ctrlKey || event.metaKey) || isTyping) return;
      event.preventDefault();
      latest.current();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [mayChange]);
};
