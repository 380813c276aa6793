import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import HLS from "hls-parser";
import { parse as parseMpd } from "mpd-parser";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { mediaNode } from "../../helpers/media/media-job.ts";
import { ffmpegPath, ffprobePath, make, scratchFolder } from "../../helpers/media/media-tools.ts";

const hasTools = ffmpegPath !== undefined && ffprobePath !== undefined;
if (!hasTools) console.warn("Media tests are skipped: there is no ffmpeg or no ffprobe");

const folder = scratchFolder();
const node = mediaNode(folder.path);
const at = (...names: string[]) => join(folder.path, ...names);
afterAll(() => folder[Symbol.asyncDispose]());

/** Hashes of all decoded frames, as ffmpeg sees them. */
const framesOf = (path: string): string[] => {
  const isPlaylist = /\.(m3u8|mpd)$/.test(path);
  const words = ["-v", "error", ...(isPlaylist ? ["-allowed_extensions", "ALL"] : []), "-i", path];
  const text = execFileSync(ffmpegPath ?? "", [...words, "-map", "0:v:0", "-f", "framemd5", "-"], {
    ...{ encoding: "utf8", timeout: 60_000, killSignal: "SIGKILL" },
  });
  return text.split("\n").flatMap((line) => (/^\d/.test(line) ? [line.split(",").at(-1)?.trim() ?? ""] : []));
};

type Track = { uri: string; language?: string; channels?: string };
type Variant = {
  uri: string;
  bandwidth: number;
  codecs: string;
  resolution: { width: number; height: number };
  audio: Track[];
  subtitles: Track[];
};
type Segment = { uri: string; duration: number; byterange?: object };
const parsed = <T>(...names: string[]) => HLS.parse(readFileSync(at(...names), "utf8")) as unknown as T;

const video = (width: number, height: number) => ({
  ...{ codec: "h264", preset: "ultrafast", width, height, use_scene_detection: false },
  ...{ idr_interval: { frames: 25 } },
});
const base = (uid: string, kind: string, manifest_uids: string[], file_pattern = `${uid}{default_extension}`) => ({
  ...{ uid, file_pattern, manifest_uids, existing_files: "replace" },
  container: { kind, segment_duration_sec: 1 },
});
const sound = (uid: string, language: string) => ({
  ...base(uid, "fmp4", ["parts"]),
  audio: [{ codec: "aac", channels: 2, language, layer_id: "stereo", source: [{ track: 0 }] }],
});
const inAll = (uid: string, kind: string) => ({
  ...base(uid, kind, ["whole"]),
  audio: [{ codec: "aac", channels: 2 }],
});

const payload = () => ({
  location: { path: at("media") },
  targets: [
    { ...base("high", "fmp4", ["parts"]), video: { ...video(320, 180), layer_affinities: ["stereo"] } },
    { ...base("low", "fmp4", ["parts"]), video: { ...video(160, 90), layer_affinities: ["stereo"] } },
    ...[sound("en", "eng"), sound("de", "deu")],
    {
      ...{ uid: "subs", file_pattern: "subs.vtt", manifest_uids: ["parts"], container: { kind: "webvtt" } },
      subtitle: [{ language: "deu" }],
    },
    { ...inAll("files", "segmented_ts"), video: video(160, 90), file_pattern: "files_%03d.ts" },
    { ...inAll("list", "hls"), location: { path: at("media", "list") }, video: video(320, 180) },
    { ...inAll("mixed", "fmp4"), video: video(240, 136) },
    { ...base("cues", "hls_subtitle", ["whole"]), subtitle: [{ language: "deu" }] },
  ],
  manifests: [
    { uid: "parts", kind: ["hls", "dash"], location: { path: at("manifests") }, file_pattern: "{source_basename}_abr" },
    { uid: "whole", location: { storage_provider: "relative", path: "whole" }, file_pattern: "master" },
  ],
});

