import type { ComponentProps } from "react";
import { classes } from "../text/classes.ts";
import css from "./button.module.css";

type Props = ComponentProps<"button"> & {
  readonly look?: "plain" | "primary" | "quiet";
  /** The key that does the same. */
  readonly hint?: string;
};

/** Keys whose name is another one than the hint shows. */
// untranslated: browsers know them by these names
const keyNames: Readonly<Record<string, string>> = { Esc: "Escape", Del: "Delete" };

/** A button without hue: hues are for states. */
export const Button = ({ look = "plain", hint, children, className, ...rest }: Props) => (
  <button
    type="button"
    aria-keyshortcuts={hint && (keyNames[hint] ?? hint)}
    {...rest}
    className={classes(css.button, css[look], className)}
  >
    {children}
    {/* Not a part of the button's name: "Pause p" would be read aloud. */}
    {hint !== undefined && (
      <span className={css.hint} aria-hidden="true">
        <kbd className={css.key}>{hint}</kbd>
      </span>
    )}
  </button>
);
