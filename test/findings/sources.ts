import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { make } from "../helpers/media/media-tools.ts";
import { ass, srt, stl10, ttml } from "./source-texts.ts";

/** Makes one source at a path; others lie below `root`. */
type Maker = (path: string, root: string) => Promise<unknown> | unknown;

const picture = (size: string, rate: string, seconds: number): string[] => [
  ...["-f", "lavfi", "-i", `testsrc2=size=${size}:rate=${rate}:duration=${seconds}`],
];
const tone = (hertz: number, seconds: number, more = ""): string[] => [
  ...["-f", "lavfi", "-i", `sine=frequency=${hertz}:duration=${seconds}:sample_rate=48000${more}`],
];
const x264 = ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p"];
const prores = ["-c:v", "prores_ks", "-pix_fmt", "yuv422p10le"];
const pcm16 = ["-c:a", "pcm_s16le", "-ac", "2"];
const fields = ["-flags", "+ildct+ilme", "-top", "1"];
const maps = (count: number): string[] => Array.from({ length: count }, (_, at) => ["-map", String(at)]).flat();

const of =
  (...argv: readonly string[]): Maker =>
  (path) =>
    make(path, ...argv);

const text =
  (content: string | Buffer): Maker =>
  (path) =>
    writeFileSync(path, content);

/** Channels are told by what they say: the tone of each, the low one in the place of effects. */
const surround = (layout: string, seconds: number): string =>
  `aevalsrc='${[330, 440, 550, 60, 770, 880].map((hertz) => `0.2*sin(2*PI*${hertz}*t)`).join("|")}':s=48000:c=${layout}:d=${seconds}`;

const color = (name: string, frames: number): Maker =>
  of("-f", "lavfi", "-i", `color=0x${name}:size=1920x1080:rate=25,format=rgb24`, "-frames:v", String(frames));

/** PQ with the metadata of HDR10. */
const hdr10 = [
  ...["-c:v", "libx265", "-preset", "ultrafast", "-pix_fmt", "yuv420p10le", "-tag:v", "hvc1"],
  ...["-color_primaries", "bt2020", "-color_trc", "smpte2084", "-colorspace", "bt2020nc", "-x265-params"],
  "log-level=error:hdr10=1:repeat-headers=1:colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc:master-display=G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(10000000,1):max-cll=1000,400",
];

/** Quiet and less quiet in turn, with short high peaks: the gain that reaches -23 LUFS makes them clip, and the range is wide. */
const uneven = (seconds: number): string =>
  `aevalsrc='(0.01+0.03*gt(mod(t,12),6)+0.7*lt(mod(t,2),0.004))*sin(2*PI*440*t)':s=48000:d=${seconds}`;

/** Two transport streams one after the other, whose clock jumps back in between. */
const jumpBack: Maker = async (path) => {
  const parts = [20, 3].map((offset, at) => ({ offset, part: `${path}.${at}.ts` }));
  for (const { offset, part } of parts)
    await make(
      part,
      ...[...picture("320x180", "25", 5), ...tone(440, 5), ...x264, "-bf", "0", "-c:a", "mp2"],
      ...["-output_ts_offset", String(offset), "-f", "mpegts"],
    );
  writeFileSync(path, Buffer.concat(parts.map(({ part }) => readFileSync(part))));
};

const withTexts: Maker = async (path, root) => {
  const written = join(root, "in/cc.srt");
  await makeSource("in/cc.srt", root);
  await make(
    path,
    ...["-f", "lavfi", "-i", "color=black:size=640x360:rate=25:duration=10", "-i", written],
    ...[...x264, "-c:s", "subrip", "-metadata:s:s:0", "language=eng"],
  );
};

