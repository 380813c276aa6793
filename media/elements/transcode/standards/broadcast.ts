import { ratio } from "../../../../shared/basics/rational.ts";
import { wide } from "./raster.ts";
import type { Standard } from "./standard.ts";

/** What libx264 has tables for. */
const rates = [ratio(24_000, 1001), ratio(25), ratio(30_000, 1001), ratio(50), ratio(60_000, 1001)];

/** Class 50 has three quarters of the width, and half the colour. */
const isNarrow = (width: number | undefined): boolean => width === 1440 || width === 960;

/** AVC-Intra, classes 50 and 100: H.264 of single pictures with ten bits. */
export const avcIntra: Standard = {
  container: { kind: "mxf" },
  only: "h264",
  video: ({ video }) => {
    const small = isNarrow(video?.width);
    return { codec: "h264", chroma_format: small ? "yuv420p10le" : "yuv422p10le", ...(small && { dar: "16/9" }) };
  },
  audio: { codec: "pcm", sample_rate: 48_000, sample_size: 24 },
  codec: "h264",
  encoder: ({ width }) => ({ "avcintra-class": isNarrow(width) ? 50 : 100 }),
  rasters: [wide(1920, 1080, rates), wide(1280, 720, rates), wide(1440, 1080, rates), wide(960, 720, rates)].flat(),
  pictures: { "1920x1080": rates, "1280x720": rates, "1440x1080": rates, "960x720": rates },
};

/** XAVC Intra: the same with another layout, also in UHD; without the XML that cameras put beside it. */
export const xavc: Standard = {
  ...avcIntra,
  video: () => ({ codec: "h264", chroma_format: "yuv422p10le" }),
  // By ffmpeg's own option: it then keeps the headers in the stream, which the class needs, in every container.
  encoder: ({ height }) => ({ "avcintra-class": height > 1080 ? 300 : 100, "x264-params": "avcintra-flavor=sony" }),
  rasters: [wide(1920, 1080, rates), wide(3840, 2160, rates)].flat(),
  pictures: { "1920x1080": rates, "3840x2160": rates },
};

/** Tables at least every 100 ms and a clock every 40 ms, as receivers of DVB expect (ETSI TS 101 154, TR 101 290). */
export const dvb: Standard = {
  container: { kind: "mpegts", pat_interval_ms: 100, pmt_interval_ms: 100, pcr_interval_ms: 40 },
  video: () => ({ codec: "h264", chroma_format: "yuv420p" }),
  audio: { codec: "mp2", sample_rate: 48_000 },
};

/** The same for receivers of ATSC (A/53), whose sound is AC-3. */
export const atsc: Standard = {
  container: { kind: "mpegts", pat_interval_ms: 100, pmt_interval_ms: 400, pcr_interval_ms: 40 },
  video: () => ({ codec: "mpeg2", chroma_format: "yuv420p" }),
  audio: { codec: "ac3", sample_rate: 48_000 },
};
