import { expect, test } from "vitest";
import { ignoredFieldWarnings } from "../../../media/jobs/ignored-field-warnings.ts";
import { parseJob } from "../../../media/jobs/parse-job.ts";

test("options that change nothing are told about where they are set", () => {
  const options = { index_location: { path: "/x" }, no_rewind: false, low_latency: "false", no_seek: true };
  const payload = { asset_versions: [{ asset_components: [{ options }, { name: "low_latency" }] }] };
  expect(ignoredFieldWarnings(payload, "payload")).toEqual([
    "payload.asset_versions[0].asset_components[0].options.index_location has no effect: no index files are made",
  ]);
  const idle = { index_location: { path: "/x" }, auto_offset_sources: true, no_rewind: true, low_latency: true };
  expect(ignoredFieldWarnings({ options: idle }, "payload").map((line) => line.split(" ")[0])).toEqual([
    "payload.options.index_location",
    "payload.options.auto_offset_sources",
    "payload.options.no_rewind",
    "payload.options.low_latency",
  ]);
  const segmented_rendering = { duration_sec: 60, total_segments: 2 };
  const source_pipeline = { accelerated_prores: true, segmented_rendering, options: { cache_ttl: "60" } };
  expect(ignoredFieldWarnings({ source_pipeline, options: { cache_ttl: 60 } }, "payload")).toEqual([
    "payload.source_pipeline.accelerated_prores has no effect: the node decides how it decodes",
    "payload.source_pipeline.segmented_rendering.total_segments has no effect: the length of sections says how many there are",
    "payload.source_pipeline.options.cache_ttl has no effect: the options of the source say how long nodes keep copies of its files",
  ]);
});

test("a storage provider that the address contradicts is told about", () => {
  const told = (storage_provider: string, address: object) =>
    ignoredFieldWarnings({ location: { storage_provider, ...address } }, "payload");
  const contradiction =
    "payload.location.storage_provider has no effect: the address beside it is of another kind of storage, and decides";
  const contradicting: [string, object][] = [
    ["ftp", { url: "sftp://host/a.mov" }],
    ["s3", { path: "/media/out" }],
    ["gs", { path: "s3://bucket/out" }],
    ["file", { url: "HTTP://host/a.mov" }],
    ["relative", { path: "s3://bucket/out" }],
  ];
  for (const [provider, address] of contradicting) expect(told(provider, address)).toEqual([contradiction]);
  const agreeing: [string, object][] = [
    ["ftp", { url: "ftps://host/a.mov" }],
    ["http", { url: "https://host/a.mov" }],
    ["swiftstack", { path: "swift://container/out" }],
    ["local", { path: "file:///media/out" }],
    ["file", { path: "C:\\media" }],
    ["gs", { path: "gs://bucket/out" }],
    ["relative", { path: "sub/deep" }],
    ["s3", { path: "{{folder}}" }],
  ];
  for (const [provider, address] of agreeing) expect(told(provider, address)).toEqual([]);
});

test("fields of targets and tasks that change nothing are told about too", () => {
  const targets = [{ force_local_target_file: "true" }, { size_estimate: 0, force_local_target_file: "false" }];
  expect(ignoredFieldWarnings({ targets }, "payload")).toEqual([
    "payload.targets[0].force_local_target_file has no effect: every file is made in a local folder first",
  ]);
  const task = (split_task: string) =>
    ignoredFieldWarnings({ flags: { split_task }, source_element_uids: ["a"] }, "x.task");
  expect(task("disabled")).toEqual([
    "x.task.source_element_uids has no effect: an element takes what comes along its connections",
  ]);
  expect(task("smart")[0]).toBe("x.task.flags.split_task has no effect: only transcodes are divided");
});

test("fields of tracks that their encoder has no choice about are told about", () => {
  const audio = [
    { codec: "aac", bitrate_mode: "vbr" },
    { codec: "mp3", bitrate_mode: "vbr" },
    { codec: "vendor_digital", vendor_digital: { phase_shift_90_degree: true } },
  ];
  const targets = [{ audio, video: { first_gop_closed: "false" } }, { video: { first_gop_closed: true } }];
  expect(ignoredFieldWarnings({ targets }, "payload")).toEqual([
    "payload.targets[0].audio[0].bitrate_mode has no effect: the encoder of AAC aims at the average in either mode",
    "payload.targets[0].audio[2].vendor_digital.phase_shift_90_degree has no effect: " +
      "the open encoders of AC-3 leave the phase as it is",
    "payload.targets[0].video.first_gop_closed has no effect: the first group of pictures needs no other one in any case",
  ]);
});

test("layers of a source are read by the package that its files reach, and by nothing else", () => {
  const contents = [{ kind: "audio", layer_id: "a" }];
  const source = { uid: "s", kind: "source", payload: { kind: "asset_url", payload: { url: "/in/a.mov", contents } } };
  const look = { uid: "look", kind: "analyze", payload: {} };
  const made = { uid: "t", kind: "transcode", payload: { targets: [{ file_pattern: "x.mp4" }] } };
  const packaged = { uid: "p", kind: "package", payload: { location: { path: "/out" } } };
  const warningsOf = (between: { readonly uid: string }) => {
    const chain = [source, between, packaged].map(({ uid }) => uid);
    const connections = chain
      .slice(1)
      .map((uid, at) => ({ from: [{ element: chain[at] }], to: { success: [{ element: uid }] } }));
    const parsed = parseJob({ name: "j", payload: { elements: [source, between, packaged], connections } });
    return parsed.warnings.filter((line) => line.includes("layer_id"));
  };
  expect(warningsOf(look)).toEqual([]);
  expect(warningsOf(made)).toEqual([
    "payload.elements[0].payload.payload.contents[0].layer_id has no effect: only a package that takes files from the source itself reads it",
  ]);
});
