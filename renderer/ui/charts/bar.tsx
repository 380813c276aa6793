import { classes } from "../text/classes.ts";
import { percentage } from "../text/format.ts";
import css from "./bar.module.css";
import { type Counts, describeCounts, toSegments } from "./segments.ts";

/** A stacked bar: parts that are further from done are thinner. */
export const Bar = ({
  counts,
  label,
  unit = "",
  isTall = false,
}: {
  readonly counts: Partial<Counts>;
  readonly label: string;
  readonly unit?: string;
  readonly isTall?: boolean;
}) => (
  <span
    className={classes(css.bar, isTall && css.tall)}
    role="img"
    aria-label={`${label}: ${describeCounts(counts, unit)}`}
    title={describeCounts(counts, unit)}
  >
    {toSegments(counts).map(({ part, share }) => (
      <span key={part} className={css[part]} style={{ flexGrow: share }} />
    ))}
  </span>
);

/** One task's progress: a filled part of a track. */
export const Meter = ({ percent, label }: { readonly percent: number; readonly label: string }) => (
  <span className={css.meter} role="img" aria-label={`${label}: ${percentage(Math.round(percent))}`}>
    <span style={{ width: `${Math.max(0, Math.min(100, percent))}%` }} />
  </span>
);
