import type { ReactNode } from "react";
import css from "./columns.module.css";

/** Panels in a wide column, and optionally in a second one beside it, or below it if there is no room. */
export const Columns = ({ children, side }: { readonly children: ReactNode; readonly side?: ReactNode }) => (
  <div className={css.columns}>
    <div className={css.column}>{children}</div>
    {side !== undefined && <div className={css.column}>{side}</div>}
  </div>
);
