import type { VideoFacts } from "../../../asset.ts";
import { TaskError } from "../../../causes.ts";
import type { Filter } from "../../../ffmpeg/filtergraph.ts";
import type { VideoTarget } from "./schema.ts";
import type { VideoCodec } from "./video.ts";

/** Words of the job that ffmpeg spells differently. */
const spelled: Readonly<Record<string, string>> = {
  st2084: "smpte2084",
  hlg: "arib-std-b67",
  arib_stdb67: "arib-std-b67",
  bt601: "smpte170m",
  bt470m: "bt470m",
  "log sqrt": "log_sqrt",
  "bt1361 ecg": "bt1361e",
  "iec61966 2.1": "iec61966-2-1",
  "iec61966 2.4": "iec61966-2-4",
  bt2020_10bit: "bt2020-10",
  bt2020_12bit: "bt2020-12",
  bt2020c: "bt2020c",
  rgb: "gbr",
  full: "pc",
  limited: "tv",
};

const spell = (word: string | undefined) => (word === undefined ? undefined : (spelled[word] ?? word));
const spellTransfer = (word: string | undefined) => (word === "bt470m" ? "gamma22" : spell(word));

/**
 * Colour tags that the job gives to a source without any. A tag that contradicts the source's would need a conversion,
 * which is refused.
 */
export const colorTags = (video: VideoTarget, source: VideoFacts, path: string): Filter[] => {
  const range = video.ire_range_mode === "auto" ? undefined : spell(video.ire_range_mode);
  const options = {
    range: wanted(range, source.colorRange, `${path}.ire_range_mode`),
    color_primaries: wanted(spell(video.color_primaries), source.colorPrimaries, `${path}.color_primaries`),
    color_trc: wanted(spellTransfer(video.color_trc), source.colorTransfer, `${path}.color_trc`),
    colorspace: wanted(spell(video.color_matrix), source.colorSpace, `${path}.color_matrix`),
  };
  return Object.values(options).some(Boolean) ? [{ name: "setparams", options }] : [];
};

/** How the scaler must treat colour: stills become what every viewer takes them for, timelines stay as they are. */
export const colorScaling = (codec: VideoCodec, source: VideoFacts): Record<string, string | undefined> => {
  if (!codec.isStill) return {};
  // High definition without a tag is BT.709 in practice; the scaler would take it for BT.601.
  const untagged = source.colorSpace === undefined && source.height >= 720 && !source.pixelFormat?.includes("rgb");
  return { in_color_matrix: untagged ? "bt709" : undefined, out_color_matrix: "bt601", out_range: "full" };
};

const wanted = (tag: string | undefined, found: string | undefined, path: string): string | undefined => {
  if (tag === undefined || tag === found) return undefined;
  if (found === undefined) return tag;
  throw new TaskError("capability", `${path}: converting ${found} to ${tag} is not implemented yet`);
};
