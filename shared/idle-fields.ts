import { isPlaceToRead } from "./read-places.ts";
import { schemeOf, storageKindOf } from "./storage.ts";

type Part = Readonly<Record<string, unknown>>;

/** Fields of the objects at some places that change nothing here, each with the reason. */
export type Idle = {
  /** The kind of element that they are of; absent: any. */
  readonly of?: string;
  /** The kind of which they are not. */
  readonly notOf?: string;
  /** By the end of the path of the object that holds them. */
  readonly within: RegExp | ((path: string) => boolean);
  readonly fields: Readonly<Record<string, string>>;
  /** Whether the fields change nothing in this very object; always where absent. */
  readonly holds?: (part: Part) => boolean;
  /** Not said of elements whose files a package takes. */
  readonly isForPackages?: true;
};

/** Fields that change nothing when they are switched off, though they are kept when they are switched on. */
export const switchedOff: readonly Idle[] = [
  {
    within: /\.(payload|targets\[\d+\])$/,
    fields: { include_in_result: "a result names every file that was made" },
  },
  { within: /\.video$/, fields: { first_gop_closed: "the first group of pictures needs no other one in any case" } },
  {
    within: /\.container$/,
    fields: { vframe_align_segment_duration: "segments begin with frames in any case" },
  },
];

const hasUrl = ({ url }: Part) => url !== undefined;

/** Whether an address is of another kind than the provider beside it says. */
const isOfAnother = ({ storage_provider, url, path }: Part): boolean => {
  const address = typeof url === "string" ? url : path;
  if (typeof storage_provider !== "string" || typeof address !== "string") return false;
  const provider = storage_provider.toLowerCase();
  const isUri = /^[a-z][a-z0-9+.-]+:\/\//i.test(address);
  if (provider === "relative") return isUri;
  if (!isUri) return provider !== "file" && provider !== "local" && address.startsWith("/");
  return kindOf(provider === "local" ? "file" : provider) !== kindOf(schemeOf(address));
};

/** Kinds that no node provides are told apart by their schemes. */
const kindOf = (scheme: string): string => storageKindOf(`${scheme}:`) ?? scheme;

const isAac = ({ codec }: Part) => /^(mpeg[24]_aac|aac|aac_lc)$/.test(String(codec));

