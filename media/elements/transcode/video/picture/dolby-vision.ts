import type { VideoFacts } from "../../../../../shared/model/asset.ts";
import { capabilityError } from "../../../../../shared/model/failure.ts";
import type { VideoTarget } from "../schema.ts";

type Picture = { readonly video: VideoTarget; readonly source: VideoFacts };

/** Colours of the pictures that a Dolby Vision master can be turned into without Dolby's metadata in the result. */
const plain = {
  hdr10: { color_primaries: "bt2020", color_trc: "st2084", color_matrix: "bt2020nc" },
  sdr: { color_primaries: "bt709", color_trc: "bt709", color_matrix: "bt709" },
} as const;

/**
 * A target with `dolby_vision.profile` `hdr10` or `sdr` as an ordinary one with these colours: the picture of a Dolby
 * Vision master is PQ, and its metadata only says how Dolby's tools would map it. Throws TaskError `capability` for
 * results that need Dolby's encoder.
 */
export const withoutDolbyVision = (
  { video, source }: Picture,
  path: string,
  warn: (warning: string) => void,
): Picture => {
  const { profile, convert_to_dolby_vision: made } = video.dolby_vision ?? {};
  if (!video.dolby_vision || (profile === undefined && !made)) return { video, source };
  if (made || (profile !== "hdr10" && profile !== "sdr")) {
    const field = made ? `convert_to_dolby_vision.mode "${made.mode ?? ""}"` : `profile "${profile}"`;
    const reason = "needs Dolby's licensed encoder, which this farm does not have";
    throw capabilityError(`${path}.dolby_vision.${field} ${reason}`);
  }
  warn(
    `${path}.dolby_vision.profile "${profile}": the picture is converted without Dolby's metadata, whose trims are not applied`,
  );
  const { dolby_vision: _, ...rest } = video;
  return { video: { ...plain[profile], ...rest }, source: asMaster(source) };
};

/** What a master means by its numbers, where its file does not say so. */
const asMaster = (source: VideoFacts): VideoFacts => ({
  ...source,
  colorPrimaries: source.colorPrimaries ?? "bt2020",
  colorTransfer: source.colorTransfer ?? "smpte2084",
  colorSpace: source.colorSpace ?? "bt2020nc",
});
