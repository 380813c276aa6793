import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { unmetExpectations } from "../../../../media/ffmpeg/verify.ts";
import { first } from "../../../helpers/long.ts";
import { clip, samples, toneOf } from "../../../helpers/media/clips.ts";
import {
  compiled,
  ffmpeg,
  ffmpegPath,
  ffprobePath,
  make,
  perform,
  probe,
  scratchFolder,
} from "../../../helpers/media/media-tools.ts";
import { mediaInfoPath, secondReading } from "../pairs/look.ts";
import { barPlaces, movingBar } from "./bar.ts";
import { readTransport } from "./transport.ts";

const run = promisify(execFile);
const hasTools = ffmpegPath !== undefined && ffprobePath !== undefined;
if (!hasTools) console.warn("Codecs are not tried: there is no ffmpeg or no ffprobe");

/** Makes one target, verifies it as an agent would, and gives its path. */
const made = async (source: string, folder: string, target: object): Promise<string> => {
  const work = await compiled("transcode", { location: { path: folder }, targets: [target] }, source);
  const [path = ""] = await perform(work, source, folder);
  const expected = work.outputs.t0?.expect;
  if (expected) expect(unmetExpectations(expected, await probe(path))).toEqual([]);
  return path;
};

/** The numbers of the frames that are keyframes. */
const keyframes = async (path: string): Promise<number[]> => {
  const argv = [
    "-v",
    "error",
    "-select_streams",
    "v",
    "-show_entries",
    "packet=pts_time,flags",
    "-of",
    "csv=p=0",
    path,
  ];
  const { stdout } = await run(ffprobePath ?? "ffprobe", argv);
  const packets = stdout
    .trim()
    .split("\n")
    .map((line) => line.split(","));
  const sorted = packets.toSorted((a, b) => Number(a[0]) - Number(b[0]));
  return sorted.flatMap(([, flags], frame) => (flags?.startsWith("K") ? [frame] : []));
};

