import { matroskaTexts } from "../subtitles/forms.ts";
import type { Container } from "./container.ts";

export const webm: Container = {
  kinds: ["webm"],
  extensions: [".webm"],
  muxer: "webm",
  video: /^(vp8|vp9|av1)$/,
  audio: /^(vorbis|opus)$/,
  texts: { webvtt: matroskaTexts.webvtt },
};
