import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { forms } from "../../../media/subtitles/index.ts";
import { first } from "../../helpers/long.ts";
import { mediaNode } from "../../helpers/media/media-job.ts";
import { ffmpeg, ffmpegPath, ffprobePath, make, probe, scratchFolder } from "../../helpers/media/media-tools.ts";
import { packetsOfMpeg2, packetsOfStream, seenOfPackets } from "../../helpers/media/service-708.ts";
import { mediaInfoPath } from "../targets/pairs/look.ts";

const run = promisify(execFile);
const hasTools = ffmpegPath !== undefined && ffprobePath !== undefined;
if (!hasTools) console.warn("Closed captions are not tried: there is no ffmpeg or no ffprobe");

const cues = [
  { from: 1000, to: 2000, lines: [[{ text: "Hello" }]] },
  { from: 2500, to: 3500, lines: [[{ text: "Good bye" }]] },
];

/** A film of four seconds with files of captions. */
const source = async (folder: string, files: readonly string[], rate = "24000/1001", tags: readonly string[] = []) => {
  const film = `testsrc2=size=160x90:rate=${rate}:duration=4`;
  await make(join(folder, "in.mkv"), "-f", "lavfi", "-i", film, "-pix_fmt", "yuv420p", "-c:v", "ffv1", ...tags);
  const components = files.map((format) => {
    const form = format === "mcc" ? "mcc" : "scc";
    writeFileSync(join(folder, `${format}.${form}`), forms[form].print(cues, {}));
    const contents = [{ kind: "closed_caption", payload: { format } }];
    return { kind: "name", name: `${format}.${form}`, location: { path: folder }, contents };
  });
  const film0 = { kind: "name", name: "in.mkv", location: { path: folder } };
  return { kind: "asset_complex", payload: { asset_versions: [{ asset_components: [film0, ...components] }] } };
};

const made = async (folder: string, payload: object, target: object): Promise<string> => {
  const node = mediaNode(folder);
  const location = { path: join(folder, "out") };
  const work = await node.work({ location, targets: [target] }, await node.assets(payload));
  return (await node.perform(work)).paths[0] ?? "";
};

/** What ffmpeg's decoder shows of the captions in the picture, or of a track. */
const shown = async (path: string, isTrack = false): Promise<string> => {
  const input = isTrack ? ["-i", path] : ["-f", "lavfi", "-i", `movie=${path}[out0+subcc]`];
  return (await ffmpeg(["-v", "error", ...input, "-map", "0:s", "-f", "srt", "-"])).toString();
};

/** Seconds at which the captions appear. */
const moments = (text: string): number[] =>
  [...text.matchAll(/^(\d\d):(\d\d):(\d\d),(\d{3}) -->/gm)].map(
    ([, hours, minutes, seconds, rest]) =>
      Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds) + Number(rest) / 1000,
  );

