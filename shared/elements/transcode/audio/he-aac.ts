import { TaskError } from "../../../causes.ts";
import { type AudioCodec, type AudioContext, bitsOf } from "./audio.ts";

/** AAC with its upper half rebuilt from the lower one. Only Fraunhofer's encoder makes it, which few builds of ffmpeg have. */
export const heAac: AudioCodec = {
  names: ["heaac_v1", "heaac_v2", "heaac_auto"],
  reads: ["bitrate_mode", "bitrate_kb", "convert_aac_headers"],
  maxChannels: 8,
  sampleRates: [96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000],
  encoder: () => "libfdk_aac",
  probed: () => "aac",
  options: (context) => ({ b: bitsOf(context.audio.bitrate_kb), profile: profileOf(context) }),
};

// Parametric stereo pays below 48 kbit/s, and needs two channels.
const profileOf = ({ audio, source, path }: AudioContext): string => {
  const channels = audio.channels ?? source.channels;
  if (audio.codec === "heaac_v2" && channels !== 2) {
    throw new TaskError("definition", `${path}.codec heaac_v2 is stereo, the track has ${channels} channels`);
  }
  const isLow = channels === 2 && (audio.bitrate_kb ?? 64) <= 40;
  return audio.codec === "heaac_v2" || (audio.codec === "heaac_auto" && isLow) ? "aac_he_v2" : "aac_he";
};
