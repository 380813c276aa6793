import { z } from "zod";
import {
  listOf,
  looseBoolean,
  looseInteger,
  looseNumber,
  numberOrText,
  oneOrMany,
  optionalObject,
} from "../../../shared/basics/loose-values.ts";
import { location } from "../../../shared/files/location.ts";
import { trim } from "../../virtual-source/trim-schema.ts";

/** A track, or one channel of it; -1 drops the input mapped there. */
export const trackOfMap = z.looseObject({ track: looseInteger(-1, 1000), channel: looseInteger(-1, 1000).optional() });

const contentPayload = z.looseObject({
  language: z.string().max(64).optional(),
  format: z.enum(["scc", "scc0", "scc1", "mcc", "webvtt", "srt", "ttml", "stl", "ass", "imsc1", "auto"]).optional(),
  standard: z.enum(["auto", "dolbyvision_metadata"]).optional(),
  category: z.enum(["default", "forced", "sdh"]).optional(),
  sync_to_timecode: looseBoolean().optional(),
});

/** Which streams of a file are used, and how its audio is mapped. */
export const contents = listOf(
  z.looseObject({
    kind: z.enum(["video", "audio", "subtitle", "closed_caption", "metadata", "timecode"]),
    payload: contentPayload.optional(),
    language: z.string().max(64).optional(),
    layer_id: z.string().max(200).optional(),
    layer_affinities: oneOrMany(z.string().max(200)).optional(),
    map: listOf(z.looseObject({ input: trackOfMap, output: trackOfMap }), 1000).optional(),
    mode: z.enum(["complete_map", "optional_map", "partial"]).optional(),
  }),
  100,
);

export type Contents = z.output<typeof contents>;

/** How a source is read. */
export const decodeOptions = z.looseObject({
  force_ffr: looseBoolean().default(false),
  wait_for_source_timeout_sec: looseNumber(0).default(0),
  max_decode_errors: looseInteger(0).default(0),
  max_sequential_decode_errors: looseInteger(0).optional(),
  no_rewind: looseBoolean().optional(),
  no_seek: looseBoolean().optional(),
  low_latency: looseBoolean().optional(),
  cache_ttl: looseInteger(0).default(0),
  index_location: location.optional(),
  auto_generate_silence_tracks: looseBoolean().optional(),
  resolve_manifest: looseBoolean().optional(),
  auto_offset_sources: looseBoolean().optional(),
});

export type DecodeOptions = z.output<typeof decodeOptions>;

/** Which part of a file is used, and how. */
const parts = { contents: contents.optional(), trim: trim.optional(), options: decodeOptions.optional() };

export const assetUrl = z.looseObject({ ...location.shape, url: z.string().min(1).max(4000), ...parts });

export const assetUrls = z.looseObject({ asset_urls: z.array(assetUrl).min(1).max(1000) });

const side = looseInteger(8, 16_384).optional();

/** The look and sound of a generated component. */
const componentDescriptor = z.looseObject({
  container: optionalObject({ kind: z.enum(["raw"]).optional() }),
  video: optionalObject({
    width: side,
    height: side,
    frame_rate: numberOrText().optional(),
    chroma_format: z.string().max(64).optional(),
    fill_color: z.string().max(64).optional(),
  }),
  audio: listOf(
    z.looseObject({
      channels: looseInteger(1, 64).optional(),
      sample_rate: looseInteger(1000, 768_000).optional(),
      sample_size: looseInteger(8, 64).optional(),
    }),
    64,
  ).optional(),
});

const assetComponent = z.looseObject({
  kind: z.enum(["name", "generated", "image_sequence", "template", "binary_sequence"]).default("name"),
  component_uid: z.string().max(200).optional(),
  name: z.string().min(1).max(4000).optional(),
  location: location.optional(),
  image_sequence: optionalObject({
    base: z.string().min(1).max(1000),
    frame_rate: numberOrText().optional(),
    start_number: looseInteger(0).default(0),
  }),
  component_descriptor: componentDescriptor.optional(),
  ...parts,
});

export type AssetComponent = z.output<typeof assetComponent>;

const assetVersion = z.looseObject({
  version_uid: z.string().max(200).optional(),
  location: location.optional(),
  asset_components: z.array(assetComponent).min(1).max(1000),
});

export type AssetVersion = z.output<typeof assetVersion>;

export const assetComplex = z.looseObject({
  kind: z.enum(["sequence", "multi"]).default("sequence"),
  location: location.optional(),
  asset_versions: z.array(assetVersion).min(1).max(1000),
});

/** A source by its kind. Other assets have the same shape: the one to compare with, the one to delete. */
export const sourcePayload = z.discriminatedUnion("kind", [
  z.looseObject({ kind: z.literal("asset_url"), payload: assetUrl }),
  z.looseObject({ kind: z.literal("asset_urls"), payload: assetUrls }),
  z.looseObject({ kind: z.literal("asset_complex"), location: location.optional(), payload: assetComplex }),
]);
export type SourcePayload = z.output<typeof sourcePayload>;
