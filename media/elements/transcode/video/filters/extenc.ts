import { z } from "zod";
import { location } from "../../../../../shared/files/location.ts";
import { allowedChain } from "../../filters/allowed.ts";
import { defineVideoFilter } from "../../filters/filter.ts";
import { stagedFiles } from "../../filters/support-files.ts";
import { allowedVideoFilters } from "./allowed.ts";
import { pictureAfter } from "./picture-after.ts";

/** A chain of ffmpeg filters in ffmpeg's own syntax. Each filter must be on a list, and each option is checked. */
export const extenc = defineVideoFilter({
  kind: "extenc",
  payload: z.looseObject({
    support_files: z.array(location).max(100).optional(),
    extenc_filter: z.string().max(4000).optional(),
  }),
  stage: "converted",
  apply: ({ support_files = [], extenc_filter: text = "" }, { extras, picture, path }) => {
    const files = stagedFiles(support_files, extras, `${path}.support_files`);
    const rules = { allowed: allowedVideoFilters, files, path: `${path}.extenc_filter` };
    const filters = allowedChain(text, rules);
    return { filters, changed: pictureAfter(picture, filters, rules.path) };
  },
});
