import type { FocusEvent, ReactNode } from "react";
import { Icon } from "../text/icon.tsx";
import css from "./table.module.css";

/** A row that names those below it, and hides them when it is closed. */
export type Heading = {
  readonly key: string;
  readonly content: ReactNode;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
};

type Props = {
  readonly heading: Heading;
  readonly index: number;
  readonly start: number;
  /** Absent: as high as its words. */
  readonly rowHeight: number | undefined;
  readonly columnCount: number;
  readonly isFocusable: boolean;
  readonly measure: ((row: HTMLElement | null) => void) | undefined;
  readonly onFocus: (event: FocusEvent<HTMLElement>) => void;
};

/** A heading in its place among the table's rows. */
export const PlacedHeading = ({ heading, index, start, rowHeight, columnCount, ...props }: Props) => (
  // biome-ignore lint/a11y/useSemanticElements: the table's rows are placed
  <div
    ref={props.measure}
    data-index={index}
    className={`${css.placed} ${css.heading}`}
    role="row"
    aria-rowindex={index + 2}
    tabIndex={props.isFocusable ? 0 : -1}
    style={{ transform: `translateY(${start}px)`, minHeight: rowHeight }}
    onFocus={props.onFocus}
  >
    {/* biome-ignore lint/a11y/useSemanticElements: the table's rows are placed */}
    {/* biome-ignore lint/a11y/useFocusableInteractive: the row has the focus */}
    <div role="rowheader" aria-colspan={columnCount} className={css.headingCell}>
      <button
        type="button"
        tabIndex={-1}
        className={css.toggle}
        aria-expanded={heading.isOpen}
        onClick={heading.onToggle}
      >
        <Icon name={heading.isOpen ? "down" : "next"} size={12} />
        {heading.content}
      </button>
    </div>
  </div>
);
