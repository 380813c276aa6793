import type { AudioFacts } from "../../shared/model/asset.ts";
import type { Filter } from "../ffmpeg/filtergraph.ts";
import { layoutOf } from "../ffmpeg/layouts.ts";

/** The properties of all parts of a track: the first one's rate, and the highest channel count. */
export const joinedSound = (shares: readonly AudioFacts[], index: number): AudioFacts => {
  const [first] = shares.filter(({ codec }) => codec !== "generated").concat(shares);
  if (!first) throw new Error("every joined track has sound in at least one section");
  const richest = shares.reduce((a, b) => (b.channels > a.channels ? b : a));
  const language = shares.find((share) => share.language)?.language;
  const layout = richest.layout ?? layoutOf(richest.channels);
  return { ...first, index, language, channels: richest.channels, layout };
};

/**
 * The filters that make one part like the others, with an exact number of samples: gaps and missing sound become
 * silence.
 */
export const conformSound = ({ sampleRate, layout, channels }: AudioFacts, samples: number): Filter[] => [
  { name: "aresample", options: { async: 1, first_pts: 0, osr: sampleRate } },
  { name: "aformat", options: { sample_rates: sampleRate, channel_layouts: layout ?? layoutOf(channels) } },
  { name: "apad", options: { whole_len: samples } },
  { name: "atrim", options: { end_sample: samples } },
];
