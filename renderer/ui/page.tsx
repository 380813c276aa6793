import type { ReactNode } from "react";
import { classes } from "./classes.ts";
import css from "./page.module.css";

/** A page's frame: its title and actions, and content that scrolls as a whole, or fills the rest and scrolls in parts. */
export const Page = ({
  title,
  actions,
  fills = false,
  children,
}: {
  readonly title: ReactNode;
  readonly actions?: ReactNode;
  readonly fills?: boolean;
  readonly children: ReactNode;
}) => (
  <div className={classes(css.page, fills && css.fills)}>
    <div className={css.top}>
      {typeof title === "string" ? <h1>{title}</h1> : title}
      {actions !== undefined && <div className={css.actions}>{actions}</div>}
    </div>
    {children}
  </div>
);
