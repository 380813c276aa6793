import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { share } from "../../helpers/long.ts";
import { samples } from "../../helpers/media/clips.ts";
import { mediaNode } from "../../helpers/media/media-job.ts";
import { fastH264, ffmpegPath, ffprobePath, make, scratchFolder } from "../../helpers/media/media-tools.ts";
import { framesOf } from "./exactness/measure.ts";

const hasTools = ffmpegPath !== undefined && ffprobePath !== undefined;
if (!hasTools) console.warn("Media tests are skipped: there is no ffmpeg or no ffprobe");

const film = (seconds: number, rate = "25") => [
  ...["-f", "lavfi", "-i", `testsrc2=size=128x72:rate=${rate}:duration=${seconds}`],
  ...["-f", "lavfi", "-i", `anoisesrc=sample_rate=48000:duration=${seconds}:seed=5`],
];
const h264 = [...fastH264({ group: 12, between: 2 }), "-c:a", "pcm_s16le"];

/** Files whose name says what they have: ten seconds each, but the one that drops numbers. */
const files = {
  "clock.mov": (path: string) => make(path, ...film(10), ...h264, "-timecode", "01:00:00:00"),
  "midnight.mov": (path: string) => make(path, ...film(10), ...h264, "-timecode", "23:59:56:00"),
  "drop.mov": (path: string) => make(path, ...film(6, "30000/1001"), ...h264, "-timecode", "00:00:58;00"),
  "package.mxf": (path: string) =>
    make(path, ...film(10), "-c:v", "mpeg2video", "-bf", "2", "-c:a", "pcm_s16le", "-timecode", "02:00:00:00"),
  "gop.mpg": (path: string) =>
    make(path, ...film(10), "-map", "0:v", "-c:v", "mpeg2video", "-gop_timecode", "03:00:00:00"),
  "reels.mkv": async (path: string) => {
    const ends = [0, 3, 5, 10];
    const chapters = [0, 1, 2].map((n) => `[CHAPTER]\nTIMEBASE=1/1\nSTART=${ends[n]}\nEND=${ends[n + 1]}\n`);
    writeFileSync(`${path}.txt`, [";FFMETADATA1", ...chapters].join("\n"));
    await make(path, ...film(10), "-f", "ffmetadata", "-i", `${path}.txt`, "-map_chapters", "2", ...h264);
  },
  "early.mov": async (path: string) => {
    await make(`${path}.mov`, ...film(10), ...h264);
    const inputs = ["-itsoffset", "0.4", "-i", `${path}.mov`, "-i", `${path}.mov`];
    await make(path, ...inputs, "-map", "0:v", "-map", "1:a", "-c", "copy");
  },
} as const;

type Wish = readonly [trim: object, first: number, end: number, file?: keyof typeof files];

const wishes: Readonly<Record<string, Wish>> = {
  seconds: [{ inpoint_sec: 2.2, outpoint_sec: 4 }, 55, 100],
  "seconds as text": [{ inpoint_sec: "2.2", outpoint_sec: "4" }, 55, 100],
  "seconds between frames, which mean the nearest": [{ inpoint_sec: 2.21, outpoint_sec: 3.995 }, 55, 100],
  "a beginning and a length in seconds": [{ inpoint_sec: 1, duration_sec: 2 }, 25, 75],
  "a length alone": [{ duration_sec: 2 }, 0, 50],
  "an end and a length, of which the end counts": [{ inpoint_sec: 1, outpoint_sec: 3, duration_sec: 5 }, 25, 75],
  "seconds of the source's own clock": [
    { inpoint_sec: 3602, outpoint_sec: 3604.4, sequence_timing: "absolute" },
    ...([50, 110] as const),
  ],
  "timecode from the start": [{ inpoint_tc: "00:00:02:05", outpoint_tc: "00:00:04:00" }, 55, 100],
  "timecode and a length of timecode": [{ inpoint_tc: "00:00:02:05", duration_tc: "00:00:01:20" }, 55, 100],
  "the source's own timecode": [{ inpoint_asset_tc: "01:00:02:05", outpoint_asset_tc: "01:00:04:00" }, 55, 100],
  "timecode over midnight": [
    { inpoint_asset_tc: "23:59:58:00", outpoint_asset_tc: "00:00:01:00" },
    ...([50, 125, "midnight.mov"] as const),
  ],
  "timecode that drops numbers": [
    { inpoint_asset_tc: "00:00:59;28", outpoint_asset_tc: "00:01:00;04" },
    ...([58, 62, "drop.mov"] as const),
  ],
  "timecode of a package": [
    { inpoint_asset_tc: "02:00:01:00", outpoint_asset_tc: "02:00:02:10", source_timecode_selector: "material_package" },
    ...([25, 60, "package.mxf"] as const),
  ],
  "timecode of the groups": [
    { inpoint_asset_tc: "03:00:01:00", outpoint_asset_tc: "03:00:02:10", source_timecode_selector: "gop" },
    ...([25, 60, "gop.mpg"] as const),
  ],
  frames: [{ inpoint_frame: 55, outpoint_frame: 100 }, 55, 100],
  "a frame and a number of frames": [{ inpoint_frame: 55, duration_frames: 45 }, 55, 100],
  "one section": [{ section_nr: 1 }, 75, 125, "reels.mkv"],
  "sections from and to": [{ inpoint_section: 1, outpoint_section: 2 }, 75, 125, "reels.mkv"],
  "where the picture begins": [{ inpoint: "track_begin", reference_media_track: "video" }, 0, 250, "early.mov"],
  "where the picture ends": [
    { inpoint_sec: 4, outpoint: "track_end", reference_media_track: "video" },
    90,
    250,
    "early.mov",
  ],
  nothing: [{}, 0, 250],
  "the name of its variant": [{ by_sec_in_out: { inpoint_sec: 2.2, outpoint_sec: 4 } }, 55, 100],
};

