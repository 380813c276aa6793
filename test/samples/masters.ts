import { createHash } from "node:crypto";
import { existsSync, mkdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { ffmpeg } from "../helpers/media/media-tools.ts";

/** A film that samples are run on. Each is made for a kind of source, none for one sample. */
export type Master = {
  readonly name: string;
  /** Names of sources that it stands for; the first master that fits is taken. */
  readonly names: RegExp;
  readonly extension: string;
  readonly seconds: number;
  /** Inputs and options of ffmpeg that make it. */
  readonly argv: (seconds: number) => readonly string[];
  /** Options of a copy that is as long as some sample needs. */
  readonly copied?: readonly string[];
};

const picture = (size: string, rate: string, seconds: number): string[] => [
  ...["-f", "lavfi", "-i", `testsrc2=size=${size}:rate=${rate}:duration=${seconds}`],
];

/** A tone for each channel, some hertz apart, so that none is taken for another. */
const tones = (channels: number, base: number, layout: string, seconds: number): string[] => {
  const waves = Array.from({ length: channels }, (_, channel) => `0.2*sin(2*PI*${base + 50 * channel}*t)`);
  return ["-f", "lavfi", "-i", `aevalsrc='${waves.join("|")}':c=${layout}:s=48000:d=${seconds}`];
};

const h264 = ["-c:v", "libx264", "-preset", "ultrafast", "-crf", "24", "-pix_fmt", "yuv420p", "-g", "24"];
const pcm = ["-c:a", "pcm_s16le"];
const aac = ["-c:a", "aac", "-b:a", "96k"];
const english = (tracks: number): string[] =>
  Array.from({ length: tracks }, (_, track) => [`-metadata:s:a:${track}`, "language=eng"]).flat();
const maps = (inputs: number): string[] => Array.from({ length: inputs }, (_, input) => ["-map", String(input)]).flat();
const oneHour = ["-timecode", "01:00:00:00"];

/** A film with two stereo tracks, as most sources are. */
const film = (size: string) => (seconds: number) => [
  ...picture(size, "24", seconds),
  ...tones(2, 300, "stereo", seconds),
  ...tones(2, 500, "stereo", seconds),
  ...[...maps(3), ...h264, ...pcm, ...english(2)],
];

const surround = (size: string, rate: string) => (seconds: number) => [
  ...picture(size, rate, seconds),
  ...tones(6, 300, "5.1", seconds),
  ...tones(2, 700, "stereo", seconds),
  ...[...maps(3), ...h264, ...pcm, ...english(2), ...oneHour],
];

const letterbox = (seconds: number) => [
  ...picture("1920x800", "24", seconds),
  ...tones(2, 300, "stereo", seconds),
  ...["-vf", "pad=1920:1080:0:140", ...maps(2), ...h264, ...aac, ...english(1)],
];

const discrete = (seconds: number) => [
  ...picture("1920x1080", "24", seconds),
  ...Array.from({ length: 10 }, (_, track) => tones(1, 300 + 50 * track, "mono", seconds)).flat(),
  ...[...maps(11), ...h264, ...aac, ...english(10)],
];

const bt2020 = ["-color_primaries", "bt2020", "-color_trc", "smpte2084", "-colorspace", "bt2020nc"];
const hdr = (seconds: number) => [
  ...picture("1920x1080", "24", seconds),
  ...["-c:v", "prores_ks", "-profile:v", "3", "-pix_fmt", "yuv422p10le", ...bt2020],
];

const beds = (seconds: number) => [...tones(10, 300, "5.1.4", seconds), "-c:a", "pcm_s24le"];

const logo = () => [
  ...["-f", "lavfi", "-i", "color=red@0.5:size=480x270,format=rgba", "-frames:v", "1", "-update", "1"],
];

/** The masters, twelve at most. */
export const masters: readonly Master[] = [
  { name: "logo", names: /\.png$/i, extension: "png", seconds: 0, argv: logo },
  {
    name: "beds",
    names: /\.(?:wav|atmos|atmos\.audio|atmos\.metadata)$/i,
    extension: "wav",
    seconds: 4,
    argv: beds,
  },
  { name: "hdr", names: /(?:\.mxf|ProRes4444\.mov|bumper.*\.mp4)$/i, extension: "mxf", seconds: 2, argv: hdr },
  { name: "letterbox", names: /letterbox|black/i, extension: "mp4", seconds: 4, argv: letterbox },
  { name: "discrete", names: /4_track|8tk|PCM-5\.1\.4/i, extension: "mov", seconds: 8, argv: discrete },
  { name: "rapid", names: /59\.94|LtRt/i, extension: "mov", seconds: 4, argv: surround("1920x1080", "60000/1001") },
  {
    name: "surround",
    names: /5\.1|surround/i,
    extension: "mov",
    seconds: 4,
    argv: surround("1920x1080", "24"),
    copied: oneHour,
  },
  { name: "uhd", names: /4k/i, extension: "mov", seconds: 4, argv: film("3840x2160") },
  { name: "hd", names: /1080p/i, extension: "mov", seconds: 4, argv: film("1920x1080") },
  { name: "sd", names: /\.(?:mov|mp4)$/i, extension: "mov", seconds: 4, argv: film("1280x720") },
];

export const masterFor = (name: string): Master | undefined => masters.find(({ names }) => names.test(name));

/** The path of a master that lasts so long at least. What was made once is kept in `folder`. */
export const makeMaster = async (master: Master, folder: string, seconds = 0): Promise<string> => {
  const made = await makeFile(folder, `${master.name}`, master.extension, master.argv(master.seconds));
  if (seconds <= master.seconds || master.seconds === 0) return made;
  // A long film is a short one again and again: copied, so that nothing is encoded.
  const turns = Math.ceil((seconds + 1) / master.seconds) - 1;
  const copy = ["-stream_loop", String(turns), "-i", made, "-map", "0:v?", "-map", "0:a?", "-c", "copy"];
  return makeFile(folder, `${master.name}-${turns}`, master.extension, [...copy, ...(master.copied ?? [])]);
};

/** The path of a file that ffmpeg makes by these words, unless it was made before. */
export const makeFile = async (
  folder: string,
  name: string,
  extension: string,
  argv: readonly string[],
): Promise<string> => {
  const key = createHash("sha256").update(JSON.stringify(argv)).digest("hex").slice(0, 10);
  const path = join(folder, `${name}-${key}.${extension}`);
  if (existsSync(path)) return path;
  mkdirSync(folder, { recursive: true });
  const half = join(folder, `half-${name}-${key}.${extension}`);
  await ffmpeg(["-v", "error", "-nostdin", "-y", ...argv, half]);
  renameSync(half, path);
  return path;
};