describe.skipIf(!hasTools)("with real encoders", { timeout: 120_000 }, () => {
  const folder = scratchFolder();
  let film = "";

  beforeAll(async () => {
    film = await make(
      join(folder.path, "film.mkv"),
      ...["-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25:duration=4,noise=alls=12:allf=t"],
      ...["-f", "lavfi", "-i", "sine=frequency=440:sample_rate=48000:duration=4"],
      ...["-c:v", "libx264", "-qp", "12", "-preset", "ultrafast", "-pix_fmt", "yuv422p10le", "-c:a", "pcm_s16le"],
    );
  }, 120_000);

  afterAll(() => folder[Symbol.asyncDispose]());

  test("two passes of h265 meet their bit rate within a twentieth", async () => {
    await using out = scratchFolder();
    const video = { codec: "h265", preset: "ultrafast", bitrate_kb: 600 };
    const path = await made(film, out.path, { file_pattern: "out.mp4", nr_of_passes: 2, video });
    const bitRate = (await probe(path)).video[0]?.bitRate ?? 0;
    expect(Math.abs(bitRate / 600_000 - 1)).toBeLessThan(0.05);
  });

  test("4:2:2 of ten bits stays what it is, and becomes what players take where they are many", async () => {
    await using out = scratchFolder();
    const formatOf = async (codec: string, more: object = {}) => {
      const path = await made(film, out.path, { file_pattern: `${codec}.mkv`, video: { codec, ...more } });
      return (await probe(path)).video[0]?.pixelFormat;
    };
    expect(await formatOf("h264", { preset: "ultrafast" })).toBe("yuv420p");
    expect(await formatOf("mpeg2")).toBe("yuv422p");
    expect(await formatOf("prores")).toBe("yuv422p10le");
  });

  test.each(
    first([
      ["h264", "x.mp4"],
      ["h265", "x.mp4"],
      ["mpeg2", "x.mkv"],
      ["vp9", "x.webm"],
      ["av1", "x.mkv"],
    ]),
  )("keyframes of %s stand where they are asked for", async (codec, file_pattern) => {
    await using out = scratchFolder();
    const fast = /^h26/.test(codec) ? { preset: "ultrafast" } : {};
    const video = { codec, ...fast, width: 160, chroma_format: "yuv420p", exact_gop_frames: 20 };
    const path = await made(film, out.path, { file_pattern, video });
    expect(await keyframes(path)).toEqual([0, 20, 40, 60, 80]);
  });

  test("a keyframe is forced at a moment, a frame and a timecode", async () => {
    await using out = scratchFolder();
    const forced_keyframes = { seconds: [0.4], frames: [33], timecodes: ["00:00:02:13"] };
    const video = { codec: "h264", preset: "ultrafast", width: 160, max_gop_frames: 250, use_scene_detection: false };
    const path = await made(film, out.path, { file_pattern: "x.mp4", video: { ...video, forced_keyframes } });
    expect(await keyframes(path)).toEqual([0, 10, 33, 63]);
  });

  test("a transport stream has the numbers, the clock and the rate that a job asks for", async () => {
    await using out = scratchFolder();
    const path = await made(film, out.path, {
      file_pattern: "x.ts",
      container: {
        kind: "mpegts",
        muxrate_kb: 3000,
        transport_id: 77,
        pmt_pid: 480,
        pcr_pid: 500,
        pcr_interval_ms: 25,
      },
      video: {
        codec: "h264",
        preset: "ultrafast",
        bitrate_kb: 1000,
        bitrate_mode: "cbr",
        chroma_format: "yuv420p",
        pid: 500,
      },
      audio: [{ codec: "aac", pid: 501 }],
    });
    const { bytes, pcrGap, id, pmtPid, pcrPid, pids } = readTransport(path);
    expect({ id, pmtPid, pcrPid, pids }).toEqual({ id: 77, pmtPid: 480, pcrPid: 500, pids: [500, 501] });
    expect(pcrGap).toBeLessThan(28);
    expect(Math.abs((bytes * 8) / 4 / 3_000_000 - 1)).toBeLessThan(0.05);
  });

  test("sound is mixed down to one channel and up to six", async () => {
    await using out = scratchFolder();
    const source = await clip(join(out.path, "tones.mkv"), { tones: [[440, 440]] });
    const audio = [
      { codec: "aac", channels: 1, source: [{ track: 0 }] },
      { codec: "ac3", channels: 6, source: [{ track: 0 }] },
    ];
    const path = await made(source, out.path, { file_pattern: "x.mp4", audio });
    expect((await probe(path)).audio.map(({ channels }) => channels)).toEqual([1, 6]);
    const heard = await Promise.all([samples(path, 0, 0), samples(path, 1, 0), samples(path, 1, 1)]);
    expect(heard.map((sound) => toneOf(sound.slice(9600, 43_200)))).toEqual([440, 440, 440]);
  });

  test("a matrix is converted as the standards say", async () => {
    await using out = scratchFolder();
    const tags = ["-color_primaries", "bt709", "-color_trc", "bt709", "-colorspace", "bt709", "-color_range", "tv"];
    const source = join(out.path, "patch.mov");
    const lavfi = "color=black:size=64x64:rate=25:duration=0.2,geq=lum=100:cb=90:cr=200,format=yuv444p";
    await make(source, "-f", "lavfi", "-i", lavfi, "-c:v", "libx264", "-qp", "0", ...tags);
    const video = { codec: "h264", chroma_format: "yuv420p", crf: 1, color_matrix: "bt601" };
    const path = await made(source, out.path, { file_pattern: "x.mov", video });
    expect((await probe(path)).video[0]?.colorSpace).toBe("smpte170m");
    const raw = await ffmpeg(["-v", "error", "-i", path, "-frames:v", "1", "-f", "rawvideo", "-"]);
    const seen = [raw[0] ?? 0, raw[64 * 64] ?? 0, raw[64 * 64 + 32 * 32] ?? 0];
    for (const [at, value] of asBt601([100, 90, 200]).entries())
      expect(Math.abs((seen[at] ?? 0) - value)).toBeLessThan(2);
  });
});