const url = (path: string, more: object = {}) => ({ kind: "asset_url", payload: { url: path, ...more } });
const hashesOf = async (path: string) => (await framesOf(path)).map(({ hash }) => hash);

const made = async (folder: string, source: object, target: object = {}, pipeline: object = {}) => {
  const node = mediaNode(folder);
  const raw = { file_pattern: "out.nut", existing_files: "replace", video: { codec: "raw" } };
  const payload = { location: { path: join(folder, "out") }, targets: [{ ...raw, ...target }], ...pipeline };
  const { paths } = await node.perform(await node.work(payload, await node.assets(source)));
  return paths[0] ?? "";
};

describe.skipIf(!hasTools)("a trim by", { timeout: 60_000 }, () => {
  test.each(share(Object.entries(wishes), (_, at) => at % 6 === 0))(
    "%s has the very frames",
    async (_name, [trim, first, end, file = "clock.mov"]) => {
      await using folder = scratchFolder();
      const path = join(folder.path, file);
      await files[file](path);
      expect(await hashesOf(await made(folder.path, url(path, { trim })))).toEqual(
        (await hashesOf(path)).slice(first, end),
      );
    },
  );

  test("seconds that are precise to the sample cuts sound at the very sample, and takes the frames that begin within", async () => {
    await using folder = scratchFolder();
    const path = await files["clock.mov"](join(folder.path, "clock.mov"));
    const trim = { inpoint_sec: 2.0101, outpoint_sec: 3.0301, precision: "sample" };
    const out = await made(folder.path, url(path, { trim }), { audio: [{ codec: "pcm", sample_size: 16 }] });
    expect(await hashesOf(out)).toEqual((await hashesOf(path)).slice(51, 76));
    const sound = (await samples(path)).slice(Math.round(2.0101 * 48_000), Math.round(3.0301 * 48_000));
    expect(await samples(out)).toEqual(sound);
  });

  test("seconds means the same in a source, a component, the pipeline and a target, each counting from the one before", async () => {
    await using folder = scratchFolder();
    const path = await files["clock.mov"](join(folder.path, "clock.mov"));
    const all = await hashesOf(path);
    const trim = { inpoint_sec: 1, outpoint_sec: 9 };
    const component = { kind: "name", name: "clock.mov", trim };
    const version = { location: { path: folder.path }, asset_components: [component] };
    const complex = { kind: "asset_complex", payload: { asset_versions: [version] } };
    const own = { trim: { inpoint_sec: 2, duration_sec: 3 } };
    const pipeline = { source_pipeline: { trim } };
    for (const source of [url(path, { trim }), complex]) {
      expect(await hashesOf(await made(folder.path, source))).toEqual(all.slice(25, 225));
      expect(await hashesOf(await made(folder.path, source, own, pipeline))).toEqual(all.slice(100, 175));
    }
  });
});
