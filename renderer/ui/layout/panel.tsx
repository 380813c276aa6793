import type { ReactNode } from "react";
import { classes } from "../text/classes.ts";
import css from "./panel.module.css";

/** A titled surface; `aid` is at the right of its header. */
export const Panel = ({
  title,
  count,
  aid,
  children,
  className,
}: {
  readonly title: string;
  readonly count?: ReactNode;
  readonly aid?: ReactNode;
  readonly children: ReactNode;
  readonly className?: string;
}) => (
  <section className={classes(css.panel, className)} aria-label={title}>
    <header className={css.header}>
      <h2>{title}</h2>
      {count !== undefined && <span className={css.count}>{count}</span>}
      {aid !== undefined && <div className={css.aid}>{aid}</div>}
    </header>
    {children}
  </section>
);
