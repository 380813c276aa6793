import { toNumber } from "../../../shared/basics/rational.ts";
import { nameOf } from "../../../shared/files/location.ts";
import { capabilityError, definitionError } from "../../../shared/model/failure.ts";
import type { DescribedMedia } from "../../../shared/work/media-steps/describe-media.ts";
import { relativeUrl } from "../../formats/relative-url.ts";
import { probedAudio, probedVideo, setOf } from "../../packaging/probed-media.ts";
import type { PackagingContext, PackagingSteps } from "./packaging.ts";
import { lengthOf, type Rendition, uriOfAsset } from "./renditions.ts";

/** `force_original_media`: fragmented files stay where they are, and manifests refer to their byte ranges. */
export const originalSteps = (making: PackagingContext): PackagingSteps => {
  refuse(making);
  const { renditions, kinds } = making;
  const mpd = kinds.includes("dash") ? "originals.mpd" : undefined;
  return {
    steps: [{ do: "describe_media", id: "describe", media: renditions.map((each) => described(each, making)), mpd }],
    media: [],
    isAddressed: true,
    keys: [],
    hasIframes: () => false,
    withPicture: () => undefined,
    mpd,
    requires: [],
  };
};

const refuse = ({ context, shape, renditions, protection }: PackagingContext): void => {
  const { payload, uid } = context;
  const path = `${uid}.payload.force_original_media`;
  if (shape.mode !== "fmp4")
    throw capabilityError(`${path} is implemented for segmentation_mode fmp4, not for ${shape.mode}`);
  if (payload.hls?.include_iframe_manifests)
    throw capabilityError(`${path}: playlists of key frames need media that is written again`);
  if (renditions.some(({ pieces }) => pieces))
    throw capabilityError(`${path}: subtitles in segments are not implemented, one file of webvtt is`);
  const why = renditions.some(protection) ? "encryption" : payload.options?.delete_sources && "options.delete_sources";
  if (why) throw definitionError(`${path} contradicts ${uid}.payload.${why}: the media stay as they are`);
};

const described = (rendition: Rendition, making: PackagingContext): DescribedMedia => {
  const { kind, asset, layer } = rendition;
  const { places, names, kinds } = making;
  const uri = uriOfAsset(asset, making.context.inputs);
  return {
    from: { asset },
    kind,
    layout: kind === "text" ? "text" : "fragments",
    playlist: kinds.includes("hls") ? names(rendition).playlist : undefined,
    hlsUrl: urlFrom(places.playlists, uri, making),
    dashUrl: urlFrom(places.dash.folder, uri, making),
    set: setOf(kind, kind === "video" ? rendition.facts.codec : "", layer),
    language: layer.language,
    ...dashOf(rendition, making),
    ...factsOf(rendition, making),
  };
};

const dashOf = (rendition: Rendition, { said }: PackagingContext) => {
  const { id, roles = [], label } = said.get(rendition) ?? {};
  return { id, ...(roles.length > 0 && { roles: [...roles] }), label };
};

const factsOf = (rendition: Rendition, { renditions }: PackagingContext): Partial<DescribedMedia> => {
  if (rendition.kind === "text") return { seconds: toNumber(lengthOf(renditions)) };
  return rendition.kind === "audio" ? probedAudio(rendition.facts) : probedVideo(rendition.facts);
};

const urlFrom = (folder: string, uri: string, { context }: PackagingContext): string => {
  const { payload, uid } = context;
  const name = encodeURIComponent(nameOf(uri));
  if (payload.media_url_template !== undefined) return payload.media_url_template.replaceAll("{media_file}", name);
  if (payload.media_url_prefix !== undefined) return `${payload.media_url_prefix}${name}`;
  const path = relativeUrl(folder, uri.replace(/\/[^/]*$/, ""));
  if (path !== undefined) return `${path}${name}`;
  throw definitionError(`${uid}.payload: ${uri} cannot be reached from the manifests: say media_url_prefix`);
};
