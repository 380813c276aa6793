import { t } from "@lingui/core/macro";
import type { MediaFacts } from "../../../shared/asset.ts";
import { allOf } from "../../ui/format.ts";

/** What most browsers decode. */
const browserCodecs: ReadonlySet<string> = new Set([
  ...["h264", "vp8", "vp9", "av1", "aac", "mp3", "opus", "vorbis", "flac", "pcm_s16le", "mjpeg"],
]);

/** Why the browser did not play a file, as far as its facts show, and what to do instead. */
export const whyNotPlayed = (facts: MediaFacts | null, type: string): string => {
  const codecs = [...(facts?.video ?? []), ...(facts?.audio ?? [])].map(({ codec }) => codec);
  const strange = codecs.filter((codec) => !browserCodecs.has(codec));
  return [reasonOf([...new Set(strange)], type), t`Download it, or submit a review proxy of it.`].join(" ");
};

const reasonOf = (strange: readonly string[], type: string): string => {
  if (strange.length > 0) return t`Browsers cannot decode ${allOf(strange)}.`;
  return type === "" ? t`This browser cannot play the file.` : t`This browser cannot play the file (${type}).`;
};
