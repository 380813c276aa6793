import type { ReactNode } from "react";
import { classes } from "../text/classes.ts";
import css from "./axis.module.css";

/** Up to this percentage a word would stand out at the beginning if its middle were there. */
const edge = 4;

/** Words along a line of time, each at its percentage. */
export const Axis = ({
  marks,
  className,
  children,
}: {
  readonly marks: readonly { readonly at: number; readonly word: string }[];
  readonly className?: string | undefined;
  readonly children?: ReactNode;
}) => (
  <span className={classes(css.axis, className)}>
    {marks.map(({ at, word }) => (
      <i key={at} className={at < edge ? css.first : undefined} style={{ left: `${at}%` }}>
        {word}
      </i>
    ))}
    {children}
  </span>
);
