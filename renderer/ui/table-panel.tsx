import type { ReactNode } from "react";
import css from "./table-panel.module.css";

/** The surface of a page that is one table; on a phone it takes the whole width. */
export const TablePanel = ({ label, children }: { readonly label: string; readonly children: ReactNode }) => (
  <section className={css.panel} aria-label={label}>
    {children}
  </section>
);
