import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { assetComplex, assetUrl, contents, decodeOptions } from "../../../../media/elements/source/schema.ts";
import { sourcePipeline } from "../../../../media/elements/transcode/pipeline-schema.ts";
import { trim } from "../../../../media/virtual-source/trim-schema.ts";

const root = join(import.meta.dirname, "../../../..");

/**
 * Every field of a source, a trim and a pipeline, with the test that covers it: a file, and words of it. What
 * has no effect, or is refused, is covered by the test that says so.
 */
const trims = "test/ffmpeg/sources/trims.test.ts";
const sources = "test/ffmpeg/sources/sources.test.ts";
const several = "test/ffmpeg/sources/several-sources.test.ts";
const pipeline = "test/ffmpeg/sources/source-pipeline.test.ts";
const decode = "test/ffmpeg/sources/decode.test.ts";
const growing = "test/ffmpeg/sources/growing.test.ts";
const idle = "test/media/jobs/ignored-field-warnings.test.ts";
const valid = "test/media/jobs/samples.test.ts";

const table: Readonly<Record<string, readonly [file: string, words: string]>> = {
  "location.storage_provider": ["test/shared/files/location.test.ts", "storage_provider"],
  "location.url": [sources, "url: join"],
  "location.path": [sources, "sequence(folder.path"],
  "location.access": ["test/shared/credentials/redact.test.ts", "access"],
  "location.permissions": [valid, "is a valid job"],
  "location.encryption": [valid, "is a valid job"],
  "location.attributes": [valid, "is a valid job"],
  "trim.inpoint_sec": [trims, "inpoint_sec: 2.2"],
  "trim.outpoint_sec": [trims, "outpoint_sec: 4"],
  "trim.duration_sec": [trims, "duration_sec: 2"],
  "trim.precision": [trims, 'precision: "sample"'],
  "trim.sequence_timing": [trims, 'sequence_timing: "absolute"'],
  "trim.inpoint_tc": [trims, "inpoint_tc"],
  "trim.outpoint_tc": [trims, "outpoint_tc"],
  "trim.duration_tc": [trims, "duration_tc"],
  "trim.inpoint_asset_tc": [trims, "inpoint_asset_tc"],
  "trim.outpoint_asset_tc": [trims, "outpoint_asset_tc"],
  "trim.source_timecode_selector": [trims, 'source_timecode_selector: "material_package"'],
  "trim.inpoint_frame": ["test/ffmpeg/sources/exactness.test.ts", "inpoint_frame"],
  "trim.outpoint_frame": ["test/ffmpeg/sources/exactness.test.ts", "outpoint_frame"],
  "trim.duration_frames": ["test/ffmpeg/sources/frames.test.ts", "duration_frames"],
  "trim.section_nr": [trims, "section_nr"],
  "trim.inpoint_section": [trims, "inpoint_section"],
  "trim.outpoint_section": [trims, "outpoint_section"],
  "trim.inpoint": [trims, 'inpoint: "track_begin"'],
  "trim.outpoint": [trims, 'outpoint: "track_end"'],
  "trim.reference_media_track": [trims, "reference_media_track"],
  "contents.kind": [several, 'kind: "subtitle"'],
  "contents.payload": [several, 'format: "webvtt"'],
  "contents.language": [sources, 'language: "Italian"'],
  "contents.layer_id": [valid, "is a valid job"],
  "contents.layer_affinities": [valid, "is a valid job"],
  "contents.map": [sources, "route("],
  "contents.mode": [several, 'mode: "complete_map"'],
  "options.force_ffr": [pipeline, "force_ffr"],
  "options.wait_for_source_timeout_sec": [growing, "wait_for_source_timeout_sec"],
  "options.max_decode_errors": [decode, "max_decode_errors"],
  "options.max_sequential_decode_errors": [decode, "max_sequential_decode_errors"],
  "options.no_rewind": [idle, "no_rewind"],
  "options.no_seek": [pipeline, "no_seek"],
  "options.low_latency": [idle, "low_latency"],
  "options.cache_ttl": ["test/coordinator/jobs/cache-ttl.test.ts", "cache_ttl"],
  "options.index_location": [idle, "index_location"],
  "options.auto_generate_silence_tracks": [sources, "auto_generate_silence_tracks"],
  "options.resolve_manifest": ["test/ffmpeg/sources/manifests.test.ts", "resolve_manifest"],
  "options.auto_offset_sources": [idle, "auto_offset_sources"],
  "complex.kind": [several, 'kind: "multi"'],
  "complex.asset_versions": [several, "asset_versions"],
  "complex.location": ["test/media/elements/source/places.test.ts", 'payload: "/p"'],
  "version.version_uid": [several, "version_uid"],
  "version.location": [trims, "location: { path: folder.path }"],
  "version.asset_components": [trims, "asset_components"],
  "component.kind": [sources, 'kind: "generated"'],
  "component.component_uid": [valid, "is a valid job"],
  "component.name": [sources, 'named("b.mkv"'],
  "component.location": [several, "...elsewhere"],
  "component.image_sequence": [sources, "start_number: 7"],
  "component.component_descriptor": [sources, "component_descriptor"],
  "pipeline.trim": [sources, "source_pipeline: { trim"],
  "pipeline.ffmpeg_source_args": [pipeline, "ffmpeg_source_args"],
  "pipeline.options": [pipeline, "{ options }"],
  "pipeline.accelerated_prores": [idle, "accelerated_prores"],
  "pipeline.segmented_rendering": [idle, "segmented_rendering"],
  "pipeline.manifest_decode_strategy": ["test/ffmpeg/sources/manifests.test.ts", "manifest_decode_strategy"],
  "pipeline.chroma_dither_algorithm": [pipeline, "chroma_dither_algorithm"],
  "pipeline.scaler": [pipeline, "scaler"],
  "pipeline.frame_rate": [pipeline, "frame_rate: 50"],
  "pipeline.contents": [several, "source_pipeline: { contents"],
  "pipeline.filters": ["test/ffmpeg/filters/pipeline-filters.test.ts", "selected by %s are for that version"],
  "pipeline.multi_track_audio_processing": [
    "test/ffmpeg/filters/pipeline-filters.test.ts",
    "several tracks are one programme",
  ],
};

const own = ["trim", "contents", "options"];
const fieldsOf = (): string[] => {
  const version = assetComplex.shape.asset_versions.element.shape;
  const keys = (prefix: string, shape: object, without: readonly string[] = []) =>
    Object.keys(shape).flatMap((name) => (without.includes(name) ? [] : [`${prefix}.${name}`]));
  return [
    ...keys("location", assetUrl.shape, own),
    ...keys("trim", trim.out.shape),
    ...keys("contents", contents.element.shape),
    ...keys("options", decodeOptions.shape),
    ...keys("complex", assetComplex.shape),
    ...keys("version", version),
    ...keys("component", version.asset_components.element.shape, own),
    ...keys("pipeline", sourcePipeline.shape),
  ];
};

test("every field of sources, trims and pipelines has a test, which is there", () => {
  expect(Object.keys(table).sort()).toEqual(fieldsOf().sort());
  const missing = Object.entries(table).filter(
    ([, [file, words]]) => !readFileSync(join(root, file), "utf8").includes(words),
  );
  expect(missing).toEqual([]);
});
