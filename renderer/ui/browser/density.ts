import { useState } from "react";

export type Density = "compact" | "comfortable";
const key = "mediafarm.density";

/** The height of rows; stored in this browser. */
export const useDensity = () => {
  const [density, setDensity] = useState<Density>(() =>
    localStorage.getItem(key) === "comfortable" ? "comfortable" : "compact",
  );
  return {
    density,
    rowHeight: density === "compact" ? 28 : 36,
    toggle: () =>
      setDensity((old) => {
        const next = old === "compact" ? "comfortable" : "compact";
        localStorage.setItem(key, next);
        return next;
      }),
  };
};
