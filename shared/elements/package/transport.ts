import { TaskError } from "../../causes.ts";
import { ffmpegHead } from "../../ffmpeg/args.ts";
import { openingArgs } from "../../ffmpeg/opening.ts";
import { folderUri, nameOf } from "../../location.ts";
import { relativeUrl } from "../../relative-url.ts";
import type { Step } from "../../work.ts";
import type { Places } from "./places.ts";
import { type Made, type Making, modeOf, secondsOf } from "./plan.ts";
import type { Protection } from "./protection.ts";
import type { Rendition } from "./renditions.ts";
import type { PackagePayload } from "./schema.ts";

type Video = Extract<Rendition, { kind: "video" }>;
type Audio = Extract<Rendition, { kind: "audio" }>;

/** Transport streams by ffmpeg: a file a segment, one file with byte ranges, or picture and sound together. */
export const transportSteps = (making: Making): Made => {
  const { context, renditions, protection, places } = making;
  const { payload, uid } = context;
  const mode = modeOf(payload);
  if (payload.hls?.include_iframe_manifests)
    throw new TaskError(
      "capability",
      `${uid}.payload.hls.include_iframe_manifests needs segmentation_mode fmp4 or segmented_mp4`,
    );
  const sounds = renditions.filter((each) => each.kind === "audio");
  const withPicture = (video: Video): Audio | undefined =>
    mode === "multiplexed_ts" ? soundFor(video, sounds) : undefined;
  const mixed = new Set(renditions.flatMap((each) => (each.kind === "video" ? (withPicture(each) ?? []) : [])));
  const own = renditions.filter((each) => each.kind !== "text" && !mixed.has(each as Audio));
  const texts = renditions.filter((each) => each.kind === "text");
  const key = keyOf(own, protection);
  const isSingle = mode === "single_ts";
  if (key && isSingle)
    throw new TaskError("definition", `${uid}: AES-128 encrypts whole segments, which single_ts does not have`);
  const keyName = `${payload.encryption?.key_file_pattern ? "media" : "segments"}.key`;
  return {
    steps: [
      ...(key ? [keyStep(key, keyName, keyUrl(payload, places, uid, keyName))] : []),
      ...own.map((each) => segmenting(each, making, { isSingle, isEncrypted: key !== undefined, withPicture })),
      ...(texts.length > 0 ? [textStep(texts, secondsOf(payload))] : []),
    ],
    media: [
      ...own.map(({ stem }) => ({ stem, name: isSingle ? `${stem}.ts` : `${stem}_%05d.ts` })),
      ...texts.map(({ stem }) => ({ stem, name: `${stem}.vtt` })),
    ],
    playlistOf: ({ stem }) => `${stem}.m3u8`,
    iframesOf: () => undefined,
    withPicture,
    ...(key && !key.written.external_key_file && { keyFile: keyName }),
    requires: ["ffmpeg", "muxer:hls", ...(texts.length > 0 ? ["packager"] : [])],
  };
};

/** Of the sound that a picture may be played with, the first; every picture carries its own copy. */
const soundFor = ({ asset, layer }: Video, sounds: readonly Audio[]): Audio | undefined =>
  sounds.find((sound) => sound.asset === asset) ??
  sounds.find((sound) => layer.affinities?.includes(sound.layer.id ?? "")) ??
  sounds[0];

const keyOf = (own: readonly Rendition[], protection: Making["protection"]): Protection | undefined => {
  const found = [...new Set(own.flatMap((each) => protection(each) ?? []))];
  const other = found.find(({ written }) => written.schema !== "aes-128-cbc");
  if (other)
    throw new TaskError(
      "capability",
      `${other.path}.schema "${other.written.schema}" needs segmentation_mode fmp4 or segmented_mp4`,
    );
  if (found.length > 1)
    throw new TaskError("capability", "several AES-128 keys in one package of transport streams are not implemented");
  return found[0];
};

const infoFile = "segments.keyinfo";

const keyStep = ({ key, iv }: Protection, keyFile: string, url: string): Step => ({
  ...{ do: "segment_key", id: "key", url, keyFile, infoFile },
  ...(key !== undefined && { key }),
  ...(iv !== undefined && { iv }),
});

/** Where the key lies for players: where the payload says, else beside the media. */
export const keyFolder = ({ encryption }: PackagePayload, { media }: Places, uid: string): string =>
  encryption?.key_location
    ? folderUri(encryption.key_location, media, `${uid}.payload.encryption.key_location`)
    : media;

const keyUrl = (payload: PackagePayload, places: Places, uid: string, name: string): string => {
  const folder = relativeUrl(places.playlists, keyFolder(payload, places, uid));
  return folder === undefined ? name : `${folder}${name}`;
};

type Segmenting = {
  readonly isSingle: boolean;
  readonly isEncrypted: boolean;
  readonly withPicture: (video: Video) => Audio | undefined;
};

const segmenting = (
  rendition: Rendition,
  { context }: Making,
  { isSingle, isEncrypted, withPicture }: Segmenting,
): Step => {
  const { stem, asset, stream } = rendition;
  const sound = rendition.kind === "video" ? withPicture(rendition) : undefined;
  const isApart = sound !== undefined && sound.asset !== asset;
  const inputs = [asset, ...(isApart ? [sound.asset] : [])];
  const seconds = secondsOf(context.payload);
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
      ...["-c", "copy", "-map_metadata", "-1", "-f", "hls", "-hls_time", String(seconds)],
      ...["-hls_playlist_type", "vod", "-hls_list_size", "0", "-hls_segment_type", "mpegts"],
      ...["-hls_flags", isSingle ? "single_file+independent_segments" : "independent_segments"],
      ...(isEncrypted ? ["-hls_key_info_file", infoFile] : []),
      ...["-hls_segment_filename", isSingle ? `${stem}.ts` : `${stem}_%05d.ts`, `${stem}.m3u8`],
    ],
  };
};

const nameOfAsset = (asset: string, inputs: Making["context"]["inputs"]): string => {
  const [at, part] = asset.split("_").map(Number);
  return nameOf(inputs[at ?? 0]?.files[part ?? 0]?.uri ?? "");
};

/** Subtitles are text in files of their own, whatever the segments are. */
const textStep = (texts: readonly Rendition[], seconds: number): Step => ({
  do: "packager",
  id: "texts",
  inputs: Object.fromEntries(texts.map(({ asset }) => [`in_${asset}.vtt`, asset])),
  argv: [
    ...texts.map(({ asset, stem, layer }) =>
      [
        `in=in_${asset}.vtt`,
        "stream=text",
        `output=${stem}.vtt`,
        `playlist_name=${stem}.m3u8`,
        ...(layer.language ? [`language=${layer.language}`] : []),
      ].join(","),
    ),
    "--hls_master_playlist_output=packager_texts.m3u8",
    `--segment_duration=${seconds}`,
    "--quiet",
  ],
  keys: [],
});