/** What is accepted and changes nothing here, and why: fields by the end of the path of what holds them. */
export const idle: readonly Idle[] = [
  {
    within: /./,
    fields: { storage_provider: "the address beside it is of another kind of storage, and decides" },
    holds: isOfAnother,
  },
  {
    within: /\.(report|reports\[\d+\])$/,
    fields: { temp_location: "reports are small, and made where they go" },
  },
  {
    within: /\.(report|reports\[\d+\])\.options$/,
    fields: {
      report_version: "there is one form of reports",
      header_mask: "reports have no header of others",
      use_timecode: "reports tell times in seconds",
    },
  },
  { within: /\.ebur128$/, fields: { scale_meter: "no meter is drawn" } },
  {
    within: /\.pse$/,
    fields: {
      standard: "one filter looks for flashes, which is not a certified test",
      report: "what is found stands in the element's report",
    },
  },
  {
    within: /\.(options|source_pipeline)$/,
    fields: {
      no_rewind: "every file is opened again for each pass",
      low_latency: "every source is looked at before it is read",
      index_location: "no index files are made",
      auto_offset_sources: "the first instant of a source always counts as zero",
      accelerated_prores: "the node decides how it decodes",
    },
  },
  {
    within: /\.segmented_rendering$/,
    fields: {
      total_segments: "the length of sections says how many there are",
      scene_changes_search_duration_sec: "sections begin with key frames of their own",
      strict_cfr: "pictures at uneven times are encoded in one piece",
      mux_offset_otb: "every section keeps the times of the whole",
    },
  },
  {
    within: /\.source_pipeline(\.options)?$/,
    fields: {
      cache_ttl: "the options of the source say how long nodes keep copies of its files",
      wait_for_source_timeout_sec: "the options of the source say how long it is waited for",
    },
  },
  {
    within: /\.source_pipeline\.contents\[\d+\]$/,
    fields: { payload: "the contents of the source say what its files hold" },
  },
  {
    within: /\.contents\[\d+\]$/,
    fields: {
      layer_id: "only a package that takes files from the source itself reads it",
      layer_affinities: "only a package that takes files from the source itself reads them",
    },
    isForPackages: true,
  },
  {
    within: /\.contents\[\d+\]\.payload$/,
    fields: { standard: "no standard of metadata is read" },
  },
  {
    within: /\.payload\.options$/,
    fields: {
      pipeline: "every node has one version of its tools",
      source_read_mode: "the node decides how it reads",
      result: "a result has one form",
    },
  },
  {
    of: "transcode",
    within: /elements\[\d+\]\.payload$/,
    fields: { support_files: "a filter names its own support_files" },
  },
  {
    within: /\.asset\.payload(\.asset_urls\[\d+\]|\.asset_versions\[\d+\]\.asset_components\[\d+\])?$/,
    fields: {
      trim: "files are deleted whole",
      contents: "files are deleted whole",
      options: "files that are deleted are not read",
      component_descriptor: "generated media has no file",
      image_sequence: "sequences of images are not deleted",
    },
  },
  { of: "delete_asset", within: /\.asset\.payload$/, fields: { kind: "files are deleted one by one" } },
  { within: /\.asset\.payload\.asset_versions\[\d+\]$/, fields: { version_uid: "files are deleted whole" } },
  // In a source it is a label, which most jobs set and which is given back with them.
  {
    notOf: "source",
    within: /\.asset_components\[\d+\]$/,
    fields: { component_uid: "components are known by their places" },
  },
  { within: /\.component_descriptor$/, fields: { container: "generated media has no file" } },
  { within: /\.component_descriptor\.audio\[\d+\]$/, fields: { sample_size: "silence is silent in every size" } },
  {
    within: isPlaceToRead,
    fields: { path: "the url says where the file is" },
    holds: hasUrl,
  },
  {
    within: (path) => /(location|source)$/.test(path),
    fields: { url: "the path says where the folder is" },
    holds: ({ path }) => path !== undefined,
  },
  {
    within: /\.docker_image$/,
    fields: { license: "images are run as they are" },
    holds: ({ registry }) => Object(registry).kind !== "hybrik",
  },
  {
    of: "analyze",
    within: /\]\.payload\.options$/,
    fields: {
      cache_ttl: "the options of the source say how long nodes keep copies of its files",
      wait_for_source_timeout_sec: "the options of the source say how long it is waited for",
    },
  },
  {
    of: "analyze",
    within: /options$/,
    fields: { auto_generate_silence_tracks: "tracks that are not there are not analyzed" },
  },
  {
    of: "analyze",
    within: /\.contents\[\d+\](\.payload)?$/,
    fields: {
      language: "what is measured has no language",
      layer_id: "what is measured is in no layer",
      layer_affinities: "what is measured is in no layer",
    },
  },
  {
    within: /\.compare_asset\.payload.*\.contents\[\d+\]\.payload$/,
    fields: {
      format: "pictures and sound are compared",
      category: "pictures and sound are compared",
      sync_to_timecode: "pictures and sound are compared",
    },
  },
  {
    within: /\.compare_asset\.payload\.asset_versions\[\d+\]$/,
    fields: { version_uid: "all versions are compared" },
  },
  { within: /\.access$/, fields: { max_cross_region_mb: "nobody counts what is sent between regions" } },
  {
    within: isPlaceToRead,
    fields: {
      attributes: "the place is only read",
      permissions: "the place is only read",
      encryption: "the place is only read",
    },
  },
  {
    within: /\.temp_location$/,
    fields: {
      attributes: "temporary files have no attributes",
      permissions: "temporary files have the rights of their folder",
      encryption: "temporary files are not encrypted",
    },
  },
  {
    within: /\.container\.filters\[\d+\]\.options$/,
    fields: { position: "a filter of a container is for the whole of it" },
  },
  {
    within: /\.(payload|dolby_professional_loudness)$/,
    fields: {
      speech_detection_threshold: "loudness is gated by level, not by dialogue",
      metering_mode: "loudness is measured by ITU-R BS.1770-4",
      limit_mode: "the limit is one of true peaks",
    },
  },
  { within: /\.payload\.payload$/, fields: { is_optional: "sound is brought to its level in any case" } },
  {
    within: /\.source_pipeline\.filters\[\d+\]\.video\[\d+\]\.payload$/,
    fields: { use_source_dimensions: "a source has its own dimensions" },
  },
  {
    within: /\.subtitle\[\d+\]$/,
    fields: {
      webvtt_options: "WebVTT is written in one way",
      ttml_options: "TTML is written in one way",
    },
  },
  {
    within: /\.targets\[\d+\]$/,
    fields: {
      size_estimate: "no space is set aside",
      size_hint: "no space is set aside",
      force_local_target_file: "every file is made in a local folder first",
    },
  },
  {
    within: /\.targets\[\d+\]$/,
    fields: { extenc_args_compliance: "arguments are read as the fields that they stand for" },
    holds: ({ extenc_args_compliance: kind }) => kind !== "strict" && kind !== "relaxed",
  },
  {
    within: /\.payload$/,
    fields: { ttml_render_engine: "libass draws all subtitles" },
  },
  {
    within: /\.container$/,
    fields: {
      align_to_av_media: "subtitles are always cut where their media are",
    },
  },
  {
    within: /\.video$/,
    fields: { smart_temporal_conversions: "another frame rate repeats frames or leaves some out" },
  },
  {
    within: /\.audio\[\d+\]$/,
    fields: { convert_aac_headers: "AAC has the headers that its container needs in any case" },
  },
  {
    within: /\.audio\[\d+\]$/,
    fields: { bitrate_mode: "the encoder of AAC aims at the average in either mode" },
    holds: isAac,
  },
  {
    within: /\.vendor_digital(_plus)?$/,
    fields: { phase_shift_90_degree: "the open encoders of AC-3 leave the phase as it is" },
  },
  { within: /\.task$/, fields: { source_element_uids: "an element takes what comes along its connections" } },
  { within: /\.flags$/, notOf: "transcode", fields: { split_task: "only transcodes are divided" } },
];
