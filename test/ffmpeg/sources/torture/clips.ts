import { closeSync, ftruncateSync, openSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { expect } from "vitest";
import { fastH264, make } from "../../../helpers/media/media-tools.ts";
import { plainFilm, withTwoEdits } from "./two-edits.ts";

/** A clip that has broken other systems: how it is made, and how it reads here, or in which words it is refused. */
export type Clip = {
  readonly name: string;
  readonly file: string;
  readonly make: (path: string) => Promise<unknown>;
  /** What `reading` makes of its facts; or the words of a refusal. */
  readonly reads: readonly string[] | RegExp;
  /** Some of `source.*` as conditions see it, and of the entries of `media_info` in results. */
  readonly told?: { readonly source?: object; readonly info?: readonly object[] };
  /** Frames that come out of it as a whole, where that is a question. */
  readonly frames?: number;
};

const picture = (rate: string, seconds = 2, size = "128x72") => [
  ...["-f", "lavfi", "-i", `testsrc2=size=${size}:rate=${rate}:duration=${seconds}`],
];
const tone = (seconds = 2) => ["-f", "lavfi", "-i", `sine=frequency=440:sample_rate=48000:duration=${seconds}`];
const h264 = fastH264();
const aac = ["-c:a", "aac", "-b:a", "96k"];
const film = (path: string, ...more: string[]) => make(path, ...picture("25"), ...tone(), ...h264, ...aac, ...more);
const hevc10 = ["-c:v", "libx265", "-preset", "ultrafast", "-pix_fmt", "yuv420p10le"];
const bt2020 = (transfer: string) => ["-color_primaries", "bt2020", "-colorspace", "bt2020nc", "-color_trc", transfer];
const fields = (order: "tff" | "bff") => [
  ...["-f", "lavfi", "-i", `testsrc2=size=128x72:rate=50:duration=2,interlace=scan=${order}:lowpass=off`],
  ...["-c:v", "mpeg2video", "-flags", "+ildct+ilme", "-top", order === "tff" ? "1" : "0", "-pix_fmt", "yuv420p"],
];

/** Two transport streams one after the other, whose clocks have nothing to do with one another. */
const joined = async (path: string, first: string[], second: string[]) => {
  const parts = [`${path}.1.ts`, `${path}.2.ts`];
  await make(parts[0] ?? "", ...first);
  await make(parts[1] ?? "", ...second);
  writeFileSync(path, Buffer.concat(parts.map((part) => readFileSync(part))));
};

const cutOff = (path: string, share: number): void => {
  const file = openSync(path, "r+");
  ftruncateSync(file, Math.floor(statSync(path).size * share));
  closeSync(file);
};

export const clips: readonly Clip[] = [
  {
    ...{ name: "top field first", file: "a.mxf", make: (path) => make(path, ...fields("tff")) },
    told: {
      source: {
        video: { interlace_mode: "tff", frame_rate: 25, codec: "mpeg2video", width: 128, height: 72 },
        timecode: [{ start_value: "00:00:00:00", kind: "material_package" }, { kind: "gop" }],
      },
      info: [
        { stream_type: "ASSET" },
        { stream_type: "VIDEO", VIDEO: { interlace_mode: "TFF", framerate_mode: "CONSTANT" } },
      ],
    },
    reads: [
      "video mpeg2video 128x72 at 25, tt",
      "2 s from 0",
      "timecode 00:00:00:00 (material_package)",
      "timecode 00:00:00:00 (gop)",
    ],
  },
  {
    ...{ name: "bottom field first", file: "a.mkv", make: (path) => make(path, ...fields("bff")) },
    told: { source: { video: { interlace_mode: "bff" } }, info: [{}, { VIDEO: { interlace_mode: "BFF" } }] },
    reads: ["video mpeg2video 128x72 at 25, bb", "2 s from 0", "timecode 00:00:00:00 (gop)"],
  },
  {
    name: "picture half a frame behind the sound",
    file: "a.mp4",
    make: async (path) => {
      await film(`${path}.mp4`);
      await make(
        path,
        "-itsoffset",
        "0.02",
        "-i",
        `${path}.mp4`,
        "-i",
        `${path}.mp4`,
        "-map",
        "0:v",
        "-map",
        "1:a",
        "-c",
        "copy",
      );
    },
    reads: [
      "video h264 128x72 at 25",
      "1 sound aac 1 ch from 0",
      "2 s from 0.02",
      "edit of 0.02 s of nothing",
      "edit of 2 s at 0 s",
    ],
  },
  {
    name: "a clock that jumps by an hour",
    file: "a.ts",
    make: (path) =>
      joined(
        path,
        [...picture("25"), ...tone(), ...h264, ...aac],
        [...picture("25"), ...tone(), ...h264, ...aac, "-output_ts_offset", "3600"],
      ),
    reads: ["video h264 128x72 at varying 25.00", "1 sound aac 1 ch from 1.4", "3601.941333 s from 1.421333"],
    frames: 100,
  },
  {
    name: "an edit list that begins within a group of pictures",
    file: "a.mp4",
    make: async (path) => {
      await film(`${path}.mp4`, "-g", "50");
      await make(path, "-ss", "0.6", "-i", `${path}.mp4`, "-c", "copy");
    },
    reads: ["video h264 128x72 at 25", "1 sound aac 1 ch from 0", "1.4 s from 0", "edit of 1.4 s at 0.6 s"],
    frames: 35,
  },
  {
    name: "two edits of one film",
    file: "a.mp4",
    make: async (path) => {
      await plainFilm(path);
      withTwoEdits(path);
    },
    reads: ["video h264 128x72 at 25", "1 s from 0", "edit of 0.4 s at 0.2 s", "edit of 0.6 s at 1.2 s"],
    frames: 25,
  },
  {
    name: "priming in MP4",
    file: "a.mp4",
    make: (path) => film(path),
    reads: ["video h264 128x72 at 25", "1 sound aac 1 ch from 0", "2 s from 0"],
    frames: 50,
  },
  {
    name: "priming in Matroska",
    file: "a.mkv",
    make: (path) => film(path),
    reads: ["video h264 128x72 at 25", "1 sound aac 1 ch from -0.021", "2 s from 0"],
    frames: 50,
  },
  {
    name: "priming in a transport stream",
    file: "a.ts",
    make: (path) => film(path),
    told: {
      source: { video: { frame_rate: 25 }, audio: [{ codec: "aac", channels: 1, sample_rate: 48_000 }] },
      info: [
        {},
        { first_pts: expect.closeTo(1.4213, 3), first_pts_otb: expect.closeTo(1.421333 * 141_120_000, -3) },
        { AUDIO: { nr_channels: 1 } },
      ],
    },
    reads: ["video h264 128x72 at 25", "1 sound aac 1 ch from 1.4", "2 s from 1.421333"],
    frames: 50,
  },
  {
    name: "a phone's varying rate",
    file: "a.mp4",
    make: (path) =>
      make(
        path,
        ...[
          "-f",
          "lavfi",
          "-i",
          "testsrc2=size=128x72:rate=30:duration=3,settb=1/90000,select='not(between(n,30,59)*mod(n,2))',setpts='PTS+0.004*mod(N,3)/TB'",
        ],
        ...[...h264, "-fps_mode", "passthrough", "-enc_time_base", "1:90000"],
      ),
    told: {
      source: { video: { frame_rate: expect.closeTo(25.108, 2) } },
      info: [{}, { frame_rate: expect.closeTo(25.108, 2), VIDEO: { framerate_mode: "VARIABLE" } }],
    },
    reads: ["video h264 128x72 at varying 25.11", "2.987167 s from 0"],
    frames: 75,
  },
  {
    name: "a size that changes in the middle",
    file: "a.ts",
    make: (path) =>
      joined(path, [...picture("25"), ...h264], [...picture("25", 2, "64x64"), ...h264, "-output_ts_offset", "2"]),
    reads: ["video h264 128x72 at 25", "4 s from 1.4"],
    frames: 100,
  },
  {
    name: "an MP4 without its index",
    file: "a.mp4",
    make: async (path) => {
      await film(path);
      cutOff(path, 0.6);
    },
    reads: /its index is missing/,
  },
  {
    name: "a transport stream that breaks off",
    file: "a.ts",
    make: async (path) => {
      await film(path);
      cutOff(path, 0.5);
    },
    reads: ["video h264 128x72 at 25", "1 sound aac 1 ch from 1.4", "1.04 s from 1.421333"],
  },
  {
    name: "64 tracks of sound",
    file: "a.mov",
    make: (path) =>
      make(
        path,
        ...picture("25"),
        ...tone(),
        "-map",
        "0:v",
        ...Array.from({ length: 64 }, () => ["-map", "1:a"]).flat(),
        ...h264,
        "-c:a",
        "pcm_s16le",
      ),
    told: { source: { audio: { length: 64 } } },
    reads: ["video h264 128x72 at 25", "64 sound pcm_s16le 1 ch from 0", "2 s from 0"],
  },
  {
    name: "one pixel",
    file: "a.mkv",
    make: (path) =>
      make(path, "-f", "lavfi", "-i", "color=red:size=16x16:rate=25:duration=1,format=bgr0,crop=1:1", "-c:v", "ffv1"),
    reads: ["video ffv1 1x1 at 25", "1 s from 0"],
  },
  {
    name: "8192 by 8192",
    file: "a.mkv",
    make: (path) =>
      make(
        path,
        "-f",
        "lavfi",
        "-i",
        "color=size=8192x8192:rate=25:duration=0.08",
        "-c:v",
        "mjpeg",
        "-pix_fmt",
        "yuvj420p",
      ),
    told: {
      source: { video: { width: 8192, par: 1, dar: 1 } },
      info: [{}, { VIDEO: { width: 8192, bit_resolution: 8 } }],
    },
    reads: ["video mjpeg 8192x8192 at 25", "0.08 s from 0"],
  },
  { name: "no byte at all", file: "a.mp4", make: async (path) => writeFileSync(path, ""), reads: /cut short/ },
  {
    name: "a Matroska file that calls itself MP4",
    file: "a.mp4",
    make: async (path) => {
      await film(`${path}.mkv`);
      renameSync(`${path}.mkv`, path);
    },
    reads: ["video h264 128x72 at 25", "1 sound aac 1 ch from -0.021", "2 s from 0"],
    frames: 50,
  },
  {
    name: "a clock of years",
    file: "a.mkv",
    make: async (path) => {
      await film(`${path}.mkv`);
      await make(path, "-i", `${path}.mkv`, "-c", "copy", "-output_ts_offset", "200000000");
    },
    reads: ["video h264 128x72 at 25", "1 sound aac 1 ch from 200000000", "2.026 s from 200000000.021"],
    frames: 50,
  },
  {
    name: "HDR10",
    file: "a.mp4",
    make: (path) =>
      make(
        path,
        ...[...picture("25", 1), ...hevc10, ...bt2020("smpte2084"), "-x265-params"],
        "log-level=error:hdr10=1:master-display=G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(10000000,50):max-cll=1000,400",
      ),
    told: { source: { video: { hdr: true, color_trc: "smpte2084", color_primaries: "bt2020" } } },
    reads: [
      'video hevc 128x72 at 25, smpte2084, {"masterDisplay":"G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(10000000,50)","maxCll":1000,"maxFall":400}',
      "1 s from 0",
    ],
  },
  {
    name: "HLG",
    file: "a.mkv",
    make: (path) =>
      make(path, ...picture("25", 1), ...hevc10, ...bt2020("arib-std-b67"), "-x265-params", "log-level=error"),
    told: { source: { video: { hdr: true, color_trc: "arib-std-b67" } } },
    reads: ["video hevc 128x72 at 25, arib-std-b67", "1 s from 0"],
  },
  {
    name: "29.97 drop-frame over the minute",
    file: "a.mov",
    make: (path) => make(path, ...picture("30000/1001"), ...h264, "-timecode", "00:00:59;00"),
    told: {
      source: { video: { frame_rate: 30_000 / 1001 }, timecode: [{ kind: "container", start_value: "00:00:59;00" }] },
      info: [{}, { frame_duration_otb: 4_708_704, VIDEO: { timecode: "00:00:59;00" } }],
    },
    reads: ["video h264 128x72 at 30000/1001", "2.002 s from 0", "timecode 00:00:59;00 (container)"],
  },
  {
    name: "timecode in the groups of MPEG-2",
    file: "a.mpg",
    make: (path) => make(path, ...picture("25"), "-c:v", "mpeg2video", "-gop_timecode", "10:00:00:00"),
    reads: ["video mpeg2video 128x72 at 25", "2 s from 0.54", "timecode 10:00:00:00 (gop)"],
  },
  {
    name: "chapters",
    file: "a.mkv",
    make: async (path) => {
      await film(`${path}.mkv`);
      const chapters = [0, 1].map((n) => `[CHAPTER]\nTIMEBASE=1/1\nSTART=${n}\nEND=${n + 1}\ntitle=Reel ${n}\n`);
      writeFileSync(`${path}.txt`, [";FFMETADATA1", ...chapters].join("\n"));
      await make(
        path,
        "-i",
        `${path}.mkv`,
        "-f",
        "ffmetadata",
        "-i",
        `${path}.txt`,
        "-map_chapters",
        "1",
        "-c",
        "copy",
      );
    },
    reads: [
      "video h264 128x72 at 25",
      "1 sound aac 1 ch from 0",
      "2.026 s from 0.021",
      "section 0-1 Reel 0",
      "section 1-2 Reel 1",
    ],
  },
];
