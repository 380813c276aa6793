import { t } from "@lingui/core/macro";
import type { LendState } from "../../shared/lending/lending.ts";
import type { Node } from "../../shared/model/node.ts";
import { language } from "./index.ts";

type Lending = NonNullable<Node["lending"]>;

const words: Readonly<Record<LendState, () => string>> = {
  lending: () => t`Lending`,
  soon: () => t`Lending starts soon`,
  inUse: () => t`In use by its owner`,
  busy: () => t`Other programs keep it busy`,
  outOfHours: () => t`Outside its planned hours`,
  stopped: () => t`Stopped by its owner`,
  never: () => t`Never lends`,
  fullScreen: () => t`A program fills its screen`,
  program: () => t`A program of its owner is running`,
  battery: () => t`Runs on battery`,
  diskLow: () => t`Its disk is nearly full`,
  asleep: () => t`Asleep`,
};

/** Why a node is not lent. The agent's own sentence is English and says more; other languages say its state. */
export const lendingText = ({ state, why }: Pick<Lending, "state" | "why">, of = language): string =>
  of === "en" ? why : (words[state]?.() ?? why);

/** The same below a heading that says "In use by": English begins with the name. */
export const whoseWords = (lending: Pick<Lending, "state" | "why">, of = language): string =>
  lendingText(lending, of).replace(/^In use by (?!its owner)/, "");
