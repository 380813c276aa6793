import type { MediaFacts } from "../../../shared/asset.ts";

/** What most browsers decode. */
const browserCodecs: ReadonlySet<string> = new Set([
  ...["h264", "vp8", "vp9", "av1", "aac", "mp3", "opus", "vorbis", "flac", "pcm_s16le", "mjpeg"],
]);

/** Why the browser did not play a file, as far as its facts show, and what to do instead. */
export const whyNotPlayed = (facts: MediaFacts | null, type: string): string => {
  const codecs = [...(facts?.video ?? []), ...(facts?.audio ?? [])].map(({ codec }) => codec);
  const strange = codecs.filter((codec) => !browserCodecs.has(codec));
  const what =
    strange.length > 0
      ? `Browsers cannot decode ${[...new Set(strange)].join(" and ")}.`
      : `This browser cannot play the file${type ? ` (${type})` : ""}.`;
  return `${what} Download it, or submit a review proxy of it.`;
};
