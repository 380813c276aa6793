import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ffprobeEnv } from "../../../agent/tools/find-tools.ts";
import { zeroOf } from "../../../media/formats/stream-timing.ts";
import { parseSpliceTime } from "../../../media/splices/splice-info.ts";
import { toNumber } from "../../../shared/basics/rational.ts";
import { mediaNode } from "../../helpers/media/media-job.ts";
import { ffmpegPath, ffprobePath, make, probe, scratchFolder } from "../../helpers/media/media-tools.ts";

const hasTools = ffmpegPath !== undefined && ffprobePath !== undefined;
if (!hasTools) console.warn("SCTE-35 is not tried: there is no ffmpeg or no ffprobe");

const mediaInfo = ["/usr/bin/mediainfo"].find((path) => existsSync(path));
if (!mediaInfo) console.warn("No second reader looks for SCTE-35: there is no mediainfo");

const insert = (ptsTime: number, outOfNetworkIndicator: boolean) => ({
  insertTime: Math.max(0, ptsTime - 90_000),
  spliceInfoSection: {
    spliceInsert: { spliceEventId: 7, outOfNetworkIndicator, program: { spliceTime: { ptsTime } } },
  },
});
/** Out after 1.2 seconds, back after 2. */
const sections = [insert(108_000, true), insert(180_000, false)];

/** The sections as ffmpeg reads them: one long row of bytes. */
const sectionsIn = (path: string): Buffer[] => {
  const bytes = readFileSync(path);
  const found: Buffer[] = [];
  for (let at = 0; at + 3 <= bytes.length; ) {
    const length = 3 + (bytes.readUInt16BE(at + 1) & 0x0fff);
    found.push(bytes.subarray(at, at + length));
    at += length;
  }
  return found;
};

