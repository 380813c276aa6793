import { type ReactNode, useEffect } from "react";
import { classes } from "../text/classes.ts";
import css from "./page.module.css";

/** A page's frame: its title and actions, and content that scrolls as a whole, or fills the rest and scrolls in parts. */
export const Page = ({
  title,
  name = typeof title === "string" ? title : undefined,
  actions,
  fills = false,
  children,
}: {
  readonly title: ReactNode;
  /** What the window's title says, if the title is more than a text. */
  readonly name?: string | undefined;
  readonly actions?: ReactNode;
  readonly fills?: boolean;
  readonly children: ReactNode;
}) => {
  useEffect(() => {
    document.title = name === undefined ? "Mediafarm" : `${name.slice(0, 120)} · Mediafarm`;
  }, [name]);
  return (
    <div className={classes(css.page, fills && css.fills)}>
      <div className={css.top}>
        {typeof title === "string" ? <h1>{title}</h1> : title}
        {actions !== undefined && <div className={css.actions}>{actions}</div>}
      </div>
      {children}
    </div>
  );
};
