import { definitionError } from "../../../../shared/model/failure.ts";
import { type AudioCodec, type AudioContext, bitsOf } from "./audio.ts";

const rates = [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384];
/** Below 32,000 samples a second the standard has other bit rates. */
const lowRates = [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];

/** MPEG-1 layer II, the sound of broadcasting and discs. */
export const mp2: AudioCodec = {
  names: ["mp2"],
  containers: ["avi", "mpegts", "segmented_ts", "program_stream"],
  reads: ["bitrate_kb"],
  maxChannels: 2,
  isLossy: true,
  layouts: () => ["mono", "stereo"],
  sampleRates: [48_000, 44_100, 32_000, 24_000, 22_050, 16_000],
  encoder: () => "mp2",
  probed: () => "mp2",
  options: (context) => ({ b: bitsOf(checked(context)) }),
};

const checked = ({ audio: { bitrate_kb }, rate, path }: AudioContext): number | undefined => {
  const known = rate < 32_000 ? lowRates : rates;
  if (bitrate_kb === undefined || known.includes(bitrate_kb)) return bitrate_kb;
  throw definitionError(`${path}.bitrate_kb ${bitrate_kb}: mp2 has ${known.join(", ")}`);
};