describe.skipIf(!hasTools)("SCTE-35", { timeout: 120_000 }, () => {
  test("is written from a job's list and from a file, and passes from stream to stream", async () => {
    await using folder = scratchFolder();
    const film = ["-f", "lavfi", "-i", "testsrc2=size=160x90:rate=25:duration=3", "-pix_fmt", "yuv420p"];
    const path = await make(join(folder.path, "in.mp4"), ...film);
    const node = mediaNode(folder.path);
    const list = join(folder.path, "points.json");
    writeFileSync(list, JSON.stringify({ scte35_sections: sections }));
    const target = (name: string, scte35: object, more: object = {}) => ({
      ...{ file_pattern: name, container: { kind: "mpegts", scte35, ...more }, video: { codec: "h264" } },
    });
    const made = async (url: string, ...targets: object[]): Promise<string[]> => {
      const assets = await node.assets({ kind: "asset_url", payload: { url: `file://${url}` } });
      const work = await node.work({ location: { path: join(folder.path, "out") }, targets }, assets);
      return (await node.perform(work)).paths;
    };
    const [listed = "", constant = "", filed = "", keysOnly = ""] = await made(
      path,
      target("listed.ts", { scte35_in_json: { scte35_sections: sections } }),
      target("constant.ts", { scte35_sections: sections }, { muxrate_kb: 2000 }),
      target("filed.ts", { scte35_in_sidecar: { splicepoint_file: { url: `file://${list}` } } }),
      target("keys.mp4", { scte35_sections: sections, write_scte35_packets: false }, { kind: "mp4" }),
    );
    const [again = "", cut = ""] = await made(listed, target("again.ts", { use_source_media: "required" }), {
      ...target("cut.ts", { use_source_media: "required" }),
      trim: { inpoint_sec: 1 },
    });
    const timesIn = async (file: string) => {
      const raw = await make(`${file}.bin`, "-i", file, "-map", "0:d", "-c", "copy", "-f", "data");
      const zero = Math.round(toNumber(zeroOf(await probe(file))) * 90_000);
      return sectionsIn(raw).map((section) => ((parseSpliceTime(section) ?? 0) - zero) / 90_000);
    };
    const keysOf = (file: string) => {
      const words = ["-v", "error", "-select_streams", "v", "-show_entries", "packet=pts_time,flags"];
      const text = execFileSync(ffprobePath ?? "", [...words, "-of", "csv=p=0", file], {
        encoding: "utf8",
        env: ffprobeEnv,
      });
      const [zero = 0, ...keys] = text.split("\n").flatMap((line) => (/,K/.test(line) ? Number.parseFloat(line) : []));
      return keys.map((key) => Math.round((key - zero) * 1000) / 1000);
    };
    for (const file of [listed, constant, filed, again]) {
      expect([file, await timesIn(file), keysOf(file)]).toEqual([file, [1.2, 2], [1.2, 2]]);
    }
    expect([await timesIn(cut), keysOf(cut)]).toEqual([
      [0.2, 1],
      [0.2, 1],
    ]);
    expect(keysOf(keysOnly)).toEqual([1.2, 2]);
    expect((await probe(again)).others).toMatchObject([{ codec: "scte_35", id: 500, kind: "data" }]);
    if (mediaInfo)
      expect(execFileSync(mediaInfo, ["--Details=1", again], { encoding: "utf8" })).toMatch(/splice_event_id: +7 /);
  });

  test("is told by playlists, and segments begin at splices", async () => {
    await using folder = scratchFolder();
    const { made } = await streamed(folder.path, [{ kind: "hls", segment_duration_sec: 1.6 }]);
    const text = readFileSync(join(made[0] ?? "", "x.m3u8"), "utf8");
    const lines = text.split("\n");
    const isOf = (...words: string[]) => lines.filter((line) => words.some((word) => line.startsWith(word)));
    expect(isOf("#EXTINF", "#EXT-X-CUE", "x_")).toEqual([
      ...["#EXTINF:1.200000,", "x_00000.ts"],
      ...["#EXT-X-CUE-OUT:0.8", "#EXTINF:0.400000,", "x_00000_1.ts"],
      ...["#EXTINF:0.400000,", "x_00001.ts"],
      ...["#EXT-X-CUE-IN", "#EXTINF:1.000000,", "x_00001_1.ts"],
    ]);
    const [range = "", second] = isOf("#EXT-X-DATERANGE");
    expect(second).toBeUndefined();
    expect(range).toMatch(
      /^#EXT-X-DATERANGE:ID="splice-7",START-DATE="1970-01-01T00:00:01\.200Z",DURATION=0\.8,SCTE35-OUT=0xFC[0-9A-F]+,SCTE35-IN=0xFC[0-9A-F]+$/,
    );
    // The bytes count by the clock of the segments.
    const first = join(made[0] ?? "", "x_00000.ts");
    const zero = Math.round(toNumber(zeroOf(await probe(first))) * 90_000);
    const [, out = ""] = /SCTE35-OUT=0x([0-9A-F]+)/.exec(range) ?? [];
    expect(parseSpliceTime(Buffer.from(out, "hex"))).toBe(zero + 108_000);
    // Every picture is there once, and each segment begins with a key frame that needs no other.
    const names = isOf("x_");
    const counts = names.map((name) => framesOf(join(made[0] ?? "", name)));
    expect(counts).toEqual([30, 10, 10, 25]);
    expect(framesOf(join(made[0] ?? "", "x.m3u8"))).toBe(75);
  });

  test("is in numbered segments, which begin at splices, and among the events of DASH", async () => {
    await using folder = scratchFolder();
    const kinds = [
      { kind: "segmented_ts", segment_duration_sec: 1.6 },
      { kind: "dash-mp4", segment_duration_sec: 1.6 },
    ];
    const { made, work } = await streamed(folder.path, kinds);
    expect(work.steps.filter(({ do: what }) => what === "insert_splices")).toHaveLength(2);
    const [numbered = "", dash = ""] = made;
    const files = readdirSync(numbered).sort();
    expect(files.map((name) => framesOf(join(numbered, name)))).toEqual([30, 10, 10, 25]);
    const whole = join(folder.path, "whole.ts");
    writeFileSync(whole, Buffer.concat(files.map((name) => readFileSync(join(numbered, name)))));
    const raw = await make(join(folder.path, "sections.bin"), "-i", whole, "-map", "0:d", "-c", "copy", "-f", "data");
    const zero = Math.round(toNumber(zeroOf(await probe(whole))) * 90_000);
    expect(sectionsIn(raw).map((section) => (parseSpliceTime(section) ?? 0) - zero)).toEqual([108_000, 180_000]);
    const manifest = readFileSync(join(dash, "x.mpd"), "utf8");
    const events = [
      ...manifest.matchAll(/<Event presentationTime="(\d+)"(?: duration="(\d+)")? id="(\d)">.*?Binary>([^<]+)/g),
    ];
    expect(events.map(([, at, lasts, id]) => [at, lasts, id])).toEqual([
      ["108000", "72000", "1"],
      ["180000", undefined, "2"],
    ]);
    expect(events.map(([, , , , bytes = ""]) => parseSpliceTime(Buffer.from(bytes, "base64")))).toEqual([
      108_000, 180_000,
    ]);
    expect(manifest.indexOf("<EventStream")).toBeLessThan(manifest.indexOf("<AdaptationSet"));
  });
});

const framesOf = (path: string): number => {
  const words = ["-v", "error", "-select_streams", "v", "-count_frames", "-show_entries", "stream=nb_read_frames"];
  const text = execFileSync(ffprobePath ?? "", [...words, "-of", "csv=p=0", path], {
    encoding: "utf8",
    env: ffprobeEnv,
  });
  return Number.parseInt(text, 10);
};

/** Three seconds in these containers, with the sections of the list; the folder that each one fills. */
const streamed = async (folder: string, containers: readonly object[]) => {
  const film = ["-f", "lavfi", "-i", "testsrc2=size=160x90:rate=25:duration=3"];
  const sound = ["-f", "lavfi", "-i", "sine=frequency=440:duration=3"];
  const path = await make(join(folder, "in.mp4"), ...film, ...sound, "-pix_fmt", "yuv420p", "-c:a", "aac");
  const node = mediaNode(folder);
  const assets = await node.assets({ kind: "asset_url", payload: { url: `file://${path}` } });
  const endings: Readonly<Record<string, string>> = { hls: "x.m3u8", segmented_ts: "x_%03d.ts", "dash-mp4": "x.mpd" };
  const targets = containers.map((container, index) => {
    const kind = String(Reflect.get(container, "kind"));
    return {
      ...{ file_pattern: endings[kind], location: { path: join(folder, `out${index}`) } },
      container: { ...container, scte35: { scte35_sections: sections } },
      ...{ video: { codec: "h264" }, audio: [{ codec: "aac" }] },
    };
  });
  const work = await node.work({ location: { path: join(folder, "out") }, targets }, assets);
  await node.perform(work);
  return { made: targets.map(({ location }) => location.path), work };
};
