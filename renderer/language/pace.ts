import { plural, t } from "@lingui/core/macro";
import type { NodePace } from "../../shared/api/node-view.ts";

const fewestPercent = 15;

/** "40 % slower than its kind (3 nodes)"; undefined where too little is known, or where it is as fast as its kind. */
export const paceWords = (pace: Pick<NodePace, "kind"> | undefined): string | undefined => {
  if (!pace?.kind) return undefined;
  const { speed, nodes } = pace.kind;
  const percent = Math.round(Math.abs(1 - speed) * 100);
  if (percent < fewestPercent) return undefined;
  const others = plural(nodes, { one: "# other node", other: "# other nodes" });
  return speed < 1
    ? t`is ${percent} % slower than its kind (${others})`
    : t`is ${percent} % faster than its kind (${others})`;
};
