import { TaskError } from "../../causes.ts";
import { nameOf } from "../../location.ts";
import { seenAudio, seenVideo, setOf } from "../../packaging/seen.ts";
import { toNumber } from "../../rational.ts";
import { relativeUrl } from "../../relative-url.ts";
import type { DescribedMedia } from "../../steps/describe-media.ts";
import type { Made, Making } from "./plan.ts";
import { lengthOf, type Rendition } from "./renditions.ts";

/** `force_original_media`: fragmented files stay where they are, and manifests refer to their byte ranges. */
export const originalSteps = (making: Making): Made => {
  refuse(making);
  const { renditions, kinds } = making;
  const isDash = kinds.includes("dash");
  const mpd = "originals.mpd";
  return {
    steps: [
      {
        ...{ do: "describe_media", id: "describe", media: renditions.map((each) => described(each, making)) },
        ...(isDash && { mpd }),
      },
    ],
    media: [],
    isAddressed: true,
    keys: [],
    hasIframes: () => false,
    withPicture: () => undefined,
    ...(isDash && { mpd }),
    requires: [],
  };
};

const refuse = ({ context, shape, renditions, protection }: Making): void => {
  const { payload, uid } = context;
  const path = `${uid}.payload.force_original_media`;
  if (shape.mode !== "fmp4")
    throw new TaskError("capability", `${path} is implemented for segmentation_mode fmp4, not for ${shape.mode}`);
  if (payload.hls?.include_iframe_manifests)
    throw new TaskError("capability", `${path}: playlists of key frames need media that is written again`);
  if (renditions.some(({ pieces }) => pieces))
    throw new TaskError("capability", `${path}: subtitles in segments are not implemented, one file of webvtt is`);
  const why = renditions.some(protection) ? "encryption" : payload.options?.delete_sources && "options.delete_sources";
  if (why) throw new TaskError("definition", `${path} contradicts ${uid}.payload.${why}: the media stay as they are`);
};

const described = (rendition: Rendition, making: Making): DescribedMedia => {
  const { kind, asset, layer } = rendition;
  const { places, names, kinds } = making;
  const uri = uriOf(asset, making);
  return {
    ...{ from: { asset }, kind, layout: kind === "text" ? "text" : "fragments" },
    ...(kinds.includes("hls") && { playlist: names(rendition).playlist }),
    hlsUrl: urlFrom(places.playlists, uri, making),
    dashUrl: urlFrom(places.dash.folder, uri, making),
    set: setOf(kind, kind === "video" ? rendition.facts.codec : "", layer),
    ...(layer.language && { language: layer.language }),
    ...factsOf(rendition, making),
  };
};

const factsOf = (rendition: Rendition, { renditions }: Making): Partial<DescribedMedia> => {
  if (rendition.kind === "text") return { seconds: toNumber(lengthOf(renditions)) };
  return rendition.kind === "audio" ? seenAudio(rendition.facts) : seenVideo(rendition.facts);
};

const uriOf = (asset: string, { context }: Making): string => {
  const [at = 0, part = 0] = asset.split("_").map(Number);
  return context.inputs[at]?.files[part]?.uri ?? "";
};

const urlFrom = (folder: string, uri: string, { context }: Making): string => {
  const { payload, uid } = context;
  const name = encodeURIComponent(nameOf(uri));
  if (payload.media_url_template !== undefined) return payload.media_url_template.replaceAll("{media_file}", name);
  if (payload.media_url_prefix !== undefined) return `${payload.media_url_prefix}${name}`;
  const path = relativeUrl(folder, uri.replace(/\/[^/]*$/, ""));
  if (path !== undefined) return `${path}${name}`;
  throw new TaskError(
    "definition",
    `${uid}.payload: ${uri} cannot be reached from the manifests: say media_url_prefix`,
  );
};
