import { capabilityError } from "../../../shared/model/failure.ts";
import type { Step } from "../../../shared/work/work.ts";
import { ffmpegHead } from "../../ffmpeg/args.ts";
import { openingArgs } from "../../ffmpeg/opening-args.ts";
import { streamOffset } from "../../packaging/stream-clock.ts";
import type { PackagingContext, PackagingSteps } from "./packaging.ts";
import { nameOfAsset, type Rendition } from "./renditions.ts";
import { encryptingSteps } from "./segment-keys.ts";
import { textStep } from "./text-step.ts";

type Video = Extract<Rendition, { kind: "video" }>;
type Audio = Extract<Rendition, { kind: "audio" }>;

/** Transport streams by ffmpeg: a file a segment, one file with byte ranges, or picture and sound together. */
export const transportSteps = (making: PackagingContext): PackagingSteps => {
  const { context, renditions, shape, names } = making;
  if (context.payload.hls?.include_iframe_manifests)
    throw capabilityError(
      `${context.uid}.payload.hls.include_iframe_manifests: multiplexed transport streams, and encrypted ones, get no I-frame playlists`,
    );
  const sounds = renditions.filter((each) => each.kind === "audio");
  const withPicture = (video: Video): Audio | undefined =>
    shape.mode === "multiplexed_ts" ? soundFor(video, sounds) : undefined;
  const mixed = new Set(renditions.flatMap((each) => (each.kind === "video" ? (withPicture(each) ?? []) : [])));
  const own = renditions.filter((each) => each.kind !== "text" && !mixed.has(each as Audio));
  const texts = renditions.filter((each) => each.kind === "text");
  const encrypting = encryptingSteps(own, making);
  return {
    steps: [
      ...own.map((each) => segmenting(each, making, withPicture)),
      ...encrypting.steps,
      ...(texts.length > 0 ? [textStep(texts, making)] : []),
    ],
    media: [...own, ...texts].map((each) => names(each).media),
    hasIframes: () => false,
    withPicture,
    keys: encrypting.keys,
    keyAssets: encrypting.assets,
    requires: ["ffmpeg", "muxer:hls", ...(texts.length > 0 ? ["packager"] : [])],
  };
};

/** The first sound that a picture may be played with; every picture carries its own copy. */
const soundFor = ({ asset, layer }: Video, sounds: readonly Audio[]): Audio | undefined =>
  sounds.find((sound) => sound.asset === asset) ??
  sounds.find((sound) => layer.affinities?.includes(sound.layer.id ?? "")) ??
  sounds[0];

const segmenting = (
  rendition: Rendition,
  { context, shape, names }: PackagingContext,
  withPicture: (video: Video) => Audio | undefined,
): Step => {
  const { stem, asset, stream } = rendition;
  const { media, playlist } = names(rendition);
  const sound = rendition.kind === "video" ? withPicture(rendition) : undefined;
  const isApart = sound !== undefined && sound.asset !== asset;
  const inputs = [asset, ...(isApart ? [sound.asset] : [])];
  return {
    do: "ffmpeg",
    id: `segment_${stem}`,
    argv: [
      ...ffmpegHead,
      ...inputs.flatMap((each) => [
        ...openingArgs({ name: nameOfAsset(each, context.inputs), isJoined: false, images: undefined }),
        "-i",
        { asset: each },
      ]),
      ...["-map", `0:${stream}`],
      ...(sound ? ["-map", `${isApart ? 1 : 0}:${sound.stream}`] : []),
      ...["-c", "copy", "-map_metadata", "-1", "-output_ts_offset", String(streamOffset)],
      ...["-f", "hls", "-hls_time", String(shape.seconds)],
      ...["-hls_playlist_type", "vod", "-hls_list_size", "0", "-hls_segment_type", "mpegts"],
      ...["-hls_flags", shape.isSegmented ? "independent_segments" : "single_file+independent_segments"],
      ...["-hls_segment_filename", media, playlist],
    ],
  };
};
