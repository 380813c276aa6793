import { matroskaTexts } from "../subtitles/forms.ts";
import { type Container, plainFile } from "./container.ts";

export const webm: Container = {
  ...plainFile,
  kinds: ["webm"],
  extensions: [".webm"],
  muxer: "webm",
  video: /^(vp8|vp9|av1)$/,
  audio: /^(vorbis|opus)$/,
  texts: { webvtt: matroskaTexts.webvtt },
};
