import { t } from "@lingui/core/macro";
import type { NodeUse } from "../../shared/node-view.ts";
import { classes } from "./classes.ts";
import css from "./load.module.css";

const parts = [
  ["cpu", t`CPU`],
  ["memory", t`RAM`],
  ["disk", t`Disk`],
  ["gpu", t`GPU`],
] as const;

/** Anything this full needs attention; only a full disk stops work. */
const isHigh = (part: keyof NodeUse, percent: number): boolean => part === "disk" && percent >= 90;

/** How busy a machine is: a percentage for each part that it reports. */
export const Load = ({ use, hasGpu }: { readonly use: NodeUse | undefined; readonly hasGpu: boolean }) => (
  <span className={css.load}>
    {parts
      .filter(([part]) => part !== "gpu" || hasGpu)
      .map(([part, word]) => {
        const percent = use?.[part] ?? null;
        return (
          <span key={part} className={classes(css.part, percent !== null && isHigh(part, percent) && css.high)}>
            <span className={css.word}>{word}</span> {percent ?? "–"}
          </span>
        );
      })}
  </span>
);
