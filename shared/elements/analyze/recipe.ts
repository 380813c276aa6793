import type { JsonObject } from "../../analyses/analysis.ts";
import type { VirtualSource } from "../../virtual-source/virtual-source.ts";
import type { Output } from "../../work.ts";
import type { ReportRecipe } from "../report/recipe.ts";
import type { Asked, Branch } from "./branches.ts";
import type { Compared } from "./compare.ts";

/** All that `compile` needs of an analysis, decided when it was planned. */
export type AnalyzeRecipe = {
  /** The media, and beside it what it is compared with. */
  readonly source: VirtualSource | undefined;
  readonly general: JsonObject | undefined;
  readonly branches: readonly Branch[];
  readonly compared?: Compared & { readonly asked: Asked };
  /** The sound that is compared: entry of the payload's list, and both tracks. */
  readonly comparedSound?: {
    readonly at: number;
    readonly judged: number;
    readonly reference: number /** What the reference is mixed to. */;
    readonly layout?: string;
  };
  /** The stream whose packets are counted, and the seconds of one window. */
  readonly packets?: { readonly stream: string; readonly windowSeconds: number };
  /** Files of numbers, each from some of the results. */
  readonly documents: readonly { readonly output: Output; readonly results: readonly string[] }[];
  readonly reports: readonly ReportRecipe[];
  readonly notes: readonly string[];
};
