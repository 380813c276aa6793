import { execFile } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { forms, parseSubtitles } from "../../../media/subtitles/index.ts";
import type { FormName } from "../../../shared/work/subtitle-forms.ts";
import { first } from "../../helpers/long.ts";
import { mediaNode } from "../../helpers/media/media-job.ts";
import { ffmpeg, ffmpegPath, ffprobePath, make, scratchFolder } from "../../helpers/media/media-tools.ts";
import { mediaInfoPath } from "../targets/pairs/look.ts";

const run = promisify(execFile);
const hasTools = ffmpegPath !== undefined && ffprobePath !== undefined;
if (!hasTools) console.warn("Subtitles are not tried: there is no ffmpeg or no ffprobe");

const cues = [
  { from: 1000, to: 2000, lines: [[{ text: "Guten Tag" }]] },
  { from: 2500, to: 3500, lines: [[{ text: "Two " }, { text: "lines", italic: true as const }], [{ text: "here" }]] },
];

/** A film of four seconds with files of subtitles beside it, by language. */
const source = async (folder: string, texts: Readonly<Record<string, FormName>>, trim?: object) => {
  const film = "testsrc2=size=160x90:rate=25:duration=4";
  await make(join(folder, "in.mkv"), "-f", "lavfi", "-i", film, "-pix_fmt", "yuv420p", "-c:v", "libx264");
  const files = Object.entries(texts).map(([language, form]) => {
    const name = `${language}.${forms[form].extensions[0]}`;
    writeFileSync(join(folder, name), forms[form].print(cues, { language }));
    const contents = [{ kind: "subtitle", payload: { format: "auto", language } }];
    return { kind: "name", name, location: { path: folder }, contents };
  });
  const components = [{ kind: "name", name: "in.mkv", location: { path: folder }, ...(trim && { trim }) }, ...files];
  return { kind: "asset_complex", payload: { kind: "sequence", asset_versions: [{ asset_components: components }] } };
};

/** Makes the targets of these and gives their paths. */
const made = async (folder: string, payload: object, ...targets: object[]): Promise<string[]> => {
  const node = mediaNode(folder);
  const work = await node.work({ location: { path: join(folder, "out") }, targets }, await node.assets(payload));
  return (await node.perform(work)).paths;
};

type Packet = { readonly pts_time: string; readonly duration_time: string; readonly size: string };
type Probed = {
  readonly streams: readonly { readonly codec_name: string; readonly tags?: Readonly<Record<string, string>> }[];
  readonly packets: readonly Packet[];
};

const tracksOf = async (path: string): Promise<Probed> => {
  const entries = "stream=codec_name:stream_tags=language,title:packet=pts_time,duration_time,size";
  const argv = ["-v", "error", "-select_streams", "s:0", "-show_entries", entries, "-of", "json", path];
  return JSON.parse((await run(ffprobePath ?? "ffprobe", argv, { env: { GCONV_PATH: "/nonexistent" } })).stdout);
};

const timesOf = ({ packets }: Probed): number[][] =>
  packets
    .filter(({ size }) => Number(size) > 2) // MP4 fills gaps with empty texts
    .map(({ pts_time, duration_time }) => [Number(pts_time), Number(pts_time) + Number(duration_time)]);

