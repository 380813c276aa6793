import { z } from "zod";
import { notImplemented } from "../../conflicts/unsupported-fields.ts";
import { filterList } from "../../filter-schema.ts";
import { type AnyAudioFilter, defineAudioFilter } from "../../filters/filter.ts";
import { oneFilterOf } from "../../filters/one-filter-of.ts";
import { extenc } from "./extenc.ts";
import { fade } from "./fade.ts";
import { level } from "./level.ts";
import { normalize } from "./normalize/index.ts";

const coming = (kind: string) =>
  defineAudioFilter({
    kind,
    payload: z.looseObject({}),
    stage: "converted",
    apply: (_payload, { path }) => notImplemented(`${path}: a filter of kind`, kind),
  });

/** Every filter of sound. A new one is one file and one line here. */
const kinds: readonly AnyAudioFilter[] = [
  ...[extenc, fade, level, normalize],
  ...[coming("mixdown"), coming("resample"), coming("tempo")],
];

export const audioFilterOf = (kind: string): AnyAudioFilter | undefined => kinds.find((each) => each.kind === kind);

/** Every filter that sound can be sent through. */
export const audioFilters = filterList("extenc", oneFilterOf(kinds));