/** A colour of BT.709 as BT.601 has it, by the equations of both. */
const asBt601 = ([y = 0, cb = 0, cr = 0]: readonly number[]): number[] => {
  const [luma, blue, red] = [(y - 16) / 219, (cb - 128) / 224, (cr - 128) / 224];
  const r = luma + 1.5748 * red;
  const b = luma + 1.8556 * blue;
  const g = (luma - 0.2126 * r - 0.0722 * b) / 0.7152;
  const other = 0.299 * r + 0.587 * g + 0.114 * b;
  return [16 + 219 * other, 128 + (224 * (b - other)) / 1.772, 128 + (224 * (r - other)) / 1.402];
};

describe.skipIf(!hasTools)("fields of an interlaced picture", { timeout: 120_000 }, () => {
  const folder = scratchFolder();
  const sources = { tff: "", bff: "", progressive: "" };

  beforeAll(async () => {
    sources.tff = await movingBar(folder.path, "tff");
    sources.bff = await movingBar(folder.path, "bff");
    sources.progressive = await movingBar(folder.path);
  }, 120_000);
  afterAll(() => folder[Symbol.asyncDispose]());

  test.each(
    first([
      ["tff", "tff", { codec: "mpeg2" }, "x.mxf"],
      ["tff", "bff", { codec: "mpeg2" }, "x.mkv"],
      ["bff", "tff", { codec: "h264", preset: "ultrafast" }, "x.mkv"],
      ["bff", "bff", { codec: "h264", preset: "ultrafast", chroma_format: "yuv420p" }, "x.mov"],
      ["tff", "tff", { codec: "prores" }, "x.mov"],
      ["tff", "bff", { codec: "dv50" }, "x.mov"],
      ["bff", "bff", { codec: "mpeg4" }, "x.avi"],
      ["progressive", "tff", { codec: "prores", frame_rate: 25 }, "x.mov"],
      ["progressive", "bff", { codec: "mpeg2", frame_rate: 25 }, "x.mkv"],
    ] as const),
  )("of a %s source come out as %s: %j in %s", async (from, to, more, file_pattern) => {
    await using out = scratchFolder();
    const wish = more.codec === "dv50" ? {} : { interlace_mode: to };
    const path = await made(sources[from], out.path, { file_pattern, video: { ...more, ...wish } });
    const places = (await barPlaces(path)).slice(2, 20);
    const earlier = places.map(({ top, bottom }) => (to === "tff" ? top : bottom));
    const later = places.map(({ top, bottom }) => (to === "tff" ? bottom : top));
    // Eight points from field to field, sixteen from frame to frame.
    for (const [at, place] of earlier.entries()) {
      expect(Math.abs((later[at] ?? 0) - place - 8)).toBeLessThan(2.5);
      if (at > 0) expect(Math.abs(place - (earlier[at - 1] ?? 0) - 16)).toBeLessThan(2.5);
    }
    if (!mediaInfoPath) return;
    const { ScanType = "", ScanOrder } = (await secondReading(path, "Video")) ?? {};
    expect([ScanType, ScanOrder]).toEqual([
      expect.stringMatching(/^(Interlaced|MBAFF)$/),
      to === "tff" ? "TFF" : "BFF",
    ]);
  });

  test.each(
    first([
      ["as many pictures", {}, 25, 16],
      ["twice as many pictures", { frame_rate: 50 }, 50, 8],
    ]),
  )("become %s", async (_name, more, count, distance) => {
    await using out = scratchFolder();
    const video = { codec: "h264", preset: "ultrafast", interlace_mode: "progressive", ...more };
    const path = await made(sources.tff, out.path, { file_pattern: "x.mov", video });
    const places = await barPlaces(path);
    expect(places).toHaveLength(count);
    const steps = places.slice(3, 20).map(({ top }, at) => top - (places[at + 2]?.top ?? 0));
    for (const each of steps) expect(Math.abs(each - distance)).toBeLessThan(2.5);
  });
});
