import { z } from "zod";
import { allowedChain } from "../../filters/allowed.ts";
import { defineAudioFilter } from "../../filters/filter.ts";
import { allowedAudioFilters, soundAfter } from "./allowed.ts";

/** A chain of ffmpeg filters in ffmpeg's own syntax; each must be on the list. */
export const extenc = defineAudioFilter({
  kind: "extenc",
  payload: z.looseObject({ extenc_filter: z.string().max(4000).optional() }),
  stage: "converted",
  apply: ({ extenc_filter: text = "" }, { path, sound }) => {
    const rules = { allowed: allowedAudioFilters, files: new Map(), path: `${path}.extenc_filter` };
    const filters = allowedChain(text, rules);
    return { filters, changed: soundAfter(sound, filters) };
  },
});
