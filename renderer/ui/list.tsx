import type { ReactNode } from "react";
import css from "./list.module.css";

/** What a farm keeps a few of, one below the other. */
export const List = ({ label, children }: { readonly label: string; readonly children: ReactNode }) => (
  <ul className={css.list} aria-label={label}>
    {children}
  </ul>
);

/** One of them: what it is called, what is to say of it, and what can be done with it; `children` take its whole width. */
export const Item = ({
  name,
  below,
  note,
  actions,
  children,
}: {
  readonly name: ReactNode;
  readonly below?: ReactNode;
  readonly note?: ReactNode;
  readonly actions?: ReactNode;
  readonly children?: ReactNode;
}) => (
  <li className={css.item}>
    <span className={css.name}>
      {name}
      {below !== undefined && <span className={css.below}>{below}</span>}
    </span>
    <span className={css.note}>{note}</span>
    <span className={css.actions}>{actions}</span>
    {children && <div className={css.whole}>{children}</div>}
  </li>
);
