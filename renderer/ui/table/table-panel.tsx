import type { ReactNode } from "react";
import css from "./table-panel.module.css";

/** The surface of a page that is one table; full width on a phone. */
export const TablePanel = ({ label, children }: { readonly label: string; readonly children: ReactNode }) => (
  <section className={css.panel} aria-label={label}>
    {children}
  </section>
);
