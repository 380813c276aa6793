import { protectionNotes } from "../../encryption/protection.ts";
import type { Making } from "./plan.ts";
import type { PackagePayload } from "./schema.ts";

/** Notes on fields that change nothing, and on what people should know about the job. */
export const notesOf = ({ context, kinds, renditions, protection, shape }: Making): string[] => {
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
    ...new Set(protections.flatMap(protectionNotes)),
  ];
};

type Idle = readonly [field: string, isSaid: (payload: PackagePayload) => unknown, why: string];

const idle: readonly Idle[] = [
  ["options.skip_validation", ({ options }) => options?.skip_validation, "what is made is always looked at"],
  [
    "options.auto_audio_layers",
    ({ options }) => options?.auto_audio_layers,
    "sound without a layer_id is grouped so that no language stands twice in a group",
  ],
];

const ofHls: readonly Idle[] = [
  ["hls.ietf_draft_version", ({ hls }) => hls?.ietf_draft_version, "playlists follow RFC 8216"],
  [
    "hls.align_to_av_media",
    ({ hls }) => hls?.align_to_av_media,
    "subtitles have segments of the same duration as picture and sound",
  ],
];

const ofDash: readonly Idle[] = [
  [
    "dash.compliance",
    ({ dash }) => dash?.compliance,
    "fmp4 makes the on-demand profile, segmented_mp4 the live profile",
  ],
];

/** Fields that only one kind of manifest has a place for. */
const onlyDash: readonly Idle[] = [
  ["author", ({ author }) => author, "HLS has no place for it"],
  ["copyright", ({ copyright }) => copyright, "HLS has no place for it"],
  ["info_url", ({ info_url }) => info_url, "HLS has no place for it"],
  ["dash", ({ dash }) => dash, "no DASH is made"],
];

const noPlace = "Smooth Streaming has no place for it";

/** Where Smooth Streaming is all that is made. */
const smoothAlone: readonly Idle[] = [
  ["segmentation_mode", (payload) => payload.segmentation_mode, "Smooth Streaming has one form of files"],
  ["force_original_media", (payload) => payload.force_original_media, "Smooth Streaming has files of its own"],
  ["media_url_prefix", (payload) => payload.media_url_prefix, "servers find the files by their names"],
  ["media_url_template", (payload) => payload.media_url_template, "servers find the files by their names"],
  ["media_file_extensions", (payload) => payload.media_file_extensions, "the files are .ismv and .isma"],
  ["title", ({ title }) => title, noPlace],
  ["author", ({ author }) => author, noPlace],
  ["copyright", ({ copyright }) => copyright, noPlace],
  ["info_url", ({ info_url }) => info_url, noPlace],
  ["dash", ({ dash }) => dash, "no DASH is made"],
];

const onlyHls: readonly Idle[] = [
  ["hls", ({ hls }) => hls, "no HLS is made"],
  ["closed_captions", ({ closed_captions }) => closed_captions, "only HLS announces captions within the picture"],
];

/** What is said of Smooth Streaming where none is made. */
const onlySmooth: readonly Idle[] = [["smooth", ({ smooth }) => smooth, "no Smooth Streaming is made"]];

const idleOf = (payload: PackagePayload, kinds: readonly string[], path: string): string[] => {
  const tables = [
    idle,
    kinds.includes("hls") ? ofHls : onlyHls,
    kinds.includes("dash") ? ofDash : kinds.includes("hls") ? onlyDash : smoothAlone,
    kinds.includes("smooth") ? [] : onlySmooth,
  ];
  return tables
    .flat()
    .filter(([, isSaid]) => (isSaid(payload) ?? false) !== false)
    .map(([field, , why]) => `${path}.${field} has no effect: ${why}`);
};
