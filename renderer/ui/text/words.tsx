import type { ReactNode } from "react";
import { reasonLine } from "../../../shared/texts/reason-first.ts";
import { classes } from "./classes.ts";
import { fullTextAttribute } from "./full-text.tsx";
import css from "./words.module.css";

/**
 * Text from people, files or the API: any script and any length. It has its own direction, and wraps anywhere or ends in an
 * ellipsis; then all of it is shown under the pointer and the focus. Nobody translates it, unless it is a sentence of ours
 * about such things.
 */
export const Words = ({
  text,
  full,
  wraps = false,
  isOurs = false,
  className,
}: {
  readonly text: string;
  /** What `text` is short for. */
  readonly full?: string | undefined;
  readonly wraps?: boolean;
  readonly isOurs?: boolean;
  readonly className?: string | undefined;
}) => (
  <bdi
    dir="auto"
    translate={isOurs ? undefined : "no"}
    className={classes(wraps ? css.wrapping : css.cut, className)}
    {...(wraps && full === undefined ? {} : { [fullTextAttribute]: full === text ? "" : (full ?? "") })}
  >
    {wraps ? withWholeNames(text) : text}
  </bdi>
);

/** Names such as rack-01, and not whole addresses, which have to break somewhere. */
const hyphenated = /(?<![^\s(“"])(\w+(?:-\w+)+)(?![^\s,.;:)”"])/g;
const longestName = 24;

/** The hyphens of names are no places to break a line. */
const withWholeNames = (text: string): ReactNode =>
  text.split(hyphenated).map((part, at) =>
    at % 2 === 1 && part.length <= longestName ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text have no other name
      <span key={at} className={css.whole}>
        {part}
      </span>
    ) : (
      part
    ),
  );

/** A message that may be cut: its reason stands first, then the file's name, then the folder. */
export const ReasonWords = ({
  text,
  className,
}: {
  readonly text: string;
  readonly className?: string | undefined;
}) => <Words text={reasonLine(text)} full={text} className={className} />;

/** A name whose end tells it from others: what does not fit goes from its middle. */
export const NameWords = ({ text, className }: { readonly text: string; readonly className?: string | undefined }) => {
  const at = Math.max(0, text.length - endLength);
  return (
    <bdi dir="auto" translate="no" className={classes(css.name, className)} {...{ [fullTextAttribute]: "" }}>
      <span className={css.cut}>{text.slice(0, at)}</span>
      <span className={css.end}>{text.slice(at)}</span>
    </bdi>
  );
};

/** As much of a name's end as tells versions and kinds of files apart. */
const endLength = 14;
