import type { VideoFacts } from "../../../../../shared/model/asset.ts";
import { capabilityError, definitionError, sourceError } from "../../../../../shared/model/failure.ts";
import { isHighDynamic } from "../../../../ffmpeg/color.ts";
import type { Filter } from "../../../../ffmpeg/filtergraph.ts";
import type { VideoTarget } from "../schema.ts";
import type { Hdr10, VideoContext } from "../video.ts";
import { wantedColors } from "./color.ts";

/** Encoders repeat the source's metadata, which are wrong for a picture with a standard range. */
export const withoutStaleHdr = (video: VideoTarget, { hdr, colorTransfer }: VideoFacts): Filter[] => {
  if (!hdr?.masterDisplay && hdr?.maxCll === undefined) return [];
  const isHdr = isHighDynamic(wantedColors(video).transfer ?? colorTransfer);
  if (isHdr && video.hdr10?.source !== "none") return [];
  const types = ["MASTERING_DISPLAY_METADATA", "CONTENT_LIGHT_LEVEL"];
  return types.map((type) => ({ name: "sidedata", options: { mode: "delete", type } }));
};

/**
 * The metadata of a target. Without `hdr10`, a PQ picture keeps those of its source. Throws TaskError for metadata that
 * cannot be had or that contradict the transfer.
 */
export const hdr10Of = (context: VideoContext): Hdr10 | undefined => {
  const { video, source, path } = context;
  const transfer = wantedColors(video).transfer ?? source.colorTransfer;
  if (!video.hdr10) return transfer === "smpte2084" ? existing(source.hdr) : undefined;
  const said = metadataOf(context);
  if (said && transfer !== "smpte2084")
    throw definitionError(`${path}.hdr10 needs the transfer of PQ: set color_trc st2084`);
  return existing(said);
};

const existing = (said: Hdr10 | undefined): Hdr10 | undefined =>
  said?.masterDisplay === undefined && said?.maxCll === undefined ? undefined : said;

const metadataOf = ({ video: { hdr10 = {} }, source: { hdr }, path }: VideoContext): Hdr10 | undefined => {
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

/** Parameters of libx265. */
export const x265Hdr10 = (context: VideoContext): string[] => {
  const { masterDisplay, maxCll, maxFall } = hdr10Of(context) ?? {};
  if (masterDisplay === undefined && maxCll === undefined) return [];
  return [
    "hdr10=1",
    "repeat-headers=1",
    ...(masterDisplay === undefined ? [] : [`master-display=${masterDisplay}`]),
    ...(maxCll === undefined ? [] : [`max-cll=${maxCll},${maxFall ?? 0}`]),
  ];
};

/** Parameters of libx264. */
export const x264Hdr10 = (context: VideoContext): string[] => {
  const { masterDisplay, maxCll, maxFall } = hdr10Of(context) ?? {};
  return [
    ...(masterDisplay === undefined ? [] : [`mastering-display=${masterDisplay}`]),
    ...(maxCll === undefined ? [] : [`cll=${maxCll},${maxFall ?? 0}`]),
  ];
};

/** Parameters of SVT-AV1, which wants colours between 0 and 1 and candelas. */
export const av1Hdr10 = (context: VideoContext): string[] => {
  const { masterDisplay, maxCll, maxFall } = hdr10Of(context) ?? {};
  const display = masterDisplay?.replace(
    /(G|B|R|WP|L)\((\d+),(\d+)\)/g,
    (_whole, name: string, x: string, y: string) => {
      const unit = name === "L" ? 10_000 : 50_000;
      return `${name}(${Number(x) / unit},${Number(y) / unit})`;
    },
  );
  return [
    ...(display === undefined ? [] : [`mastering-display=${display}`]),
    ...(maxCll === undefined ? [] : [`content-light=${maxCll},${maxFall ?? 0}`]),
  ];
};
