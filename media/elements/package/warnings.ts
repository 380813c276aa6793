import { protectionWarnings } from "../../encryption/protection.ts";
import type { PackagingContext } from "./packaging.ts";
import type { PackagePayload } from "./schema.ts";

/** Notes on fields that change nothing, and on what people should know about the job. */
export const packageWarnings = ({ context, kinds, renditions, protection, shape }: PackagingContext): string[] => {
  const { payload, uid } = context;
  const path = `${uid}.payload`;
  const protections = [...new Set(renditions.flatMap((each) => protection(each) ?? []))];
  return [
    ...idleOf(payload, kinds, path),
    ...(payload.init_file_pattern !== undefined && shape.mode !== "segmented_mp4"
      ? [`${path}.init_file_pattern has no effect: only segmented_mp4 has files for initialisation`]
      : []),
    ...(kinds.includes("smooth") && renditions.some(({ kind }) => kind === "text")
      ? [`${path}: Smooth Streaming has no WebVTT, so its manifests name no subtitles`]
      : []),
    ...new Set(protections.flatMap(protectionWarnings)),
  ];
};

/** Fields, by their paths in the payload, and why they change nothing. */
type Idle = Readonly<Record<string, string>>;

const idle: Idle = {
  "options.skip_validation": "what is made is always looked at",
  "options.auto_audio_layers": "sound without a layer_id is grouped so that no language stands twice in a group",
};

const ofHls: Idle = {
  "hls.ietf_draft_version": "playlists follow RFC 8216",
  "hls.align_to_av_media": "subtitles have segments of the same duration as picture and sound",
};

const ofDash: Idle = { "dash.compliance": "fmp4 makes the on-demand profile, segmented_mp4 the live profile" };

/** Fields that only one kind of manifest has a place for. */
const onlyDash: Idle = {
  author: "HLS has no place for it",
  copyright: "HLS has no place for it",
  info_url: "HLS has no place for it",
  dash: "no DASH is made",
};

const noPlace = "Smooth Streaming has no place for it";

/** Where Smooth Streaming is all that is made. */
const smoothAlone: Idle = {
  segmentation_mode: "Smooth Streaming has one form of files",
  force_original_media: "Smooth Streaming has files of its own",
  media_url_prefix: "servers find the files by their names",
  media_url_template: "servers find the files by their names",
  media_file_extensions: "the files are .ismv and .isma",
  ...{ title: noPlace, author: noPlace, copyright: noPlace, info_url: noPlace },
  dash: "no DASH is made",
};

const onlyHls: Idle = {
  hls: "no HLS is made",
  closed_captions: "only HLS announces captions within the picture",
};

/** What is said of Smooth Streaming where none is made. */
const onlySmooth: Idle = { smooth: "no Smooth Streaming is made" };

const idleOf = (payload: PackagePayload, kinds: readonly string[], path: string): string[] => {
  const tables = [
    idle,
    kinds.includes("hls") ? ofHls : onlyHls,
    kinds.includes("dash") ? ofDash : kinds.includes("hls") ? onlyDash : smoothAlone,
    kinds.includes("smooth") ? {} : onlySmooth,
  ];
  return tables
    .flatMap((table: Idle) => Object.entries(table))
    .filter(([field]) => (valueAt(payload, field) ?? false) !== false)
    .map(([field, why]) => `${path}.${field} has no effect: ${why}`);
};

const valueAt = (payload: PackagePayload, path: string): unknown =>
  path.split(".").reduce<unknown>((part, name) => Reflect.get(Object(part), name), payload);
