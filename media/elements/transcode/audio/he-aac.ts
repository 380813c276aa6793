import { definitionError } from "../../../../shared/model/failure.ts";
import { aac } from "./aac.ts";
import { type AudioCodec, type AudioContext, bitsOf } from "./audio.ts";

/** AAC that rebuilds its upper half from the lower one, and at low rates its stereo too. fdkaac makes it. */
export const heAac: AudioCodec = {
  names: ["heaac_v1", "heaac_v2", "heaac_auto"],
  containers: aac.containers,
  reads: ["bitrate_mode", "bitrate_kb", "convert_aac_headers"],
  maxChannels: 8,
  isLossy: true,
  layouts: aac.layouts,
  sampleRates: [96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000],
  encoder: () => "copy",
  program: (context) => {
    const profile = profileOf(context);
    const usual = profile === 29 ? 32 : 32 * context.channels;
    return { profile, bitRate: bitsOf(context.audio.bitrate_kb ?? usual) ?? 0 };
  },
  probed: () => "aac",
  options: () => ({}),
};

// Parametric stereo pays below 48 kbit/s, and needs two channels.
const profileOf = (context: AudioContext): 5 | 29 => {
  const { audio, path } = context;
  const channels = context.channels;
  if (audio.codec === "heaac_v2" && channels !== 2) {
    throw definitionError(`${path}.codec heaac_v2 is stereo, the track has ${channels} channels`);
  }
  const isLow = channels === 2 && (audio.bitrate_kb ?? 64) <= 40;
  return audio.codec === "heaac_v2" || (audio.codec === "heaac_auto" && isLow) ? 29 : 5;
};
