import { TaskError } from "../../../causes.ts";
import type { DescribedMedia } from "../../../steps/describe-media.ts";
import type { Container } from "../containers/container.ts";
import type { Target } from "../schema.ts";

/** A target's part in the manifests that it belongs to. */
export type ManifestPart = Pick<DescribedMedia, "kind" | "layout" | "hevc"> & {
  readonly uids: readonly string[];
  /** Its segments have picture and sound, or several sounds. */
  readonly isMixed?: true;
};

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
    throw new TaskError(
      "capability",
      `${path}.manifest_uids is not implemented for container "${kind}": use fmp4, segmented_ts, hls or webvtt`,
    );
  }
  if (existing === "rename_new")
    throw new TaskError(
      "definition",
      `${path}.existing_files "rename_new" contradicts manifest_uids: a manifest names the file as it was asked for`,
    );
  const isText = !video && audio === 0;
  return {
    ...{ uids, layout, kind: isText ? "text" : video ? "video" : "audio" },
    ...((video ? audio > 0 : audio > 1) && { isMixed: true }),
    ...(video?.tag === "hev1" && { hevc: "hev1" }),
  };
};
