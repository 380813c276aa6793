import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { pathToUri } from "../../../shared/files/location.ts";
import { first } from "../../helpers/long.ts";
import { mediaNode } from "../../helpers/media/media-job.ts";
import { ffmpegPath, ffprobePath, make, scratchFolder } from "../../helpers/media/media-tools.ts";

const hasTools = ffmpegPath !== undefined && ffprobePath !== undefined;
if (!hasTools) console.warn("Media tests are skipped: there is no ffmpeg or no ffprobe");

const folder = scratchFolder();
const node = mediaNode(folder.path);
const at = (...names: string[]) => join(folder.path, ...names);
afterAll(() => folder[Symbol.asyncDispose]());

/** Makes one target of the film in a folder of its own, has the agent check it, and gives the names of its files. */
const made = async (name: string, container: object, file_pattern = "film{default_extension}") => {
  mkdirSync(at(name), { recursive: true });
  const inputs = await node.assets({ kind: "asset_url", payload: { storage_provider: "file", url: at("film.mkv") } });
  const target = {
    ...{ file_pattern, container, location: { path: at(name) }, existing_files: "replace" },
    video: { codec: "h264", preset: "ultrafast", crf: 20 },
    audio: [{ codec: "aac", channels: 2 }],
  };
  const { verified } = await node.made("transcode", { targets: [target] }, inputs);
  const checked = await verified();
  expect(checked[0]?.file.facts?.format).toMatch(/mpegts|mp4/);
  return readdirSync(at(name)).sort();
};

const probed = (path: string, entries: string): string[] => {
  const words = ["-v", "error", "-select_streams", "v", "-show_entries", entries, "-of", "csv=p=0", path];
  const env = { ...process.env, GCONV_PATH: "/nonexistent" };
  return execFileSync(ffprobePath ?? "", words, { encoding: "utf8", env })
    .trim()
    .split(/,?\n/);
};
const framesIn = (path: string): number => {
  const words = ["-v", "error", ...(/m3u8|mpd$/.test(path) ? ["-allowed_extensions", "ALL"] : []), "-i", path];
  const text = execFileSync(ffmpegPath ?? "", [...words, "-map", "0:v:0", "-f", "framecrc", "-"], { encoding: "utf8" });
  return text.split("\n").filter((line) => line !== "" && !line.startsWith("#")).length;
};

describe.skipIf(!hasTools)("a target in segments", () => {
  beforeAll(async () => {
    const sound = ["-f", "lavfi", "-i", "sine=r=48000:d=5"];
    await make(
      at("film.mkv"),
      "-f",
      "lavfi",
      "-i",
      "testsrc2=s=160x90:r=25:d=5",
      ...sound,
      "-c:v",
      "ffv1",
      "-c:a",
      "pcm_s16le",
    );
  });

  test("of HLS is cut at frames, at the duration asked for", async () => {
    const files = await made("hls", { kind: "hls", segment_duration_sec: 2 });
    expect(files).toEqual(["film.m3u8", "film_00000.ts", "film_00001.ts", "film_00002.ts"]);
    const lengths = [...readFileSync(at("hls", "film.m3u8"), "utf8").matchAll(/#EXTINF:([\d.]+)/g)].map(([, text]) =>
      Number(text),
    );
    expect(lengths).toEqual([2, 2, 1]);
    expect(framesIn(at("hls", "film.m3u8"))).toBe(125);
  });

  test("of HLS has its segments' names from the job", async () => {
    const files = await made(
      "named",
      { kind: "hls", segment_duration_sec: 3, segment_file_pattern: "part-%03d.{default_extension}" },
      "index.m3u8",
    );
    expect(files).toEqual(["index.m3u8", "part-000.ts", "part-001.ts"]);
  });

  test("of DASH is a manifest over fragments that plays as long as the film", async () => {
    const files = await made("dash", { kind: "dash-live", segment_duration_sec: 2 });
    expect(files.filter((name) => name.startsWith("film_0"))).toEqual([
      ...["film_0_00001.m4s", "film_0_00002.m4s", "film_0_00003.m4s", "film_0_init.mp4"],
    ]);
    expect(framesIn(at("dash", "film.mpd"))).toBe(125);
    const single = await made("vod", { kind: "dash-vod", segment_duration_sec: 2 });
    expect(single).toEqual(["film.mpd", "film_0.mp4", "film_1.mp4"]);
    expect(framesIn(at("vod", "film.mpd"))).toBe(125);
    expect(readFileSync(at("vod", "film.mpd"), "utf8").match(/<SegmentBase indexRange=/g)).toHaveLength(2);
  });

  test.each(
    first([
      ["segmented_ts", ".ts"],
      ["segmented_mp4", ".mp4"],
    ]),
  )("of %s is numbered files, each of which plays by itself", async (kind, ending) => {
    const files = await made(kind, { kind, segment_duration_sec: 2 });
    expect(files).toEqual([0, 1, 2].map((n) => `film_0000${n}${ending}`));
    expect(files.map((name) => framesIn(at(kind, name)))).toEqual([50, 50, 25]);
  });

  test("of one fragmented file has a fragment for each duration", async () => {
    await made("fmp4", { kind: "fmp4", segment_duration_sec: 2 });
    const bytes = readFileSync(at("fmp4", "film.mp4")).toString("latin1");
    expect(bytes.split("moof").length - 1).toBe(3);
  });

  test("of a plain file has key frames where a packager will cut", async () => {
    await made("mp4", { kind: "mp4", segment_duration_sec: 2 });
    const keys = probed(at("mp4", "film.mp4"), "packet=pts_time,flags").flatMap((line) =>
      /,K/.test(line) ? [Number(line.split(",")[0])] : [],
    );
    expect(keys).toEqual(expect.arrayContaining([0, 2, 4]));
  });

  test("is addressed by its manifest", async () => {
    const inputs = await node.assets({ kind: "asset_url", payload: { url: at("film.mkv") } });
    const target = {
      file_pattern: "x",
      container: { kind: "hls" },
      location: { path: at("hls") },
      video: { codec: "h264" },
    };
    const { outputs } = await node.work({ targets: [target] }, inputs);
    expect(outputs.t0).toMatchObject({ name: "x.m3u8", isPackage: true, folder: pathToUri(at("hls"), "posix") });
  });
});
