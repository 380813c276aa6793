import { t } from "@lingui/core/macro";
import type { ReactNode } from "react";
import type { StateName } from "../../../shared/model/state-labels.ts";
import { classes } from "./classes.ts";
import { Glyph } from "./glyph.tsx";
import css from "./notice.module.css";

/** A tinted line about a problem: glyph, what and why, and what can be done. */
export const Notice = ({
  tone,
  children,
  action,
}: {
  readonly tone: "late" | "lost" | "failed";
  readonly children: ReactNode;
  readonly action?: ReactNode;
}) => {
  const glyph: StateName = tone;
  return (
    <div
      className={classes(css.notice, tone === "late" ? css.warn : css.bad)}
      role={tone === "late" ? "status" : "alert"}
    >
      <Glyph state={glyph} />
      <div className={css.text}>{children}</div>
      {action}
    </div>
  );
};

/** Nothing here: one sentence and the next step. */
export const Empty = ({ title, children }: { readonly title: string; readonly children?: ReactNode }) => (
  <div className={css.empty}>
    <p className={css.title}>{title}</p>
    {children}
  </div>
);

/** Grey bars in the rows' grid; visible only if loading takes longer than a moment. */
export const Loading = ({ what, rows = 4 }: { readonly what: string; readonly rows?: number }) => (
  <div className={css.loading} role="status" aria-label={t`Loading ${what}`}>
    {Array.from({ length: rows }, (_, row) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the bars are all alike
      <span key={row} />
    ))}
  </div>
);