/** By the path that the jobs name. */
const sources: Readonly<Record<string, Maker>> = {
  "in/a25.mov": of(...picture("640x360", "25", 10), ...tone(440, 10), ...prores, ...pcm16, "-timecode", "10:00:00:00"),
  "in/a2997df.mov": of(
    ...[...picture("640x360", "30000/1001", 62.062), ...tone(440, 62.062), ...x264, ...pcm16],
    ...["-timecode", "00:59:30;00"],
  ),
  "in/hd25.mov": of(
    ...[...picture("1920x1080", "25", 4), ...tone(440, 4), ...x264, "-c:a", "pcm_s24le", "-ac", "2"],
    ...["-timecode", "09:59:58:00"],
  ),
  "in/hd25i.mov": of(
    ...[...picture("1920x1080", "25", 3), ...tone(440, 3), ...prores, ...fields, "-field_order", "tt"],
    ...["-c:a", "pcm_s24le", "-ac", "2", "-timecode", "09:59:30:00"],
  ),
  "in/hdr.mp4": of(...picture("1280x720", "25", 4), ...hdr10),
  "in/i2997.ts": of(
    ...[...picture("720x480", "30000/1001", 5.005), ...tone(440, 5.005), "-c:v", "mpeg2video", "-b:v", "6M", ...fields],
    ...["-aspect", "4:3", "-c:a", "mp2", "-ac", "2"],
  ),
  "in/longaud.mp4": of(...picture("640x360", "30", 2), ...tone(440, 4), ...x264, "-c:a", "aac"),
  "in/loud.mp4": of(
    ...[
      ...picture("640x360", "25", 20),
      "-f",
      "lavfi",
      "-i",
      uneven(20),
      ...tone(440, 20, ",volume=-8dB,pan=stereo|c0=c0|c1=c0"),
    ],
    ...[...maps(3), ...x264, "-c:a", "aac", "-b:a", "192k"],
  ),
  "in/mono8.mov": of(
    ...picture("320x180", "25", 6),
    ...[330, 440, 550, 660, 770, 60, 880, 990].flatMap((hertz) => tone(hertz, 6)),
    ...[...maps(9), ...x264, "-c:a", "pcm_s24le"],
  ),
  "in/noise.mov": of(
    "-f",
    "lavfi",
    "-i",
    "color=gray:size=1280x720:rate=25:duration=2,noise=alls=100:allf=t",
    ...prores,
  ),
  "in/red709.mp4": of(
    ...[
      "-f",
      "lavfi",
      "-i",
      "color=red:size=1280x720:rate=25:duration=0.4,scale=out_color_matrix=bt709,format=yuv420p",
    ],
    ...[...x264, "-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709"],
  ),
  "in/s51.mov": of(
    ...[...picture("320x180", "25", 6), "-f", "lavfi", "-i", surround("5.1", 6), ...tone(440, 6), ...maps(3)],
    ...[...x264, "-c:a", "pcm_s24le", "-timecode", "00:59:50:00"],
  ),
  "in/sa_4.5.mov": of(
    ...[...picture("640x360", "25", 5), ...tone(440, 4.5), ...x264, "-c:a", "pcm_s16le", "-timecode", "10:00:00:00"],
  ),
  "in/seq/00C000_%02d.png": color("00C000", 25),
  "in/seq/red_%02d.png": color("FF0000", 25),
  "in/cc.srt": text(srt),
  "in/cc.ttml": text(ttml),
  "in/cc10.stl": text(stl10()),
  "out/j67/j67_mux_2.mkv": withTexts,
  "src/a25.mp4": of(...picture("640x360", "25", 10), ...tone(440, 10), ...x264, "-c:a", "aac", "-ac", "2"),
  "src/hdr10.mp4": of(...picture("1280x720", "25", 8), ...tone(440, 8), ...hdr10, "-c:a", "aac"),
  "src/in.ass": text(ass),
  "src/jumpback.ts": jumpBack,
  "src/lc25.ts": of(
    ...[...picture("320x180", "25", 62), ...tone(440, 62), ...x264, "-g", "25", "-bf", "2", "-c:a", "mp2"],
    ...["-output_ts_offset", "3600"],
  ),
  "src/loud.mov": of(...picture("320x180", "25", 24), "-f", "lavfi", "-i", uneven(24), ...x264, "-c:a", "pcm_s24le"),
  "src/pali.mxf": of(
    ...[...picture("720x576", "25", 5), ...tone(440, 5), "-c:v", "mpeg2video", "-b:v", "15M", "-pix_fmt", "yuv422p"],
    ...[...fields, "-aspect", "4:3", ...pcm16],
  ),
  "src/s51ac3.ts": of(
    ...[...picture("640x360", "25", 5), "-f", "lavfi", "-i", surround("5.1(side)", 5), ...x264],
    ...["-c:a", "ac3", "-b:a", "448k"],
  ),
  "src/subs.srt": text(srt),
};

/** Makes a source that is not there yet. False: no source of that name is known. */
export const makeSource = async (name: string, root: string): Promise<boolean> => {
  const maker = sources[name];
  if (!maker) return false;
  const path = join(root, name);
  if (existsSync(path.replace("%02d", "01"))) return true;
  mkdirSync(dirname(path), { recursive: true });
  await maker(path, root);
  return true;
};

/** Copies what was made into the folder that a farm lends. */
export const lend = (root: string, folder: string): void => {
  execFileSync("cp", ["--recursive", "--link", "--no-clobber", `${root}/.`, folder]);
};
