import { t } from "@lingui/core/macro";
import type { NodeUse } from "../../../shared/api/node-view.ts";
import { classes } from "../text/classes.ts";
import css from "./load.module.css";

const parts = [
  ["cpu", t`CPU`],
  ["memory", t`RAM`],
  ["disk", t`Disk`],
  ["gpu", t`GPU`],
] as const;

/** Anything this full needs attention; only a full disk stops work. */
const isHigh = (part: Part, percent: number): boolean => part === "disk" && percent >= 90;

type Part = keyof Omit<NodeUse, "node_id">;
const shown = (hasGpu: boolean) => parts.filter(([part]) => part !== "gpu" || hasGpu);

/** How busy a machine is: a percentage for each part that it reports. */
export const Load = ({ use, hasGpu }: { readonly use: NodeUse | undefined; readonly hasGpu: boolean }) => (
  <span className={css.load}>
    {shown(hasGpu).map(([part, word]) => (
      <Percent key={part} part={part} word={word} percent={use?.[part] ?? null} />
    ))}
  </span>
);

const Percent = ({
  part,
  word,
  percent,
}: {
  readonly part: Part;
  readonly word: string;
  readonly percent: number | null;
}) => (
  <span className={classes(css.part, percent !== null && isHigh(part, percent) && css.high)}>
    <span className={css.word}>{word} </span>
    {percent ?? "–"}
  </span>
);

/** The heads above these percentages. */
export const LoadHead = ({ hasGpu }: { readonly hasGpu: boolean }) => (
  <span className={css.load}>
    {shown(hasGpu).map(([part, word]) => (
      <span key={part} className={css.part}>
        {word}
      </span>
    ))}
  </span>
);
