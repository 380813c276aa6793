import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { aChain, aCopyTo, aFileSource, type ElementJson, type Job } from "../../helpers/farm/job-builders.ts";
import { share } from "../../helpers/long.ts";
import { ffmpegPath, make, packagerPath } from "../../helpers/media/media-tools.ts";
import { startFarm } from "../../helpers/processes/farm-processes.ts";

/** Rare but plausible combinations of fields that no sample job has, on a real farm: a few of them, or all when long. */
const canRun = ffmpegPath !== undefined && packagerPath !== undefined;
const title = `jobs unlike the samples${canRun ? "" : " (skipped: there is no ffmpeg or no Shaka Packager)"}`;

let farm: Awaited<ReturnType<typeof startFarm>>;
const media = (name: string) => join(farm.media, name);
const at = (...names: string[]) => ({ storage_provider: "file", path: join(farm.folder, "out", ...names) });
const film = () => aFileSource(media("film.mkv"));

const picture = (height: number, more: object = {}) => ({
  ...{ codec: "h264", preset: "ultrafast", height, idr_interval: { frames: 25 }, use_scene_detection: false },
  ...more,
});
const base = (file_pattern: string, kind: string, more: object = {}) => ({
  ...{ file_pattern, existing_files: "replace", container: { kind, segment_duration_sec: "1" } },
  ...more,
});
const sound = (language: string, track: number) => ({
  ...{ codec: "aac", channels: 2, language, layer_id: "stereo", source: [{ track }] },
});
const transcode = (folder: string, targets: object[], more: object = {}): ElementJson => ({
  ...{ uid: "ladder", kind: "transcode", payload: { location: at(folder), targets, ...more } },
});
const rungs = (kind = "mp4") => [
  base("high.mp4", kind, { video: picture(180, { layer_affinities: ["stereo"] }) }),
  base("low.mp4", kind, { video: picture(90, { layer_affinities: ["stereo"] }) }),
  base("english.mp4", kind, { audio: [sound("eng", 0)] }),
  base("german.mp4", kind, { audio: [sound("ger", 1)] }),
  base("cues.vtt", "webvtt", { container: { kind: "webvtt" }, subtitle: [{ format: "webvtt", language: "ger" }] }),
];
const ladder = (folder: string, kind = "mp4") => transcode(folder, rungs(kind));
const packaging = (folder: string, payload: object, more: object = {}): ElementJson => ({
  ...{ uid: "package", kind: "package", payload: { segment_duration_sec: 1, location: at(folder, "m"), ...payload } },
  ...more,
});
const bif = (folder: string): ElementJson => ({
  ...{ uid: "bif", kind: "bif_creator" },
  payload: { location: at(folder), source_stream_selection: "highest", timestamp_multiplier: 1000 },
});
const script = (uid: string, kind: string, payload: object): ElementJson => ({
  ...{ uid, kind: "script", payload: { kind, payload } },
});
const display = "G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(10000000,1)";
const key = "00112233445566778899aabbccddeeff";
const keys = { key, key_id: key, iv: key };
const versions = (names: readonly string[]) =>
  names.map((name) => ({
    ...{ version_uid: name, location: { storage_provider: "file", path: farm.media } },
    asset_components: [{ kind: "name", name, contents: [{ kind: name.startsWith("v") ? "video" : "audio" }] }],
  }));

const segmentedTexts = (folder: string): ElementJson => {
  const cues = base("cues.vtt", "webvtt", { subtitle: [{ language: "ger" }] });
  const list = base("list.m3u8", "hls_subtitle", { subtitle: [{ language: "ger" }] });
  return transcode(folder, [...rungs().slice(0, 3), cues, list]);
};

