import { z } from "zod";
import { looseInteger, looseNumber } from "../../../../../shared/basics/loose-values.ts";
import { definitionError } from "../../../../../shared/model/failure.ts";
import { channelNamesOf, isLayout, layoutOf } from "../../../../ffmpeg/layouts.ts";
import { defineAudioFilter } from "../../filters/filter.ts";

const decibels = looseNumber(-60, 6).optional();

const payload = z.looseObject({
  channels: looseInteger(1, 24).optional(),
  layout: z.string().max(64).optional(),
  center_mix_level_db: decibels,
  surround_mix_level_db: decibels,
  lfe_mix_level_db: decibels,
  matrix: z.enum(["none", "dolby", "dplii"]).optional(),
  normalize: z.boolean().optional(),
});
type Payload = z.output<typeof payload>;

/** Fewer channels, or others: each one is mixed from those that the sound has, by levels that the job may name. */
export const mixdown = defineAudioFilter({
  kind: "mixdown",
  payload,
  stage: "normalized",
  reshapes: (wanted, path) => {
    const layout = layoutWanted(wanted, path);
    return { layout, channels: channelNamesOf(layout).length };
  },
  apply: (wanted, { path }) => {
    const layout = layoutWanted(wanted, path);
    const options = {
      clev: factorOf(wanted.center_mix_level_db),
      slev: factorOf(wanted.surround_mix_level_db),
      // By itself the mixer leaves this one out; where there is no centre, it divides it among left and right.
      lfe_mix_level: factorOf(wanted.lfe_mix_level_db, channelNamesOf(layout).includes("FC") ? 1 : Math.SQRT2),
      matrix_encoding: wanted.matrix,
      // Without it, the sum of all channels is lowered until it cannot clip.
      rematrix_maxval: wanted.normalize === false ? 1_000 : undefined,
    };
    return {
      filters: [
        { name: "aresample", options },
        { name: "aformat", options: { channel_layouts: layout } },
      ],
      changed: { layout, channels: channelNamesOf(layout).length },
    };
  },
});

const factorOf = (level: number | undefined, times = 1): number | undefined =>
  level === undefined ? undefined : Math.round(10 ** (level / 20) * times * 1e6) / 1e6;

const layoutWanted = ({ channels, layout }: Payload, path: string): string => {
  if (layout !== undefined && !isLayout(layout))
    throw definitionError(`${path}.layout "${layout}" is no layout of channels`);
  if (layout !== undefined && channels !== undefined && channelNamesOf(layout).length !== channels)
    throw definitionError(`${path}.channels ${channels} contradicts the layout ${layout}`);
  const found = layout ?? layoutOf(channels ?? 2);
  if (found !== undefined) return found;
  throw definitionError(`${path}.channels: no layout for ${channels} channels`);
};
