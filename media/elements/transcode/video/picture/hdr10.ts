import type { Hdr, VideoFacts } from "../../../../../shared/model/asset.ts";
import { capabilityError, definitionError, sourceError } from "../../../../../shared/model/failure.ts";
import { isHighDynamic } from "../../../../ffmpeg/color.ts";
import type { Filter } from "../../../../ffmpeg/filtergraph.ts";
import type { VideoTarget } from "../schema.ts";
import type { VideoContext } from "../video.ts";
import { wantedColors } from "./color.ts";

/** Encoders repeat the source's metadata, which are wrong for a picture with a standard range. */
export const withoutStaleHdr = (video: VideoTarget, { hdr, colorTransfer }: VideoFacts): Filter[] => {
  if (!hdr?.masterDisplay && hdr?.maxCll === undefined) return [];
  const isHdr = isHighDynamic(wantedColors(video).transfer ?? colorTransfer);
  if (isHdr && video.hdr10?.source !== "none") return [];
  const types = ["MASTERING_DISPLAY_METADATA", "CONTENT_LIGHT_LEVEL"];
  return types.map((type) => ({ name: "sidedata", options: { mode: "delete", type } }));
};

/** What HDR10 says of the whole film: the colours of the mastering display, and how bright it gets. */
type Static = Pick<Hdr, "masterDisplay" | "maxCll" | "maxFall">;

/**
 * Parameters of libx265 for HDR10. Without `hdr10`, a PQ picture keeps the metadata of its source. Throws TaskError for
 * metadata that cannot be had or that contradict the transfer.
 */
export const hdr10Params = (context: VideoContext): string[] => {
  const { video, source, path } = context;
  const transfer = wantedColors(video).transfer ?? source.colorTransfer;
  if (!video.hdr10) return transfer === "smpte2084" ? paramsOf(source.hdr ?? {}) : [];
  const said = metadataOf(context);
  if (said && transfer !== "smpte2084")
    throw definitionError(`${path}.hdr10 needs the transfer of PQ: set color_trc st2084`);
  return said ? paramsOf(said) : [];
};

const metadataOf = ({ video: { hdr10 = {} }, source: { hdr }, path }: VideoContext): Static | undefined => {
  const { source, master_display, max_cll, max_fall, metadata_location } = hdr10;
  if (source === "none") return undefined;
  if (source === "source_document" || source === "metadata_file" || metadata_location)
    throw capabilityError(
      `${path}.hdr10.${metadata_location ? "metadata_location" : `source "${source}"`} is not implemented: use config or media`,
    );
  if (master_display !== undefined && !form.test(master_display))
    throw definitionError(`${path}.hdr10.master_display is not of the form G(x,y)B(x,y)R(x,y)WP(x,y)L(max,min)`);
  const own = { masterDisplay: master_display, maxCll: max_cll, maxFall: max_fall };
  if (source === "config") return own;
  if ((source === "media" || source === "source_metadata") && !hdr?.masterDisplay && master_display === undefined)
    throw sourceError(`${path}.hdr10.source "${source}": the source has no HDR10 metadata; use config`);
  return {
    masterDisplay: own.masterDisplay ?? hdr?.masterDisplay,
    maxCll: own.maxCll ?? hdr?.maxCll,
    maxFall: own.maxFall ?? hdr?.maxFall,
  };
};

const form = /^G\(\d+,\d+\)B\(\d+,\d+\)R\(\d+,\d+\)WP\(\d+,\d+\)L\(\d+,\d+\)$/;

const paramsOf = ({ masterDisplay, maxCll, maxFall }: Static): string[] => {
  if (masterDisplay === undefined && maxCll === undefined) return [];
  return [
    "hdr10=1",
    "repeat-headers=1",
    ...(masterDisplay === undefined ? [] : [`master-display=${masterDisplay}`]),
    ...(maxCll === undefined ? [] : [`max-cll=${maxCll},${maxFall ?? 0}`]),
  ];
};