const jobs: Readonly<Record<string, () => Job>> = {
  "fragments under common encryption with key-frame playlists": () =>
    aChain([
      ...[film(), ladder("cenc")],
      packaging("cenc", {
        ...{ kind: ["hls", "dash"], segmentation_mode: "fmp4", file_pattern: "{source_basename}_master" },
        media_location: { storage_provider: "relative", path: "media" },
        hls: { include_iframe_manifests: true, version: "6", primary_layer_uid: "high" },
        encryption: { ...keys, schema: "mpeg-cenc", drm: ["widevine", "playready"], playready_url: "https://x/?a&b" },
      }),
    ]),
  "subtitles in segments of two kinds": () =>
    aChain([
      ...[film(), segmentedTexts("cut")],
      packaging("cut", { kind: ["hls", "dash"], segmentation_mode: "segmented_mp4" }),
    ]),
  "byte ranges of transport streams behind a prefix": () =>
    aChain([
      ...[film(), ladder("ranges")],
      packaging("ranges", {
        ...{ kind: "hls", segmentation_mode: "single_ts", media_url_prefix: "https://cdn.example/x/" },
        hls: { media_playlist_location: at("ranges", "lists"), media_playlist_url_prefix: "https://cdn.example/l/" },
        closed_captions: [{ cc_index: 1, language: "eng", is_default: true }],
      }),
    ]),
  "segmented DASH with subtitles in fragments": () =>
    aChain([
      ...[film(), ladder("dash")],
      packaging("dash", { kind: "dash", segmentation_mode: "segmented_mp4", dash: { subtitle_container: "mp4" } }),
    ]),
  "a package of files that no element made": () => {
    const payload = { kind: "multi", asset_versions: versions(["v180.mp4", "v90.mp4", "english.mp4"]) };
    const source = { uid: "source", kind: "source", payload: { kind: "asset_complex", payload } };
    return aChain([source, packaging("files", { kind: ["dash", "hls"], options: { skip_validation: true } })]);
  },
  "a key for pictures and one for sound": () =>
    aChain([
      film(),
      transcode(
        "layers",
        rungs().map((rung) => ({ ...rung, encryption_id: "audio" in rung ? "sound" : "picture" })),
      ),
      packaging("layers", {
        ...{ kind: "hls", segmentation_mode: "segmented_mp4", init_file_pattern: "{source_basename}_head" },
        encryptions: ["picture", "sound"].map((id) => ({
          ...{ ...keys, id, schema: "mpeg-cbcs", drm: ["fairplay"], fairplay_uri: `skd://${id}` },
        })),
      }),
    ]),
  "multiplexed segments whose keys change": () =>
    aChain([
      ...[film(), ladder("mixed")],
      packaging("mixed", {
        ...{ kind: "hls", segmentation_mode: "multiplexed_ts", options: { delete_sources: true } },
        encryption: { rotation: 2, key_file_pattern: "{source_basename}_%03d.key" },
      }),
    ]),
  "media as they lie": () =>
    aChain([
      ...[film(), ladder("lying", "fmp4")],
      packaging("lying", { kind: ["hls", "dash"], force_original_media: "true", segmentation_mode: "fmp4" }),
    ]),
  "targets by conditions, with overrides": () => {
    const overrides = { bitrate_kb: "source.video.height > 100 ? 300 : 200", max_bitrate_kb: "bitrate_kb * 1.5" };
    const targets = [
      base("uhd.mp4", "mp4", { include_conditions: ["source.video.height >= 2160"], video: picture(2160) }),
      base("sd.mp4", "mp4", {
        include_conditions: ["source.video.height < 720 && source.audio.length == 2"],
        video: picture(90, { bitrate_kb: 100, max_bitrate_kb: 100, overrides }),
        audio: [0, 5].map((track) => ({ codec: "aac", channels: 2, include_if_source_has: [`audio[${track}]`] })),
      }),
    ];
    return aChain([film(), transcode("conditions", targets)]);
  },
  "a script that changes a rendition": () => {
    const code = "setVariable('height', input.source[0].media.video[0].height > 100 ? 120 : 90);";
    const modifiers = [{ kind: "transcode_segmented_rendering", target_element_uid: "ladder", duration_sec: 60 }];
    return aChain(
      [
        ...[film(), script("modify", "job_modifier", { modifiers })],
        script("decide", "javascript", { code, variables: ["height"] }),
        transcode("scripted", [base("made.mp4", "mp4", { video: { codec: "h264", height: "{{height}}" } })]),
      ],
      { definitions: { height: 90 } },
    );
  },
  "thumbnails of what an HLS package plays": () =>
    aChain([film(), ladder("thumbs"), packaging("thumbs", { kind: "hls", file_pattern: "high" }), bif("thumbs")]),
  "an analysis of a DASH target": () =>
    aChain([
      ...[film(), transcode("vod", [base("x.mpd", "dash-vod", { video: picture(90), audio: [sound("eng", 0)] })])],
      { uid: "look", kind: "analyze", payload: { deep_properties: { video: { black: { enabled: true } } } } },
    ]),
  "an encrypted HLS target, with its key elsewhere": () => {
    const encryption = {
      ...keys,
      schema: "aes-128-cbc",
      key_location: at("secret", "keys"),
      key_file_pattern: "x.key",
    };
    const container = { kind: "hls", segment_duration_sec: 1, encryption };
    return aChain([film(), transcode("secret", [base("x.m3u8", "hls", { container, video: picture(90) })])]);
  },
  "a picture over tape": () => {
    const payload = { image_file: { storage_provider: "file", url: media("logo.png") }, x: 0, y: 0 };
    const video = { codec: "h264", width: 720, height: 576, filters: [{ kind: "image_overlay", payload }] };
    return aChain([
      aFileSource(media("tape.mxf")),
      transcode("tape", [base("x.mp4", "mp4", { container: { kind: "mp4" }, video })]),
    ]);
  },
  "a transcode of a package": () =>
    aChain([
      ...[film(), ladder("again"), packaging("again", { kind: ["hls", "dash"], segmentation_mode: "fmp4" })],
      { ...transcode("again", [base("again.mp4", "mp4", { video: picture(90) })]), uid: "again" },
    ]),
  "subtitles in a list of addresses": () => {
    const asset_urls = ["film.mkv", "cues.srt"].map((name) => ({ storage_provider: "file", url: media(name) }));
    const source = { uid: "source", kind: "source", payload: { kind: "asset_urls", payload: { asset_urls } } };
    const target = base("texts.mp4", "mp4", { video: picture(90), subtitle: [{ format: "timed_text" }] });
    return aChain([source, transcode("texts", [target])]);
  },
  "HDR10 for a film of a standard range": () => {
    const hdr10 = { source: "config", master_display: display, max_cll: "1000", max_fall: "400" };
    const colors = { color_primaries: "bt2020", color_trc: "st2084", color_matrix: "bt2020nc" };
    const video = { codec: "h265", preset: "ultrafast", profile: "main10", height: 90, ...colors, hdr10 };
    return aChain([film(), transcode("hdr", [base("hdr.mp4", "mp4", { video })])]);
  },
  "thumbnails of an HLS target": () =>
    aChain([film(), transcode("list", [base("x.m3u8", "hls", { video: picture(90) })]), bif("list")]),
};

