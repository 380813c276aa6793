import type { Output, StepOf } from "../../../shared/work/work.ts";
import type { JsonObject } from "../../analyses/analysis.ts";
import type { VirtualSource } from "../../virtual-source/virtual-source.ts";
import type { ReportRecipe } from "../report/recipe.ts";
import type { Asked, Branch } from "./branches.ts";
import type { Compared } from "./compare.ts";
import type { Histograms } from "./histograms.ts";

/** Everything `compile` needs for an analysis, decided during planning. */
export type AnalyzeRecipe = {
  /** The media, and the media it is compared with. */
  readonly source: VirtualSource | undefined;
  readonly general: JsonObject | undefined;
  /** The file whose atoms are listed, and how. */
  readonly atoms?: { readonly uri: string; readonly style: StepOf<"atoms">["style"] };
  readonly branches: readonly Branch[];
  readonly compared?: Compared & { readonly asked: Asked };
  /** The compared audio: entry of the payload's list, and both tracks. */
  readonly comparedSound?: {
    readonly at: number;
    readonly judged: number;
    readonly reference: number;
    /** The layout that the reference is mixed to. */
    readonly layout?: string;
  };
  /** The stream whose packets are counted, and the length of one window in seconds. */
  readonly packets?: { readonly stream: string; readonly windowSeconds: number };
  readonly histograms?: Histograms | undefined;
  /** Pictures for reports: of which track, and seconds from one to the next. */
  readonly stills?: { readonly track: number; readonly stepSec: number };
  /** Files of values, each from some of the results. */
  readonly documents: readonly { readonly output: Output; readonly results: readonly string[] }[];
  readonly reports: readonly ReportRecipe[];
  readonly notes: readonly string[];
};