describe.skipIf(!hasTools)("a transcode that writes manifests over its targets", () => {
  beforeAll(async () => {
    const cues = "1\n00:00:00,500 --> 00:00:01,500\nOne\n\n2\n00:00:02,000 --> 00:00:02,900\nTwo\n";
    writeFileSync(at("subs.srt"), cues);
    await make(
      at("film.mkv"),
      ...["-f", "lavfi", "-i", "testsrc2=s=320x180:r=25:d=3", "-f", "lavfi", "-i", "sine=r=48000:d=3"],
      ...["-i", at("subs.srt"), "-c:v", "ffv1", "-c:a", "pcm_s16le", "-c:s", "srt"],
    );
    const inputs = await node.assets({ kind: "asset_url", payload: { storage_provider: "file", url: at("film.mkv") } });
    await node.made("transcode", payload(), inputs);
  });

  test("offers fragmented targets as HLS, each picture with its group of sound", () => {
    const { variants } = parsed<{ variants: Variant[] }>("manifests", "film_abr.m3u8");
    expect(
      variants.map(({ uri, codecs, resolution, audio, subtitles }) => [
        ...[uri, codecs, resolution, audio.map(({ language, channels }) => `${language} ${channels}`)],
        subtitles.map(({ language }) => language),
      ]),
    ).toEqual(
      [
        ["high", 320, 180],
        ["low", 160, 90],
      ].map(([name, width, height]) => [
        ...[`${name}.m3u8`, expect.stringMatching(/^avc1\.[0-9a-f]{6},mp4a\.40\.2$/), { width, height }],
        ...[["en 2", "de 2"], ["de"]],
      ]),
    );
    const { segments } = parsed<{ segments: Segment[] }>("manifests", "high.m3u8");
    expect(segments.map(({ uri, duration }) => [uri, duration])).toEqual(
      [1, 1, 1].map((n) => ["../media/high.mp4", n]),
    );
    expect(framesOf(at("manifests", "high.m3u8"))).toEqual(framesOf(at("media", "high.mp4")));
    const [high] = variants;
    const most = Math.max(...segments.map(({ byterange }) => (byterange as { length: number }).length * 8));
    expect(high?.bandwidth).toBeGreaterThan(most);
  });

  test("offers the same targets as DASH", () => {
    const text = readFileSync(at("manifests", "film_abr.mpd"), "utf8");
    const { playlists, mediaGroups } = parseMpd(text, { manifestUri: "http://x/manifests/film_abr.mpd" });
    expect(playlists.map(({ attributes }) => attributes.RESOLUTION)).toEqual([
      { width: 320, height: 180 },
      { width: 160, height: 90 },
    ]);
    expect(Object.keys(mediaGroups.AUDIO.audio)).toEqual(["en", "de"]);
    expect(text).toContain("<BaseURL>../media/subs.vtt</BaseURL>");
    expect(text.match(/<SegmentBase indexRange=/g)).toHaveLength(4);
    expect(framesOf(at("manifests", "film_abr.mpd"))).toEqual(framesOf(at("media", "high.mp4")));
  });

  test("offers transport streams, playlists and mixed fragments side by side", () => {
    const { variants } = parsed<{ variants: Variant[] }>("media", "whole", "master.m3u8");
    expect(variants.map(({ uri, resolution }) => [uri, resolution.height])).toEqual([
      ["files.m3u8", 90],
      ["../list/list.m3u8", 180],
      ["mixed.m3u8", 136],
    ]);
    expect(variants.map(({ codecs }) => codecs.replace(/avc1\.\w+/, "avc1"))).toEqual(Array(3).fill("avc1,mp4a.40.2"));
    expect(variants[0]?.subtitles.map(({ uri }) => uri)).toEqual(["../cues.m3u8"]);
    expect(readdirSync(at("media", "whole")).sort()).toEqual(["files.m3u8", "master.m3u8", "mixed.m3u8"]);
    const { segments } = parsed<{ segments: Segment[] }>("media", "whole", "files.m3u8");
    expect(segments.map(({ uri }) => uri)).toEqual([0, 1, 2].map((n) => `../files_00${n}.ts`));
    const joined = execFileSync(
      "cat",
      [0, 1, 2].map((n) => at("media", `files_00${n}.ts`)),
    );
    writeFileSync(at("joined.ts"), joined);
    expect(framesOf(at("media", "whole", "files.m3u8"))).toEqual(framesOf(at("joined.ts")));
    expect(framesOf(at("media", "whole", "mixed.m3u8"))).toEqual(framesOf(at("media", "mixed.mp4")));
    for (const { bandwidth } of variants) expect(bandwidth).toBeGreaterThan(64_000);
  });
});
