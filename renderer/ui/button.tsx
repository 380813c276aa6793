import type { ComponentProps } from "react";
import css from "./button.module.css";
import { classes } from "./classes.ts";

type Props = ComponentProps<"button"> & {
  readonly look?: "plain" | "primary" | "quiet";
  /** The key that does the same. */
  readonly hint?: string;
};

/** A button without hue: hues are for states. */
export const Button = ({ look = "plain", hint, children, className, ...rest }: Props) => (
  <button type="button" {...rest} className={classes(css.button, css[look], className)}>
    {children}
    {hint !== undefined && <kbd className={css.key}>{hint}</kbd>}
  </button>
);
