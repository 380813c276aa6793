import { z } from "zod";
import { looseBoolean, looseInteger, looseNumber, oneOrMany } from "../../../shared/basics/loose-values.ts";
import { location } from "../../../shared/files/location.ts";
import { encryption } from "../../encryption/schema.ts";

const text = z.string().max(4000).optional();
const pattern = z.string().min(1).max(1000);
const flag = looseBoolean().optional();

const segmentation = {
  segmentation_mode: z.enum(["segmented_ts", "single_ts", "multiplexed_ts", "fmp4", "segmented_mp4"]).optional(),
  segment_duration_sec: looseNumber(0).optional(),
};

const hls = z.looseObject({
  ...segmentation,
  location: location.optional(),
  file_pattern: pattern.optional(),
  version: looseInteger(3, 12).optional(),
  ietf_draft_version: looseInteger(0).optional(),
  primary_layer_uid: text,
  include_iframe_manifests: flag,
  master_manifest_iframe_references_location: z.enum(["before_media", "after_media"]).optional(),
  media_playlist_location: location.optional(),
  media_playlist_url_prefix: text,
  media_playlist_file_pattern: pattern.optional(),
  manifest_location: location.optional(),
  manifest_file_pattern: pattern.optional(),
  align_to_av_media: flag,
  hevc_codec_id_prefix: z.enum(["hvc1", "hev1"]).optional(),
});

const dash = z.looseObject({
  ...segmentation,
  location: location.optional(),
  file_pattern: pattern.optional(),
  compliance: text,
  use_segment_list: flag,
  subtitle_container: z.enum(["webvtt", "mp4"]).optional(),
});

const captions = z.looseObject({
  cc_index: looseInteger(1, 63).optional(),
  language: z.string().max(64).optional(),
  is_default: flag,
  is_autoselect: flag,
});

const kinds = z.enum(["hls", "dash", "smooth"]);

export const packagePayload = z.looseObject({
  ...segmentation,
  uid: z.string().max(200).optional(),
  kind: oneOrMany(kinds).optional(),
  options: z
    .looseObject({
      delete_sources: looseBoolean().default(false),
      skip_validation: looseBoolean().default(false),
      auto_audio_layers: z.string().max(64).optional(),
    })
    .optional(),
  location: location.optional(),
  file_pattern: pattern.default("{source_basename}"),
  force_original_media: looseBoolean().default(false),
  media_location: location.optional(),
  media_url_prefix: text,
  media_url_template: z
    .string()
    .max(4000)
    .refine((template) => template.includes("{media_file}"), "does not say where {media_file} goes")
    .optional(),
  media_file_pattern: pattern.default("{source_basename}"),
  media_file_extensions: z.looseObject({ video: text, audio: text, subtitle: text }).optional(),
  init_file_pattern: pattern.optional(),
  title: text,
  author: text,
  copyright: text,
  info_url: text,
  hls: hls.optional(),
  dash: dash.optional(),
  smooth: z.looseObject({ location: location.optional(), file_pattern: pattern.optional() }).optional(),
  encryption: encryption.optional(),
  encryptions: z.array(encryption).max(100).optional(),
  closed_captions: z.array(captions).max(63).optional(),
});
export type PackagePayload = z.output<typeof packagePayload>;
