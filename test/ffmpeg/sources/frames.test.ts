import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { constantRate } from "../../../media/formats/stream-timing.ts";
import { add, ratio } from "../../../shared/basics/rational.ts";
import { first } from "../../helpers/long.ts";
import { mediaNode } from "../../helpers/media/media-job.ts";
import {
  fastH264,
  ffmpegPath,
  ffprobePath,
  listed,
  make,
  probe,
  scratchFolder,
} from "../../helpers/media/media-tools.ts";
import { framesOf } from "./exactness/measure.ts";

const hasTools = ffmpegPath !== undefined && ffprobePath !== undefined;
if (!hasTools) console.warn("Media tests are skipped: there is no ffmpeg or no ffprobe");

const source = (seconds: number, rate: string) => `testsrc2=size=128x72:rate=${rate}:duration=${seconds}`;
const film = (path: string, seconds: number, rate: string, ...codec: readonly string[]) =>
  make(path, "-f", "lavfi", "-i", source(seconds, rate), ...codec);
const x264 = (...params: readonly string[]) => [
  ...fastH264(),
  ...["-x264-params", ["scenecut=0", ...params].join(":")],
];
const phone = "settb=1/90000,select='not(between(mod(n,40),20,39)*mod(n,2))',setpts='PTS+0.003*mod(N,3)/TB'";
/** Frames at times of their own; a container that promises a rate promises none, for it is not told of any. */
const varying = ["-vf", phone, "-fps_mode", "passthrough"];
/** The same, but Matroska is told of 30 frames a second, and promises them. */
const promised = (path: string, seconds: number, ...codec: readonly string[]) =>
  make(path, "-f", "lavfi", "-i", `${source(seconds, "30")},${phone}`, "-fps_mode", "passthrough", ...codec);

const groups = async (path: string) => (await listed(path, { stream: 0, zero: ratio(0), at: [] })).groups;

describe.skipIf(!hasTools)("a listing of frames", { timeout: 60_000 }, () => {
  test.each(
    first([
      [
        "closed groups of 12 with B-frames",
        "mp4",
        x264("keyint=12", "bframes=2", "open-gop=0"),
        [3, 12, 12, true, true],
      ],
      ["open groups", "ts", x264("keyint=12", "bframes=2", "open-gop=1"), [3, 12, 12, false, true]],
      ["groups without B-frames", "mkv", x264("keyint=10", "bframes=0"), [3, 10, 10, true, false]],
      ["one group", "mp4", x264("keyint=250"), [1, undefined, undefined, true, false]],
      ["nothing but keyframes", "mov", ["-c:v", "prores"], [30, 1, 1, true, false]],
      ["open groups of MPEG-2", "mxf", ["-c:v", "mpeg2video", "-bf", "2", "-g", "15"], [3, 14, 15, false, true]],
    ] as const),
  )("finds %s", async (_name, container, codec, [keyframes, shortest, longest, isClosed, hasBFrames]) => {
    await using folder = scratchFolder();
    const path = await film(join(folder.path, `in.${container}`), 1.2, "25", ...codec);
    const found = await groups(path);
    const told = { keyframes, isClosed, hasBFrames, ...(shortest && { shortest, longest }) };
    expect(found).toEqual(told);
  });

  test.each(first(["mp4", "mkv", "ts"]))(
    "tells when frames of a varying rate are shown in %s, from any beginning",
    async (container) => {
      await using folder = scratchFolder();
      const path = await film(join(folder.path, `in.${container}`), 4, "30", ...varying, ...x264("bframes=2"));
      const all = await framesOf(path);
      const [first] = all;
      const start = (await probe(path)).video[0]?.start ?? ratio(0);
      const zero = add(start, ratio(Math.round(((all[10]?.time ?? 0) - (all[0]?.time ?? 0)) * 90_000), 90_000));
      const found = await listed(path, { stream: 0, zero, at: [0, 1, 25, all.length - 10, 5000] });
      expect(found.frames).toBe(all.length - 10);
      const due = [10, 11, 35].map((frame) => (all[frame]?.time ?? 0) - (all[10]?.time ?? 0));
      const times = found.times.map(([, { num, den }]) => num / den);
      expect(times.slice(0, 3).map((time) => time.toFixed(3))).toEqual(due.map((time) => time.toFixed(3)));
      // Behind the last frame there is the end, however far behind.
      expect([times[3] === times[4], (times[3] ?? 0) > (all.at(-1)?.time ?? 0) - (all[10]?.time ?? 0)]).toEqual([
        true,
        true,
      ]);
      expect(first).toBeDefined();
    },
  );
});