describe.skipIf(!hasTools)("closed captions", { timeout: 60_000 }, () => {
  const enable = { enable_cea608: true };

  test.each(
    first([
      ["h264", "mp4", "24000/1001"],
      ["h264", "mpegts", "30000/1001"],
      ["mpeg2", "mpegts", "25"],
    ]),
  )("of a file are in the pictures of %s in %s at %s, and appear in time", async (codec, kind, rate) => {
    await using folder = scratchFolder();
    const video = { codec, closed_captions: enable, color_primaries: "bt709" };
    const target = { file_pattern: "out{default_extension}", container: { kind }, video };
    const path = await made(folder.path, await source(folder.path, ["scc"], rate), target);
    const text = await shown(path);
    expect(text).toContain("Hello");
    expect(text).toContain("Good bye");
    const late = moments(text).map((moment, at) => Math.abs(moment - (cues[at]?.from ?? 0) / 1000));
    expect(Math.max(...late)).toBeLessThan(0.15);
    expect((await probe(path)).video).toMatchObject([{ width: 160, height: 90, pixelAspect: { num: 1, den: 1 } }]);
    if (!mediaInfoPath) return;
    const { stdout } = await run(mediaInfoPath, ["--Output=JSON", path]);
    const tracks: readonly Record<string, string>[] = JSON.parse(stdout).media.track;
    expect(tracks.filter((track) => track["@type"] === "Text").map(({ Format }) => Format)).toEqual(["EIA-608"]);
  });

  test.each([
    ["a matrix that the scaler lacks", ["-colorspace", "bt2020c", "-color_primaries", "bt2020"], {}, "bt2020c"],
    [
      "colours that a change of definition brings",
      ["-colorspace", "smpte170m", "-color_primaries", "smpte170m", "-color_trc", "smpte170m"],
      { width: 1280, height: 720, smart_chroma_conversions: true },
      "bt709",
    ],
    [
      "colours that a filter makes",
      ["-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709"],
      { filters: [{ kind: "color_convert", payload: { to: { color_matrix: "smpte170m" } } }] },
      "smpte170m",
    ],
  ])("leave the tags of %s", async (_what, tags, more, matrix) => {
    await using folder = scratchFolder();
    const video = { codec: "h264", preset: "ultrafast", closed_captions: { enable_cea608: true }, ...more };
    const path = await made(folder.path, await source(folder.path, ["scc"], "25", tags), {
      file_pattern: "out.mp4",
      video,
    });
    expect((await probe(path)).video).toMatchObject([
      { colorSpace: matrix, hasCaptions: true, pixelFormat: "yuv420p" },
    ]);
  });

  test("of MacCaption are in the pictures, and in a file that ffmpeg reads", async () => {
    await using folder = scratchFolder();
    const captioned = await source(folder.path, ["mcc"], "30000/1001");
    const film = await made(folder.path, captioned, {
      file_pattern: "a.mp4",
      video: { codec: "h264", closed_captions: enable },
    });
    const file = await made(folder.path, captioned, { file_pattern: "b.mcc", container: { kind: "mcc" } });
    for (const text of [await shown(film), await shown(file, true)]) {
      expect(text).toContain("Hello");
      expect(moments(text).map((moment) => Math.round(moment * 10) / 10)).toEqual([1, 2.5]);
    }
  });

  test.each(
    first([
      ["h264", "mp4", "24000/1001"],
      ["h264", "mpegts", "25"],
      ["mpeg2", "mpegts", "30000/1001"],
    ]),
  )("are a service of CEA-708 as well in %s in %s at %s", async (codec, kind, rate) => {
    await using folder = scratchFolder();
    const video = { codec, max_bframes: 0, closed_captions: { enable_cea708: true } };
    const target = { file_pattern: "out{default_extension}", container: { kind }, video };
    const path = await made(folder.path, await source(folder.path, ["scc"], rate), target);
    expect(await shown(path)).toContain("Hello");
    const stream = join(folder.path, "out.stream");
    const form = codec === "mpeg2" ? ["-f", "mpeg2video"] : ["-bsf:v", "h264_mp4toannexb", "-f", "h264"];
    await make(stream, "-i", path, "-map", "0:v", "-c", "copy", ...form);
    const [num = 0, den = 1] = rate.split("/").map(Number);
    const packetsOf = codec === "mpeg2" ? packetsOfMpeg2 : packetsOfStream;
    const seen = seenOfPackets(packetsOf(readFileSync(stream)));
    const times = seen.map(({ picture, text }) => [Math.round(((picture * den) / num) * 10) / 10, text]);
    expect(times).toEqual([
      [1, "Hello"],
      [2, ""],
      [2.5, "Good bye"],
      [3.5, ""],
    ]);
    if (!mediaInfoPath) return;
    const { stdout } = await run(mediaInfoPath, ["--Output=JSON", path]);
    const tracks: readonly Record<string, string>[] = JSON.parse(stdout).media.track;
    const texts = tracks.filter((track) => track["@type"] === "Text").map(({ Format, ID }) => `${Format} ${ID}`);
    expect(texts).toHaveLength(2);
    expect(texts.join()).toMatch(/EIA-608 .*CC1.*EIA-708 .*1$/);
  });

  test("of two files are in the two fields", async () => {
    await using folder = scratchFolder();
    const video = { codec: "h264", closed_captions: enable };
    const target = { file_pattern: "out.mp4", video };
    const path = await made(folder.path, await source(folder.path, ["scc0", "scc1"]), target);
    if (!mediaInfoPath) return;
    const { stdout } = await run(mediaInfoPath, ["--Output=JSON", path]);
    const tracks: readonly Record<string, string>[] = JSON.parse(stdout).media.track;
    expect(tracks.filter((track) => track["@type"] === "Text").map(({ ID }) => ID)).toEqual(["1-CC1", "1-CC3"]);
  });

  test("are a track of QuickTime's own, and cut with the picture", async () => {
    await using folder = scratchFolder();
    const closed_captions = { enable_quicktime_c608: true };
    const target = { file_pattern: "out.mov", trim: { inpoint_sec: 2 }, video: { codec: "h264", closed_captions } };
    const text = await shown(await made(folder.path, await source(folder.path, ["scc"], "25"), target), true);
    expect(text).not.toContain("Hello");
    expect(text).toContain("Good bye");
    const due = ((cues.find(({ from }) => from >= 2000)?.from ?? 0) - 2000) / 1000;
    expect(Math.abs((moments(text)[0] ?? 0) - due)).toBeLessThan(0.05);
  });

  test("in the source's picture stay there, unless they are suppressed", async () => {
    await using folder = scratchFolder();
    const held = { file_pattern: "held.mp4", video: { codec: "h264", closed_captions: enable } };
    const film = await made(folder.path, await source(folder.path, ["scc"]), held);
    const input = { kind: "asset_url", payload: { url: `file://${film}` } };
    const again = (name: string, closed_captions: object) =>
      made(folder.path, input, { file_pattern: name, video: { codec: "mpeg2", closed_captions } });
    expect(await shown(await again("kept.ts", enable))).toContain("Good bye");
    expect(await shown(await again("lost.ts", { suppress: true }))).toBe("");
  });

  test("that nothing here writes are refused by name, and where there are none, a warning says so", async () => {
    await using folder = scratchFolder();
    const video = (fields: object, codec = "h264") => ({
      file_pattern: "x.mov",
      video: { codec, closed_captions: fields },
    });
    const captioned = await source(folder.path, ["scc"]);
    const at = "transcode.payload.targets[0].video.closed_captions";
    await expect(made(folder.path, captioned, video({ enable_smpte436m: true }))).rejects.toThrow(
      `${at}.enable_smpte436m is not implemented`,
    );
    const both = { enable_smpte436m: true, enable_a53: true };
    const strict = { ...video(both), parameter_compliance: "strict" };
    await expect(made(folder.path, captioned, strict)).rejects.toThrow(`${at}.enable_smpte436m is not implemented`);
    expect(await shown(await made(folder.path, captioned, video(both)))).toContain("Good bye");
    await expect(made(folder.path, captioned, video(enable, "prores"))).rejects.toThrow(
      `${at}: closed captions are embedded in h264 and mpeg2 only, not in prores`,
    );
    await made(folder.path, await source(folder.path, []), video({ enable_smpte436m: true }, "prores"));
  });
});
