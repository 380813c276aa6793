import type { Step } from "../../../shared/work/work.ts";
import { streamBegin } from "../../packaging/stream-clock.ts";
import type { PackagingContext } from "./packaging.ts";
import { inputOf, type Rendition } from "./renditions.ts";

/** Subtitles beside transport streams are text in files of their own, on the clock of the streams. */
export const textStep = (texts: readonly Rendition[], { names, shape }: PackagingContext): Step => ({
  do: "packager",
  id: "texts",
  inputs: Object.fromEntries(texts.map((each) => [`in_${each.asset}.vtt`, inputOf(each)])),
  argv: [
    ...texts.map((text) =>
      [
        `in=in_${text.asset}.vtt`,
        "stream=text",
        `output=${names(text).media}`,
        `playlist_name=${names(text).playlist}`,
        ...(text.layer.language ? [`language=${text.layer.language}`] : []),
      ].join(","),
    ),
    "--hls_master_playlist_output=packager_texts.m3u8",
    `--segment_duration=${shape.seconds}`,
    `--transport_stream_timestamp_offset_ms=${streamBegin * 1000}`,
    "--quiet",
  ],
  keys: [],
});