describe.skipIf(!hasTools)("subtitles", { timeout: 60_000 }, () => {
  test.each(first(["webvtt", "srt", "ttml", "imsc1", "ass", "scc"] as const))("become a file of %s", async (form) => {
    await using folder = scratchFolder();
    const subtitle = [{ format: form, language: "de" }];
    const target = { file_pattern: "out{default_extension}", container: { kind: form }, subtitle };
    const [path = ""] = await made(folder.path, await source(folder.path, { deu: "ttml" }), target);
    const found = parseSubtitles(readFileSync(path, "utf8"));
    expect(found.map(({ lines }) => lines.map((line) => line.map(({ text }) => text).join("")))).toEqual([
      ["Guten Tag"],
      ["Two lines", "here"],
    ]);
    // ffmpeg reads no TTML, and stamps captions when they begin to be sent.
    if (/ttml|imsc1|scc/.test(form)) return;
    const times = timesOf(await tracksOf(path));
    expect(Math.abs((times[0]?.[0] ?? 0) - 1)).toBeLessThan(0.1);
  });

  test.each(
    first([
      ["mp4", "mov_text", undefined],
      ["mov", "mov_text", undefined],
      ["mkv", "subrip", undefined],
      ["mkv", "ass", "ass"],
      ["webm", "webvtt", "webvtt"],
    ]),
  )("become a track of %s as %s", async (kind, codec, format) => {
    await using folder = scratchFolder();
    const payload = await source(folder.path, { eng: "srt", deu: "webvtt" });
    const subtitle = [{ language: "german", track_name: "Deutsch", ...(format && { format }) }, { language: "en" }];
    const video = { codec: kind === "webm" ? "vp8" : "h264" };
    const target = { file_pattern: `out.${kind}`, container: { kind }, video, subtitle };
    const [path = ""] = await made(folder.path, payload, target);
    const { streams, ...rest } = await tracksOf(path);
    expect(streams.map(({ codec_name, tags }) => [codec_name, tags?.language])).toEqual([
      [codec, kind === "mov" ? "ger" : "deu"],
    ]);
    expect(timesOf({ streams, ...rest })).toEqual([
      [1, 2],
      [2.5, 3.5],
    ]);
    if (!mediaInfoPath) return;
    const { stdout } = await run(mediaInfoPath, ["--Output=JSON", path]);
    const tracks: readonly Record<string, string>[] = JSON.parse(stdout).media.track;
    expect(tracks.filter((track) => track["@type"] === "Text").map(({ Language }) => Language)).toEqual(["de", "en"]);
  });

  test("of a track in the source are taken out, cut with the picture and counted from there", async () => {
    await using folder = scratchFolder();
    const payload = await source(folder.path, { eng: "srt" });
    const held = { file_pattern: "held.mkv", container: { kind: "mkv" }, video: { codec: "h264" }, subtitle: [{}] };
    const [film = ""] = await made(folder.path, payload, held);
    const trim = { inpoint_sec: 1.6, outpoint_sec: 3.2 };
    const [path = ""] = await made(
      folder.path,
      { kind: "asset_url", payload: { url: `file://${film}` } },
      { file_pattern: "cut.vtt", trim, container: { kind: "webvtt" }, subtitle: [{}] },
    );
    expect(parseSubtitles(readFileSync(path, "utf8")).map(({ from, to }) => [from, to])).toEqual([
      [0, 400],
      [900, 1600],
    ]);
  });

  test("are cut into segments with a playlist that plays them", async () => {
    await using folder = scratchFolder();
    const target = { file_pattern: "texts.m3u8", container: { kind: "hls_subtitle", segment_duration_sec: 1.5 } };
    const [path = ""] = await made(folder.path, await source(folder.path, { eng: "srt" }), target);
    expect(readdirSync(join(path, "..")).sort()).toEqual([
      ...["texts.m3u8", "texts_00000.vtt", "texts_00001.vtt", "texts_00002.vtt"],
    ]);
    const playlist = readFileSync(path, "utf8");
    expect(playlist.match(/#EXTINF:[\d.]+/g)).toEqual(["#EXTINF:1.500", "#EXTINF:1.500", "#EXTINF:1.000"]);
    const second = parseSubtitles(readFileSync(join(path, "../texts_00001.vtt"), "utf8"));
    expect(second.map(({ from, to }) => [from, to])).toEqual([
      [1000, 2000],
      [2500, 3500],
    ]);
  });

  test("alone are converted without any media", async () => {
    await using folder = scratchFolder();
    writeFileSync(join(folder.path, "in.ttml"), forms.ttml.print(cues, {}));
    const contents = [{ kind: "subtitle", payload: { format: "ttml" } }];
    const alone = { kind: "asset_url", payload: { url: `file://${join(folder.path, "in.ttml")}`, contents } };
    const target = { file_pattern: "{source_basename}.scc", container: { kind: "scc" }, subtitle: [{ format: "scc" }] };
    const [path = ""] = await made(folder.path, alone, target);
    const seen = await ffmpeg(["-v", "error", "-i", path, "-f", "srt", "-"]);
    expect(seen.toString()).toContain("Guten Tag");
    // The code of italics is a space.
    expect(seen.toString().replaceAll(/<\/?i>/g, "")).toMatch(/Two lines\r?\n(\\h)*here/);
  });

  test("that need not be there are left out, or empty", async () => {
    await using folder = scratchFolder();
    const payload = await source(folder.path, {});
    const paths = await made(
      folder.path,
      payload,
      { file_pattern: "empty.vtt", container: { kind: "webvtt" }, subtitle: [{ source_map: "source_or_empty" }] },
      { file_pattern: "none.vtt", container: { kind: "webvtt" }, subtitle: [{ source_map: "use_if_exists" }] },
    );
    expect(paths.map((path) => readFileSync(path, "utf8"))).toEqual(["WEBVTT\n"]);
    const needed = { file_pattern: "x.vtt", container: { kind: "webvtt" }, subtitle: [{ language: "eng" }] };
    await expect(made(folder.path, payload, needed)).rejects.toThrow(
      'targets[0].subtitle[0]: the source has no subtitles in eng; source_map "use_if_exists" makes the file without them',
    );
  });
});
