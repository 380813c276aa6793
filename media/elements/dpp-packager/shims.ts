import type { VideoFacts } from "../../../shared/model/asset.ts";

/** One format of delivery: what its picture and sound must be, how it is wrapped, and the sidecar's words for it. */
export type Shim = {
  readonly name: string;
  readonly version: string;
  readonly muxer: "mxf" | "mxf_d10";
  readonly picture: Readonly<Pick<VideoFacts, "codec" | "profile" | "pixelFormat" | "width" | "height">>;
  /** Channels of sound in all. */
  readonly channels: readonly number[];
  /** A track for each channel, or one track with all of them. */
  readonly tracks: "mono" | "one";
  /** Layouts of the sound by the number of channels. */
  readonly layouts: Readonly<Record<number, readonly string[]>>;
  readonly words: {
    readonly bitRate: string;
    readonly codec: string;
    readonly parameters: string;
    readonly format: string;
    readonly sound: string;
  };
};

const stereo = ["EBU R 48: 2a", "EBU R 123: 4b", "EBU R 123: 4c"];
const surround = ["EBU R 123: 16c", "EBU R 123: 16d", "EBU R 123: 16f"];

export const shimNames = ["uk_dpp_hd", "uk_dpp_sd"] as const;
export type ShimName = (typeof shimNames)[number];

export const shims: Readonly<Record<ShimName, Shim>> = {
  uk_dpp_hd: {
    name: "UK DPP HD",
    version: "1.1",
    muxer: "mxf",
    picture: { codec: "h264", profile: "High 4:2:2 Intra", pixelFormat: "yuv422p10le", width: 1920, height: 1080 },
    channels: [4, 16],
    tracks: "mono",
    layouts: { 4: stereo, 16: surround },
    words: {
      bitRate: "100",
      codec: "AVC-Intra 100",
      parameters: "High 4:2:2 Intra@L4.1",
      format: "1080i50 16:9",
      sound: "PCM",
    },
  },
  uk_dpp_sd: {
    name: "UK DPP SD",
    version: "1.1",
    muxer: "mxf_d10",
    // 32 lines of the vertical interval lie above the 576 of the picture.
    picture: { codec: "mpeg2video", profile: "4:2:2", pixelFormat: "yuv422p", width: 720, height: 608 },
    channels: [4],
    tracks: "one",
    layouts: { 4: stereo },
    words: { bitRate: "50", codec: "D10 50", parameters: "4:2:2 P@ML", format: "576i50 16:9", sound: "AES3" },
  },
};

/** The format that a picture can only be meant for; the one of high definition where it fits neither. */
export const shimFor = ({ height }: Pick<VideoFacts, "height">): ShimName =>
  height <= shims.uk_dpp_sd.picture.height ? "uk_dpp_sd" : "uk_dpp_hd";
