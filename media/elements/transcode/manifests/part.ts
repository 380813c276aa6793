import { capabilityError, definitionError } from "../../../../shared/model/failure.ts";
import type { Container } from "../containers/container.ts";
import type { ManifestPart } from "../recipe.ts";
import type { Target } from "../target-schema.ts";

type Streams = { readonly video: { readonly tag?: unknown } | undefined; readonly audio: number };

/** Undefined: no manifest names it. Throws TaskError for a target that no manifest can name. */
export const manifestPartOf = (
  { manifest_uids: uids = [], existing_files: existing, container: written }: Target,
  container: Container,
  { video, audio }: Streams,
  path: string,
): ManifestPart | undefined => {
  if (uids.length === 0) return undefined;
  const { layout } = container;
  if (!layout) {
    const kind = written?.kind ?? container.kinds[0];
    throw capabilityError(
      `${path}.manifest_uids is not implemented for container "${kind}": use fmp4, segmented_ts, hls or webvtt`,
    );
  }
  if (existing === "rename_new")
    throw definitionError(
      `${path}.existing_files "rename_new" contradicts manifest_uids: a manifest names the file as it was asked for`,
    );
  const isText = !video && audio === 0;
  return {
    ...{ uids, layout, kind: isText ? "text" : video ? "video" : "audio" },
    ...((video ? audio > 0 : audio > 1) && { isMixed: true }),
    ...(video?.tag === "hev1" && { hevc: "hev1" }),
  };
};