describe.skipIf(!hasTools)("a rate in Matroska", { timeout: 60_000 }, () => {
  const read = async (path: string) => {
    const [video] = (await probe(path)).video;
    const found = video && constantRate(video);
    const average = video?.averageFrameRate ? video.averageFrameRate.num / video.averageFrameRate.den : 0;
    return found ? `${found.num}/${found.den}` : `varying, ${Math.round(average)}`;
  };

  test.each(first(["24000/1001", "25/1", "30000/1001", "60000/1001"]))(
    "of %s is what its frames show",
    async (rate) => {
      await using folder = scratchFolder();
      expect(await read(await film(join(folder.path, "in.mkv"), 30, rate, ...x264("bframes=2")))).toBe(rate);
    },
  );

  test("that varies is seen, whatever the header promises, at the beginning or only later", async () => {
    await using folder = scratchFolder();
    const [told, silent, late] = ["a.mkv", "b.mkv", "c.mkv"].map((name) => join(folder.path, name));
    await promised(told ?? "", 10, ...x264("bframes=2"));
    await film(silent ?? "", 10, "30", ...varying, ...x264("bframes=2"));
    // Half a minute as promised, then every other frame is gone.
    const half = `${source(60, "30")},select='lt(n,900)+not(mod(n,2))'`;
    await make(late ?? "", "-f", "lavfi", "-i", half, "-fps_mode", "passthrough", ...x264());
    expect(await Promise.all([told, silent, late].map((path) => read(path ?? "")))).toEqual([
      "varying, 23",
      "varying, 23",
      "varying, 23",
    ]);
  });
});

describe.skipIf(!hasTools)("a trim by the frames of a varying rate", { timeout: 60_000 }, () => {
  test("is exact in the source, the pipeline and the target, each counting from the one before", async () => {
    await using folder = scratchFolder();
    const path = await film(join(folder.path, "in.mp4"), 6, "30", ...varying, ...x264("bframes=2"));
    const all = (await framesOf(path)).map(({ hash }) => hash);
    const node = mediaNode(folder.path);
    const assets = await node.assets({ kind: "asset_url", payload: { url: path, trim: { inpoint_frame: 11 } } });
    const target = (name: string, trim: object) => ({ file_pattern: name, video: { codec: "raw" }, trim });
    const payload = {
      location: { path: join(folder.path, "out") },
      source_pipeline: { trim: { inpoint_frame: 5, outpoint_frame: 100 } },
      targets: [
        target("a.nut", { inpoint_frame: 3, duration_frames: 20 }),
        target("b.nut", { inpoint_frame: 40, outpoint_frame: 2000 }),
      ],
    };
    const { paths } = await node.perform(await node.work(payload, assets));
    const made = await Promise.all(paths.map(async (each) => (await framesOf(each)).map(({ hash }) => hash)));
    expect(made).toEqual([all.slice(19, 39), all.slice(56, 111)]);
  });

  test("that begins behind the last frame is refused, and so is a count of frames from a time", async () => {
    await using folder = scratchFolder();
    const path = await film(join(folder.path, "in.mp4"), 2, "30", ...varying, ...x264());
    const node = mediaNode(folder.path);
    const assets = (trim: object) => node.assets({ kind: "asset_url", payload: { url: path, trim } });
    await expect(assets({ inpoint_frame: 500 })).rejects.toThrow(
      /^source\.payload\.payload\.trim begins at .* s, its source ends at/,
    );
    await expect(assets({ inpoint_sec: 1, duration_frames: 5 })).rejects.toThrow(
      "source.payload.payload.trim.duration_frames 5: the rate varies: frames are counted from inpoint_frame only",
    );
  });
});
