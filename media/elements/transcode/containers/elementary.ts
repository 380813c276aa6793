import { type Container, nothing } from "./container.ts";

type Extensions = [string, ...string[]];

const picture = (muxer: string, probed: string, video: RegExp, ...extensions: Extensions): Container => {
  return { kinds: [], extensions, muxer, probed, isElementary: true, isTimeless: true, video, audio: nothing };
};

const sound = (muxer: string, probed: string, audio: RegExp, ...extensions: Extensions): Container => {
  return { kinds: [], extensions, muxer, probed, isElementary: true, isTimeless: true, video: nothing, audio };
};

/** One stream as its encoder made it, without a container around it. Files of sound with a kind of their own are not here. */
export const elementary: readonly Container[] = [
  picture("h264", "h264", /^h264$/, ".h264", ".264", ".avc"),
  picture("hevc", "hevc", /^hevc$/, ".h265", ".265", ".hevc"),
  { ...picture("mpeg1video", "mpegvideo", /^mpeg1video$/, ".m1v"), kinds: ["mp1_elementary"] },
  { ...picture("mpeg2video", "mpegvideo", /^mpeg2video$/, ".m2v"), kinds: ["mp2_elementary", "mpeg2video"] },
  picture("m4v", "m4v", /^mpeg4$/, ".m4e"),
  picture("ivf", "ivf", /^(vp8|vp9|av1)$/, ".ivf"),
  picture("dv", "dv", /^dvvideo$/, ".dv"),
  sound("mp2", "mp3", /^mp2$/, ".mp2", ".m2a", ".mpa"),
  sound("ac3", "ac3", /^ac3$/, ".ac3"),
  sound("eac3", "eac3", /^eac3$/, ".eac3", ".ec3"),
];
