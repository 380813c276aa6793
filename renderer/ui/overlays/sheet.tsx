import type { ReactNode } from "react";
import css from "./sheet.module.css";

/** A page with one small form, for people who are not signed in. */
export const Sheet = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <main className={css.page}>
    <div className={css.sheet}>
      <p className={css.mark} translate="no">
        <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
          <path fill="currentColor" d="M1 2h14v3H1zM1 6.5h10v3H1zM1 11h6v3H1z" />
        </svg>
        Mediafarm
      </p>
      <h1>{title}</h1>
      {children}
    </div>
  </main>
);
