import type { ReactNode } from "react";
import css from "./columns.module.css";

/** Panels in a wide column and, where there are some, in one beside it; below it where there is no room for both. */
export const Columns = ({ children, side }: { readonly children: ReactNode; readonly side?: ReactNode }) => (
  <div className={css.columns}>
    <div className={css.column}>{children}</div>
    {side !== undefined && <div className={css.column}>{side}</div>}
  </div>
);
