import type { FormName } from "../../../../shared/work/subtitle-forms.ts";
import { forms } from "../../../subtitles/index.ts";
import { type Container, nothing } from "./container.ts";

/** Files that hold only subtitles. */
const textFile = (form: FormName, extensions: readonly [string, ...string[]]): Container => ({
  kinds: [form],
  extensions,
  muxer: form,
  text: form,
  ...(form === "webvtt" && { layout: "text" }),
  video: nothing,
  audio: nothing,
});

/** A form without an ending is for tracks only. */
export const textFiles: readonly Container[] = Object.keys(forms).flatMap((name) => {
  const form = name as FormName; // Object.keys forgets the names
  const [first, ...more] = forms[form].extensions.map((extension) => `.${extension}`);
  return first === undefined ? [] : [textFile(form, [first, ...more.filter((extension) => extension !== ".xml")])];
});

/** WebVTT cut into segments, with the playlist that HLS reads. */
export const hlsSubtitle: Container = {
  ...textFile("webvtt", [".m3u8"]),
  kinds: ["hls_subtitle"],
  isPackage: true,
  layout: "playlist",
};
