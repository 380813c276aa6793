import { classes } from "./classes.ts";
import css from "./words.module.css";

/**
 * Text from people, files or the API: any script and any length. It has its own direction, wraps anywhere or ends in an
 * ellipsis, and its tooltip has all of it. Nobody translates it, unless it is a sentence of ours about such things.
 */
export const Words = ({
  text,
  wraps = false,
  isOurs = false,
  className,
}: {
  readonly text: string;
  readonly wraps?: boolean;
  readonly isOurs?: boolean;
  readonly className?: string;
}) => (
  <bdi
    dir="auto"
    translate={isOurs ? undefined : "no"}
    className={classes(wraps ? css.wrapping : css.cut, className)}
    title={wraps ? undefined : text}
  >
    {text}
  </bdi>
);
