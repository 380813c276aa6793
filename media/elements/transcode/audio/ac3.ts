import { definitionError } from "../../../../shared/model/failure.ts";
import { type AudioCodec, type AudioContext, bitsOf } from "./audio.ts";
import { codingLayout, vendorOptions } from "./vendor-options.ts";

const rates = [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512, 576, 640];

const layouts = [
  ...["mono", "stereo", "3.0", "3.0(back)", "4.0", "quad(side)", "quad", "5.0(side)", "5.0"],
  ...["2.1", "3.1", "4.1", "5.1(side)", "5.1"],
];

/** AC-3: up to 5.1 channels, at one of the bit rates in its table. */
export const ac3: AudioCodec = {
  names: ["ac3", "vendor_digital"],
  containers: ["avi", "mov", "mp4", "mpegts", "segmented_ts", "hls", "dash", "program_stream"],
  reads: ["bitrate_kb", "dialnorm", "vendor_digital"],
  maxChannels: 6,
  isLossy: true,
  layouts: () => layouts,
  sampleRates: [48_000, 44_100, 32_000],
  layout: ({ vendor_digital }) => codingLayout(vendor_digital?.audio_coding_mode),
  encoder: () => "ac3",
  probed: () => "ac3",
  options: (context) => ({
    b: bitsOf(checked(context)),
    ...vendorOptions(context, context.audio.vendor_digital, `${context.path}.vendor_digital`),
  }),
};

/** Enhanced AC-3, at any bit rate. */
export const eac3: AudioCodec = {
  ...ac3,
  names: ["eac3", "vendor_digital_plus"],
  containers: ["mov", "mp4", "mpegts", "segmented_ts", "hls", "dash"],
  reads: ["bitrate_kb", "dialnorm", "vendor_digital_plus"],
  layout: ({ vendor_digital_plus }) => codingLayout(vendor_digital_plus?.audio_coding_mode),
  encoder: () => "eac3",
  probed: () => "eac3",
  options: (context) => ({
    b: bitsOf(context.audio.bitrate_kb),
    ...vendorOptions(context, context.audio.vendor_digital_plus, `${context.path}.vendor_digital_plus`),
  }),
};

const checked = ({ audio: { bitrate_kb }, path }: AudioContext): number | undefined => {
  if (bitrate_kb === undefined || rates.includes(bitrate_kb)) return bitrate_kb;
  throw definitionError(`${path}.bitrate_kb ${bitrate_kb}: ac3 has ${rates.join(", ")}`);
};
