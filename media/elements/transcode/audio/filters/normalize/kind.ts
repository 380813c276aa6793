import type { z } from "zod";
import type { AudioFacts } from "../../../../../../shared/model/asset.ts";
import type { FilterValue } from "../../../../../ffmpeg/filtergraph.ts";
import type { Applied, AudioPlace } from "../../../filters/filter.ts";

/** One way to bring sound to a level: a file of its own and a line in the table. */
export type Normalizing<Payload> = {
  readonly kind: string;
  readonly payload: z.ZodType<Payload>;
  readonly apply: (payload: Payload, place: AudioPlace) => Applied<AudioFacts>;
};
export type AnyNormalizing = Normalizing<unknown>;

export const defineNormalizing = <Payload>(kind: Normalizing<Payload>): AnyNormalizing =>
  // The table gives each kind what its own schema has parsed; the type of a list cannot express this.
  kind as unknown as AnyNormalizing;

/** A known number, or one that an earlier step of the attempt will have measured. */
export type Figure = number | Extract<FilterValue, { readonly result: string }>;

/** A figure inside ffmpeg's arithmetic: `pow(10,` figure `/20)`. */
export const around = (before: string, figure: Figure, after: string): FilterValue =>
  typeof figure === "number" ? `${before}${figure}${after}` : { parts: [before, figure, after] };
