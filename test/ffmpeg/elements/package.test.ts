import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import HLS from "hls-parser";
import { parse as parseMpd } from "mpd-parser";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { keyOfSeed } from "../../../agent/steps/packaging/key-seed.ts";
import type { Asset } from "../../../shared/model/asset.ts";
import { first } from "../../helpers/long.ts";
import { mediaNode } from "../../helpers/media/media-job.ts";
import { ffmpegPath, ffprobePath, make, packagerPath, scratchFolder } from "../../helpers/media/media-tools.ts";

const hasTools = ffmpegPath !== undefined && ffprobePath !== undefined && packagerPath !== undefined;
if (!hasTools) console.warn("Packages are not tested: there is no ffmpeg, no ffprobe or no Shaka Packager");

const folder = scratchFolder();
const node = mediaNode(folder.path);
const at = (...names: string[]) => join(folder.path, ...names);
afterAll(() => folder[Symbol.asyncDispose]());

const key = "00112233445566778899aabbccddeeff";
const keyId = "7a01421e-f3b4-46b5-890f-5a10eb7f6dd6";
let inputs: readonly Asset[] = [];

const read = (...names: string[]) => readFileSync(at(...names), "utf8");
const packaged = (name: string, payload: object, assets = inputs) =>
  node.made(
    "package",
    {
      location: { path: at(name, "manifests") },
      media_location: { path: at(name, "media") },
      file_pattern: "master",
      segment_duration_sec: 2,
      ...payload,
    },
    assets,
  );

/** Hashes of all decoded frames, as ffmpeg sees them. */
const framesOf = (path: string): string[] => {
  const isPlaylist = /\.(m3u8|mpd)$/.test(path);
  const words = [
    "-v",
    "error",
    ...(isPlaylist ? ["-allowed_extensions", "ALL"] : []),
    "-i",
    path,
    "-map",
    "0:v:0",
    "-f",
    "framemd5",
    "-",
  ];
  const text = execFileSync(ffmpegPath ?? "", words, { encoding: "utf8" });
  return text
    .split("\n")
    .flatMap((line) => (line.startsWith("#") || line === "" ? [] : (line.split(",").at(-1)?.trim() ?? [])));
};

/** The frames of each segment, decoded by itself: none may need another, or have what belongs to another. */
const segmentFrames = (name: string, playlist: string): string[][] => {
  const { segments } = HLS.parse(read(name, "manifests", playlist)) as unknown as Media;
  const partOf = ({ uri, byterange: range }: Part) => {
    const bytes = readFileSync(at(name, "manifests", uri));
    return range ? bytes.subarray(range.offset, range.offset + range.length) : bytes;
  };
  return segments.map((segment) => {
    writeFileSync(at("segment"), Buffer.concat([...(segment.map ? [partOf(segment.map)] : []), partOf(segment)]));
    return framesOf(at("segment"));
  });
};

/** The first packet's time of presentation, also of one that is not shown. */
const firstTime = (path: string): number => {
  const words = ["-v", "error", "-show_entries", "packet=pts_time", "-of", "csv=p=0", path];
  const env = { ...process.env, GCONV_PATH: "/nonexistent" };
  return Number.parseFloat(execFileSync(ffprobePath ?? "", words, { encoding: "utf8", env }));
};

type Master = {
  variants: {
    uri: string;
    bandwidth: number;
    codecs: string;
    audio: { uri: string; language: string }[];
    subtitles: unknown[];
  }[];
};
type Part = { uri: string; byterange?: { offset: number; length: number } };
type Media = {
  segments: (Part & { duration: number; map?: Part; key?: { method: string; uri: string } })[];
  targetDuration: number;
};