describe.skipIf(!canRun)(title, { timeout: 300_000 }, () => {
  beforeAll(async () => {
    farm = await startFarm();
    await farm.startAgent("one", ["--mount", `s3://bucket=${farm.media}`]);
    const cues = "1\n00:00:00,200 --> 00:00:00,900\nOne\n\n2\n00:00:01,200 --> 00:00:01,900\nTwo\n";
    writeFileSync(media("cues.srt"), cues);
    const sounds = [440, 660].flatMap((pitch) => ["-f", "lavfi", "-i", `sine=f=${pitch}:r=48000:d=4`]);
    const h264 = ["-c:v", "libx264", "-g", "25", "-sc_threshold", "0", "-preset", "ultrafast", "-pix_fmt", "yuv420p"];
    await make(
      media("film.mkv"),
      ...["-f", "lavfi", "-i", "testsrc2=s=320x180:r=25:d=4", ...sounds, "-i", media("cues.srt")],
      ...["-map", "0", "-map", "1", "-map", "2", "-map", "3", ...h264, "-c:a", "aac", "-ac", "2", "-c:s", "srt"],
    );
    const part = (name: string, ...words: string[]) => make(media(name), "-i", media("film.mkv"), ...words);
    await make(media("logo.png"), "-f", "lavfi", "-i", "color=red:s=40x20", "-frames:v", "1");
    await make(media("tape.mxf"), "-f", "lavfi", "-i", "testsrc2=s=720x576:r=25:d=0.4", "-c:v", "mpeg2video");
    await part("v180.mp4", "-map", "0:v", "-c", "copy");
    await part("v90.mp4", "-map", "0:v", "-vf", "scale=-2:90", ...h264);
    await part("english.mp4", "-map", "0:a:0", "-c", "copy");
  }, 120_000);
  afterAll(() => farm?.[Symbol.asyncDispose]());

  test("what a check rejects is set aside", async () => {
    const pass = [{ condition: "source.video.height >= 1080", message_fail: "too small" }];
    const report = { create_condition: "on_failure", file_pattern: "why.json", location: at("rejected") };
    const check = { conditions: { pass }, report };
    const elements = [film(), { uid: "check", kind: "qc", payload: check }, aCopyTo(at("rejected").path)];
    const connections = [
      { from: [{ element: "source" }], to: { success: [{ element: "check" }] } },
      { from: [{ element: "check" }], to: { error: [{ element: "copy" }] } },
    ];
    const id = await farm.submit({ name: "rejected", payload: { elements, connections } });
    expect(await farm.untilEnded(id)).toMatchObject({ status: "completed", substatus: "handled_errors" });
    expect(readdirSync(at("rejected").path).sort()).toEqual(["film.mkv", "why.json"]);
    const { items } = await farm.client.listOutputs({ job_id: id, skip: 0, take: 10 });
    expect(items.map(({ element_uid, uri }) => [element_uid, uri.split("/").at(-1)])).toEqual([
      ["check", "why.json"],
      ["copy", "film.mkv"],
    ]);
  });

  test("what an analysis writes is no source of what follows", async () => {
    const report = { location: at("looked"), file_pattern: "{source_basename}" };
    const results_file = { storage_provider: "file", url: join(at("looked").path, "loud.json") };
    const deep_properties = { audio: { loudness: { results_file } } };
    const look = { uid: "look", kind: "analyze", payload: { deep_properties, report } };
    const id = await farm.submit(aChain([film(), look, aCopyTo(at("looked", "on").path)]));
    expect(await farm.untilEnded(id)).toMatchObject({ status: "completed" });
    expect(readdirSync(at("looked").path).sort()).toEqual(["film.pdf", "loud.json", "on"]);
    expect(readdirSync(at("looked", "on").path)).toEqual(["film.mkv"]);
  });

  test("numbered pictures lie in an object store that is a folder here", async () => {
    await make(media("p_%04d.png"), "-f", "lavfi", "-i", "testsrc2=s=64x36:r=25:d=0.2");
    const pictures = {
      kind: "image_sequence",
      image_sequence: { base: "p_%04d.png", frame_rate: 25, start_number: "1" },
    };
    const version = { location: { storage_provider: "s3", path: "s3://bucket" }, asset_components: [pictures] };
    const source = { kind: "asset_complex", payload: { asset_versions: [version] } };
    const targets = [{ file_pattern: "pictures.mov", video: { codec: "prores" } }];
    const id = await farm.submit(
      aChain([{ uid: "source", kind: "source", payload: source }, transcode("pictures", targets)]),
    );
    expect(await farm.untilEnded(id)).toMatchObject({ status: "completed", error: null });
  });

  test.each(share(Object.keys(jobs), (_, at) => at === 0, 3))("%s: completed", async (name) => {
    const job = jobs[name]?.();
    if (!job) throw new Error(`there is no job ${name}`);
    const id = await farm.submit(job);
    const { status } = await farm.untilEnded(id);
    const { errors } = (await farm.client.getResult({ job_id: id })) as { errors: { message: string }[] }; // an open shape
    expect([status, errors.map(({ message }) => message)]).toEqual(["completed", []]);
  });
});
