import { ratio } from "../../../../shared/basics/rational.ts";
import { d10Pictures, dvPictures, wide } from "./raster.ts";
import { halfSecond, type Standard } from "./standard.ts";

const rates = [ratio(25), ratio(30_000, 1001), ratio(24_000, 1001)];
const fastRates = [ratio(50), ratio(60_000, 1001)];

const sound: Standard["audio"] = { codec: "pcm", sample_rate: 48_000, sample_size: 24 };

/** XDCAM HD: MPEG-2 with long groups at 35 Mbit/s, 1440 points wide instead of 1920. */
export const xdcamHd: Standard = {
  container: { kind: "mxf" },
  only: "mpeg2",
  video: () => ({
    ...{ codec: "mpeg2", profile: "MP", level: "H14", chroma_format: "yuv420p", max_bframes: 2 },
    ...{ bitrate_mode: "vbr", bitrate_kb: 35_000, max_bitrate_kb: 35_000, vbv_buffer_size_kb: 9781 },
  }),
  groups: halfSecond,
  audio: sound,
  rasters: wide(1440, 1080, rates, "tff"),
};

/** XDCAM HD422: MPEG-2 with long groups at a constant 50 Mbit/s, with twice the colour. */
export const xdcamHd422: Standard = {
  container: { kind: "mxf" },
  only: "mpeg2",
  video: () => ({
    ...{ codec: "mpeg2", profile: "422P", level: "HL", chroma_format: "yuv422p", max_bframes: 2 },
    ...{ bitrate_mode: "cbr", bitrate_kb: 50_000, vbv_buffer_size_kb: 36_408 },
  }),
  groups: halfSecond,
  audio: sound,
  rasters: [...wide(1920, 1080, rates, "tff"), ...wide(1280, 720, fastRates)],
  codec: "mpeg2",
  encoder: { dc: 10, intra_vlc: 1, non_linear_quant: 1, qmin: 1, qmax: 12 },
};

/** XDCAM IMX: MPEG-2 of single pictures, with the lines above the picture (SMPTE 356M). */
export const xdcamImx: Standard = {
  container: { kind: "mxf_d10" },
  only: "mpeg2",
  video: () => ({
    ...{ codec: "mpeg2", add_vbi_if_needed: true, bitrate_mode: "cbr", bitrate_kb: 50_000 },
  }),
  audio: { codec: "pcm", sample_rate: 48_000 },
  rasters: d10Pictures,
};

/** DVCAM at 25 Mbit/s. */
export const xdcamDvcam25: Standard = {
  container: { kind: "mxf" },
  only: "dv25",
  video: () => ({ codec: "dv25" }),
  audio: { codec: "pcm", sample_rate: 48_000, sample_size: 16 },
  rasters: dvPictures,
};
