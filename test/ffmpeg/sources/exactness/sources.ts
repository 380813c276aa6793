import { join } from "node:path";
import { make } from "../../../helpers/media/media-tools.ts";

/** One source of the matrix: a picture whose frames all differ, with white noise beside it. */
export type ExactSource = { readonly codec: Codec; readonly container: ContainerName; readonly rate: Rate };

const codecs = {
  "h264 closed": ["libx264", "-preset", "ultrafast", "-bf", "2", "-g", "12", "-x264-params", "open-gop=0:scenecut=0"],
  "h264 open": ["libx264", "-preset", "ultrafast", "-bf", "2", "-g", "12", "-x264-params", "open-gop=1:scenecut=0"],
  "h264-intra": ["libx264", "-preset", "ultrafast", "-g", "1"],
  h265: [
    ...["libx265", "-preset", "ultrafast", "-g", "12", "-bf", "2"],
    ...["-x265-params", "open-gop=1:scenecut=0:log-level=error:pools=1:frame-threads=1"],
  ],
  mpeg2: ["mpeg2video", "-bf", "2", "-g", "12", "-q:v", "4"],
  prores: ["prores", "-profile:v", "0"],
} as const;
export type Codec = keyof typeof codecs;

/** Containers and the sound that they hold; AAC without noise substitution, which decodes to other noise each time. */
const aac = ["aac", "-b:a", "256k", "-aac_pns", "0"];
const containers = {
  mp4: aac,
  mov: ["pcm_s16le"],
  mkv: aac,
  mxf: ["pcm_s16le"],
  ts: aac,
} as const;
export type ContainerName = keyof typeof containers;

export const rates = ["24000/1001", "25", "30000/1001", "50i", "60000/1001", "vfr"] as const;
export type Rate = (typeof rates)[number];

/** Frames in so many seconds: `24000/1001` is [24000, 1001]. */
export const framesIn = (rate: Exclude<Rate, "vfr">): readonly [frames: number, seconds: number] => {
  const [frames = 25, seconds = 1] = (rate === "50i" ? "25" : rate).split("/").map(Number);
  return [frames, seconds];
};

/** What no container or decoder of ours can hold or tell, with the reason. */
const impossible = ({ codec, container, rate }: ExactSource): boolean => {
  if (codec === "h265" && container === "mxf") return true; // no mapping that ffmpeg writes
  if (codec.startsWith("h264 ") && container === "mxf") return true; // ffmpeg writes B-frames' order wrong there
  if (codec === "h264-intra" && container !== "mxf") return true; // long groups are the harder case
  if (codec === "h265" && rate === "50i") return true; // fields are coded, and decoded, as pictures of their own
  if (codec === "prores" && (container === "ts" || container === "mp4")) return true; // not a codec of these
  if (container === "mov" && codec !== "prores") return true; // as MP4
  if (rate === "vfr") return container === "mxf" || codec === "mpeg2" || codec === "prores"; // constant by nature
  return false;
};

/** The whole matrix. */
export const allSources: readonly ExactSource[] = (Object.keys(codecs) as Codec[]).flatMap((codec) =>
  (Object.keys(containers) as ContainerName[]).flatMap((container) =>
    rates.map((rate) => ({ codec, container, rate })).filter((source) => !impossible(source)),
  ),
);

export const secondsLong = 9;

export const makeSource = async ({ codec, container, rate }: ExactSource, folder: string, noise: string) => {
  const path = join(folder, `in.${container}`);
  const drop = rate === "30000/1001" && ["mov", "mp4", "mxf"].includes(container) ? ["-timecode", "00:59:58;00"] : [];
  await make(
    path,
    ...["-f", "lavfi", "-i", pictures(rate), "-i", noise, "-map", "0:v", "-map", "1:a"],
    ...["-c:v", ...codecs[codec], ...(rate === "50i" ? fields(codec) : [])],
    ...["-pix_fmt", codec === "prores" ? "yuv422p10le" : "yuv420p"],
    ...(rate === "vfr" ? ["-fps_mode", "passthrough"] : []),
    ...["-c:a", ...containers[container], ...drop],
  );
  return path;
};

const size = "128x72";

const pictures = (rate: Rate): string => {
  const of = (fps: string) => `testsrc2=size=${size}:rate=${fps}:duration=${secondsLong}`;
  if (rate === "50i") return `${of("50")},interlace=scan=tff:lowpass=off`;
  // Like a phone: now 30, now 15, now 10 frames a second, with stamps that fall on no grid.
  if (rate === "vfr")
    return `${of("30")},settb=1/90000,select='not(between(mod(n,40),20,29)*mod(n,2)+between(mod(n,40),30,39)*mod(n,3))',setpts='PTS+0.003*mod(N,3)/TB'`;
  return of(rate);
};

const fields = (codec: Codec): string[] =>
  codec.startsWith("h264") ? ["-flags", "+ildct+ilme", "-x264opts", "tff=1"] : ["-flags", "+ildct+ilme", "-top", "1"];
