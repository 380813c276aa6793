import { classes } from "./classes.ts";
import css from "./words.module.css";

/**
 * Text from people or files: any script and any length. It has its own direction, wraps anywhere or ends in an
 * ellipsis, and its tooltip has all of it.
 */
export const Words = ({
  text,
  wraps = false,
  className,
}: {
  readonly text: string;
  readonly wraps?: boolean;
  readonly className?: string;
}) => (
  <bdi dir="auto" className={classes(wraps ? css.wrapping : css.cut, className)} title={wraps ? undefined : text}>
    {text}
  </bdi>
);