describe.skipIf(!hasTools)("a package", () => {
  beforeAll(async () => {
    const picture = (size: string) => [
      "-f",
      "lavfi",
      "-i",
      `testsrc2=s=${size}:r=25:d=5`,
      ...["-c:v", "libx264", "-g", "50", "-keyint_min", "50", "-sc_threshold", "0", "-preset", "ultrafast"],
    ];
    const sound = (pitch: number, rate: string) => [
      "-f",
      "lavfi",
      "-i",
      `sine=f=${pitch}:r=48000:d=5`,
      ...["-ac", "2", "-c:a", "aac", "-b:a", rate],
    ];
    await make(at("v_high.mp4"), ...picture("320x180"));
    await make(at("v_low.mp4"), ...picture("160x90"), "-bf", "2");
    await make(at("a_low_en.mp4"), ...sound(440, "48k"));
    await make(at("a_low_it.mp4"), ...sound(660, "48k"));
    await make(at("a_high_en.mp4"), ...sound(440, "96k"));
    writeFileSync(
      at("subs.vtt"),
      "WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nHello\n\n00:00:03.000 --> 00:00:04.500\nWorld\n",
    );
    const asset = (version: string, name: string, layer?: Asset["layer"]): Asset => ({
      ...{ version, files: [{ uri: `file://${at(name)}` }] },
      ...(layer && { layer }),
    });
    inputs = [
      asset("high", "v_high.mp4", { video: { affinities: ["audio_high"] } }),
      asset("low", "v_low.mp4", { video: { affinities: ["audio_low"] } }),
      asset("en_low", "a_low_en.mp4", { audio: [{ id: "audio_low", language: "eng" }] }),
      asset("it_low", "a_low_it.mp4", { audio: [{ id: "audio_low", language: "ita" }] }),
      asset("en_high", "a_high_en.mp4", { audio: [{ id: "audio_high", language: "eng" }] }),
      asset("subs", "subs.vtt", { subtitle: [{ language: "deu" }] }),
    ];
  });

  test("of HLS in single fragmented files offers each picture with its groups of sound, in byte ranges", async () => {
    await packaged("hls-fmp4", { kind: "hls", segmentation_mode: "fmp4", hls: { include_iframe_manifests: true } });
    const master = HLS.parse(read("hls-fmp4", "manifests", "master.m3u8")) as unknown as Master;
    expect(
      master.variants
        .filter((each) => !("isIFrameOnly" in each && each.isIFrameOnly))
        .map(({ uri, audio }) => [uri, audio.map(({ language }) => language)]),
    ).toEqual([
      ["v_high.m3u8", ["en"]],
      ["v_low.m3u8", ["en", "it"]],
    ]);
    expect(master.variants[0]?.codecs).toMatch(/^avc1\.[0-9a-f]{6},mp4a\.40\.2$/);
    expect(master.variants[0]?.subtitles).toHaveLength(1);
    const media = HLS.parse(read("hls-fmp4", "manifests", "v_high.m3u8")) as unknown as Media;
    expect(media.segments.map(({ duration, uri }) => [duration, uri])).toEqual([
      [2, "../media/v_high.mp4"],
      [2, "../media/v_high.mp4"],
      [1, "../media/v_high.mp4"],
    ]);
    expect(media.segments[0]?.byterange).toBeDefined();
    expect(readdirSync(at("hls-fmp4", "manifests")).sort()).toContain("v_high_iframes.m3u8");
    expect(framesOf(at("hls-fmp4", "manifests", "v_high.m3u8"))).toEqual(framesOf(at("v_high.mp4")));
  });

  test.each(
    first([
      ["segmented_ts", ["v_high_00000.ts", "v_high_00001.ts", "v_high_00002.ts"]],
      ["single_ts", ["v_high.ts"]],
      ["segmented_mp4", ["v_high_00001.m4s", "v_high_00002.m4s", "v_high_00003.m4s", "v_high_init.mp4"]],
    ]),
  )("of HLS as %s has the files that its name says, and plays as it went in", async (mode, files) => {
    await packaged(mode, { kind: "hls", segmentation_mode: mode });
    expect(readdirSync(at(mode, "media")).filter((name) => name.startsWith("v_high"))).toEqual(files);
    expect(framesOf(at(mode, "manifests", "v_high.m3u8"))).toEqual(framesOf(at("v_high.mp4")));
    expect(segmentFrames(mode, "v_high.m3u8")).toEqual(
      [0, 50, 100].map((n) => framesOf(at("v_high.mp4")).slice(n, n + 50)),
    );
    const { variants } = HLS.parse(read(mode, "manifests", "master.m3u8")) as unknown as Master;
    // A variant's bandwidth is that of its largest segment and sound, never less than what is played.
    for (const { bandwidth } of variants) expect(bandwidth).toBeGreaterThan(48_000);
  });

  test("of transport streams has one clock for pictures, sound and subtitles, whatever their first time stamps are", async () => {
    await packaged("clock", { kind: "hls", segmentation_mode: "segmented_ts" });
    const media = readdirSync(at("clock", "media"));
    const streams = ["v_high", "v_low", "a_low_en", "a_high_en"];
    const late = streams.map(
      (stem) => firstTime(at("clock", "media", `${stem}_00000.ts`)) - firstTime(at(`${stem}.mp4`)),
    );
    expect(late.map((each) => Math.round(each * 1000))).toEqual(streams.map(() => 10_000));
    const [text = ""] = media.filter((name) => name.endsWith(".vtt"));
    expect(read("clock", "media", text)).toContain("X-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:900000");
  });

  test("of multiplexed transport streams has picture and sound in the same segments", async () => {
    await packaged("mux", { kind: "hls", segmentation_mode: "multiplexed_ts" });
    const { variants } = HLS.parse(read("mux", "manifests", "master.m3u8")) as unknown as Master;
    expect(variants.map(({ uri }) => uri)).toEqual(["v_high.m3u8", "v_low.m3u8"]);
    const streams = execFileSync(
      ffprobePath ?? "",
      ["-v", "error", "-show_entries", "stream=codec_name", "-of", "csv=p=0", at("mux", "media", "v_low_00000.ts")],
      { encoding: "utf8", env: { ...process.env, GCONV_PATH: "/nonexistent" } },
    );
    expect(streams.trim().split("\n").slice(0, 2).sort()).toEqual(["aac", "h264"]);
  });

  test.each(first(["fmp4", "segmented_mp4"]))("of DASH as %s is a manifest that another parser reads", async (mode) => {
    await packaged(`dash-${mode}`, { kind: "dash", segmentation_mode: mode });
    const text = read(`dash-${mode}`, "manifests", "master.mpd");
    const { playlists, mediaGroups } = parseMpd(text, { manifestUri: "http://x/manifests/master.mpd" });
    expect(playlists.map((each) => each.attributes.RESOLUTION)).toEqual([
      { width: 320, height: 180 },
      { width: 160, height: 90 },
    ]);
    expect(Object.keys(mediaGroups.AUDIO.audio)).toEqual(["en", "it"]);
    expect(text).toContain("../media/v_high");
    expect(framesOf(at(`dash-${mode}`, "manifests", "master.mpd"))).toHaveLength(125);
  });

  test("of both kinds is made over one set of media", async () => {
    await packaged("both", { kind: ["hls", "dash"], segmentation_mode: "fmp4" });
    expect(readdirSync(at("both", "manifests"))).toEqual(expect.arrayContaining(["master.m3u8", "master.mpd"]));
    expect(readdirSync(at("both", "media"))).toHaveLength(inputs.length);
  });

  test("encrypted with AES-128 plays with the key that its playlist names, and not without", async () => {
    const { log } = await packaged("aes", {
      kind: "hls",
      segmentation_mode: "segmented_ts",
      encryption: { key, iv: key },
    });
    const playlist = HLS.parse(read("aes", "manifests", "v_low.m3u8")) as unknown as Media;
    expect(playlist.segments[0]?.key).toMatchObject({ method: "AES-128", uri: "../media/segments.key" });
    expect(readFileSync(at("aes", "media", "segments.key")).toString("hex")).toBe(key);
    expect(framesOf(at("aes", "manifests", "v_low.m3u8"))).toEqual(framesOf(at("v_low.mp4")));
    expect(() => framesOf(at("aes", "media", "v_low_00000.ts"))).toThrow();
    expect(log).not.toContain(key);
  });

  test.each(
    first([
      ["mpeg-cenc", "cenc"],
      ["mpeg-cbcs", "cbcs"],
    ]),
  )("encrypted by %s is the frames that went in once it is decrypted", async (schema, scheme) => {
    const encryption = { schema, drm: ["widevine", "playready", "clearkey"], key, key_id: keyId };
    const { log } = await packaged(scheme, { kind: ["hls", "dash"], encryption });
    const file = at(scheme, "media", "v_low.mp4");
    const words = [`in=${file},stream=video,output=${at(`${scheme}.clear.mp4`)}`, "--enable_raw_key_decryption"];
    execFileSync(packagerPath ?? "", [...words, `--keys=key_id=${keyId.replaceAll("-", "")}:key=${key}`, "--quiet"]);
    expect(framesOf(at(`${scheme}.clear.mp4`))).toEqual(framesOf(at("v_low.mp4")));
    const manifest = read(scheme, "manifests", "master.mpd");
    expect(manifest).toContain(`value="${scheme}"`);
    expect(manifest.match(/<cenc:pssh>/g)?.length).toBeGreaterThanOrEqual(2);
    expect(log).not.toContain(key);
  });

  test("encrypted with a key from PlayReady's seed opens with the key that the seed gives", async () => {
    const key_seed = "XVBovsmzhP9gRIZxWfFta3VVRPzVEWmJsazEJ46I";
    const encryption = { schema: "mpeg-cenc", drm: "playready", key_seed, key_id: keyId };
    const { log } = await packaged("seeded", { kind: "dash", encryption });
    const opened = at("seeded.clear.mp4");
    const id = keyId.replaceAll("-", "");
    const words = [`in=${at("seeded", "media", "v_low.mp4")},stream=video,output=${opened}`, "--quiet"];
    const keys = ["--enable_raw_key_decryption", `--keys=key_id=${id}:key=${keyOfSeed(key_seed, id)}`];
    execFileSync(packagerPath ?? "", [...words, ...keys]);
    expect(framesOf(opened)).toEqual(framesOf(at("v_low.mp4")));
    expect(log).not.toContain(key_seed);
  });

  test("with a key for each layer signals each of them", async () => {
    const other = "ffeeddccbbaa99887766554433221100";
    const encryptions = [
      { id: "one", schema: "mpeg-cbcs", drm: "fairplay", key, iv: key, key_id: keyId, fairplay_uri: "skd://one" },
      {
        id: "two",
        schema: "mpeg-cbcs",
        drm: "fairplay",
        key: other,
        iv: key,
        key_id: other,
        fairplay_uri: "skd://two",
      },
    ];
    const layered = inputs.map((asset, index) => ({
      ...asset,
      layer: { ...asset.layer, encryptionId: index % 2 === 0 ? "one" : "two" },
    }));
    await packaged("layers", { kind: "hls", encryptions }, layered);
    const uriOf = (name: string) =>
      (HLS.parse(read("layers", "manifests", name)) as unknown as Media).segments[0]?.key?.uri;
    expect([uriOf("v_high.m3u8"), uriOf("v_low.m3u8")]).toEqual(["skd://one", "skd://two"]);
  });

  test("says in words what it cannot do", async () => {
    await expect(packaged("x", { kind: "dash", segmentation_mode: "single_ts" })).rejects.toThrow(
      "which DASH does not play",
    );
    await expect(packaged("x", { encryption: { schema: "mpeg-cenc", key } })).rejects.toThrow("key_id is missing");
    await expect(packaged("x", { encryption: { schema: "mpeg-cenc", key_id: keyId, key: "short" } })).rejects.toThrow(
      "is not 16 bytes",
    );
    await expect(packaged("x", { encryption: { cpix_key: { url: "x" } } })).rejects.toThrow(
      "cpix_key is not implemented",
    );
  });
});
