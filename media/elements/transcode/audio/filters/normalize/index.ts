import { z } from "zod";
import { defineAudioFilter } from "../../../filters/filter.ts";
import { dynamic } from "./dynamic.ts";
import { ebur128 } from "./ebur128.ts";
import type { AnyNormalizing } from "./kind.ts";
import { peak, rms } from "./levels.ts";
import { professional } from "./professional.ts";

/** Every way to normalize. A new one is one file and one line here. */
const kinds: readonly AnyNormalizing[] = [ebur128, peak, rms, dynamic, professional];

const oneOf = kinds.map(({ kind, payload }) => z.looseObject({ kind: z.literal(kind), payload }));

const usually = (value: unknown): unknown =>
  typeof value === "object" && value !== null ? { kind: "ebur128", payload: {}, ...value } : value;

type Wanted = { readonly kind: string; readonly payload: unknown };

/** Brings the sound to a level. It follows mixing, so that it measures what listeners hear. */
export const normalize = defineAudioFilter({
  kind: "normalize",
  // zod wants a list that it can see is not empty, and gives each option's own type, which a table does not have.
  payload: z.preprocess(usually, z.discriminatedUnion("kind", oneOf as never) as unknown as z.ZodType<Wanted>),
  stage: "converted",
  apply: ({ kind, payload }, place) => {
    const found = kinds.find((each) => each.kind === kind);
    if (!found) throw new Error(`there is no way to normalize called ${kind}`);
    return found.apply(payload, { ...place, path: `${place.path}.payload` });
  },
});
