import { schemeOf, storageKindOf } from "../../shared/files/storage.ts";
import { isPlaceToRead } from "./read-places.ts";

type Part = Readonly<Record<string, unknown>>;

/** Fields of the objects at some places that change nothing here, each with the reason. */
export type IgnoredFieldRule = {
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

/** Fields that change nothing wherever objects are at this place. */
const at = (within: IgnoredFieldRule["within"], fields: IgnoredFieldRule["fields"]) => ({ within, fields });

/** Fields that change nothing when they are switched off, though they are kept when they are switched on. */
export const ignoredWhenFalse: readonly IgnoredFieldRule[] = [
  at(/\.(payload|targets\[\d+\])$/, { include_in_result: "a result names every file that was made" }),
  at(/\.video$/, { first_gop_closed: "the first group of pictures needs no other one in any case" }),
  at(/\.container$/, { vframe_align_segment_duration: "segments begin with frames in any case" }),
];

const onlyRead = {
  attributes: "the place is only read",
  permissions: "the place is only read",
  encryption: "the place is only read",
};

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
export const ignoredFields: readonly IgnoredFieldRule[] = [
  {
    ...at(/./, { storage_provider: "the address beside it is of another kind of storage, and decides" }),
    holds: isOfAnother,
  },
  at(/\.(report|reports\[\d+\])$/, { temp_location: "reports are small, and made where they go" }),
  at(/\.(report|reports\[\d+\])\.options$/, {
    report_version: "there is one form of reports",
    header_mask: "reports have no header of others",
    use_timecode: "reports tell times in seconds",
  }),
  at(/\.ebur128$/, { scale_meter: "no meter is drawn" }),
  at(/\.pse$/, {
    standard: "one filter looks for flashes, which is not a certified test",
    report: "what is found stands in the element's report",
  }),
  at(/\.(options|source_pipeline)$/, {
    no_rewind: "every file is opened again for each pass",
    low_latency: "every source is looked at before it is read",
    index_location: "no index files are made",
    auto_offset_sources: "the first instant of a source always counts as zero",
    accelerated_prores: "the node decides how it decodes",
  }),
  at(/\.segmented_rendering$/, {
    total_segments: "the length of sections says how many there are",
    scene_changes_search_duration_sec: "sections begin with key frames of their own",
    strict_cfr: "pictures at uneven times are encoded in one piece",
    mux_offset_otb: "every section keeps the times of the whole",
  }),
  at(/\.source_pipeline(\.options)?$/, {
    cache_ttl: "the options of the source say how long nodes keep copies of its files",
    wait_for_source_timeout_sec: "the options of the source say how long it is waited for",
  }),
  at(/\.source_pipeline\.contents\[\d+\]$/, { payload: "the contents of the source say what its files hold" }),
  {
    within: /\.contents\[\d+\]$/,
    fields: {
      layer_id: "only a package that takes files from the source itself reads it",
      layer_affinities: "only a package that takes files from the source itself reads them",
    },
    isForPackages: true,
  },
  at(/\.contents\[\d+\]\.payload$/, { standard: "no standard of metadata is read" }),
  at(/\.payload\.options$/, {
    pipeline: "every node has one version of its tools",
    source_read_mode: "the node decides how it reads",
    result: "a result has one form",
  }),
  { of: "transcode", ...at(/elements\[\d+\]\.payload$/, { support_files: "a filter names its own support_files" }) },
  at(/\.asset\.payload(\.asset_urls\[\d+\]|\.asset_versions\[\d+\]\.asset_components\[\d+\])?$/, {
    trim: "files are deleted whole",
    contents: "files are deleted whole",
    options: "files that are deleted are not read",
    component_descriptor: "generated media has no file",
    image_sequence: "sequences of images are not deleted",
  }),
  { of: "delete_asset", ...at(/\.asset\.payload$/, { kind: "files are deleted one by one" }) },
  at(/\.asset\.payload\.asset_versions\[\d+\]$/, { version_uid: "files are deleted whole" }),
  // In a source it is a label, which most jobs set and which is given back with them.
  { notOf: "source", ...at(/\.asset_components\[\d+\]$/, { component_uid: "components are known by their places" }) },
  at(/\.component_descriptor$/, { container: "generated media has no file" }),
  at(/\.component_descriptor\.audio\[\d+\]$/, { sample_size: "silence is silent in every size" }),
  { ...at(isPlaceToRead, { path: "the url says where the file is" }), holds: hasUrl },
  {
    within: (path) => /(location|source)$/.test(path),
    fields: { url: "the path says where the folder is" },
    holds: ({ path }) => path !== undefined,
  },
  {
    ...at(/\.docker_image$/, { license: "images are run as they are" }),
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
  { of: "analyze", ...at(/options$/, { auto_generate_silence_tracks: "tracks that are not there are not analyzed" }) },
  {
    of: "analyze",
    within: /\.contents\[\d+\](\.payload)?$/,
    fields: {
      language: "what is measured has no language",
      layer_id: "what is measured is in no layer",
      layer_affinities: "what is measured is in no layer",
    },
  },
  at(/\.compare_asset\.payload.*\.contents\[\d+\]\.payload$/, {
    format: "pictures and sound are compared",
    category: "pictures and sound are compared",
    sync_to_timecode: "pictures and sound are compared",
  }),
  at(/\.compare_asset\.payload\.asset_versions\[\d+\]$/, { version_uid: "all versions are compared" }),
  at(/\.access$/, { max_cross_region_mb: "nobody counts what is sent between regions" }),
  at(isPlaceToRead, onlyRead),
  { of: "source", ...at(/\.payload\.location$/, onlyRead) },
  at(/\.temp_location$/, {
    attributes: "temporary files have no attributes",
    permissions: "temporary files have the rights of their folder",
    encryption: "temporary files are not encrypted",
  }),
  at(/\.container\.filters\[\d+\]\.options$/, { position: "a filter of a container is for the whole of it" }),
  at(/\.(payload|dolby_professional_loudness)$/, {
    speech_detection_threshold: "loudness is gated by level, not by dialogue",
    metering_mode: "loudness is measured by ITU-R BS.1770-4",
    limit_mode: "the limit is one of true peaks",
  }),
  at(/\.payload\.payload$/, { is_optional: "sound is brought to its level in any case" }),
  at(/\.source_pipeline\.filters\[\d+\]\.video\[\d+\]\.payload$/, {
    use_source_dimensions: "a source has its own dimensions",
  }),
  at(/\.subtitle\[\d+\]$/, {
    webvtt_options: "WebVTT is written in one way",
    ttml_options: "TTML is written in one way",
  }),
  at(/\.targets\[\d+\]$/, {
    size_estimate: "no space is set aside",
    size_hint: "no space is set aside",
    force_local_target_file: "every file is made in a local folder first",
  }),
  {
    ...at(/\.targets\[\d+\]$/, { extenc_args_compliance: "arguments are read as the fields that they stand for" }),
    holds: ({ extenc_args_compliance: kind }) => kind !== "strict" && kind !== "relaxed",
  },
  at(/\.payload$/, { ttml_render_engine: "libass draws all subtitles" }),
  at(/\.container$/, { align_to_av_media: "subtitles are always cut where their media are" }),
  at(/\.audio\[\d+\]$/, { convert_aac_headers: "AAC has the headers that its container needs in any case" }),
  { ...at(/\.audio\[\d+\]$/, { bitrate_mode: "the encoder of AAC aims at the average in either mode" }), holds: isAac },
  at(/\.vendor_digital(_plus)?$/, { phase_shift_90_degree: "the open encoders of AC-3 leave the phase as it is" }),
  at(/\.task$/, { source_element_uids: "an element takes what comes along its connections" }),
  { notOf: "transcode", ...at(/\.flags$/, { split_task: "only transcodes are divided" }) },
];
