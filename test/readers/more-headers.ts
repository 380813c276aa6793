import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);

/** What further programs read from headers: those of a kind of file that they know. */
export type Header = {
  readonly by: string;
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  readonly seconds?: number | undefined;
  readonly channels?: number | undefined;
  readonly tracks?: number | undefined;
};

type Fields = Readonly<Record<string, unknown>>;

const numberIn = (fields: Fields | undefined, name: string): number | undefined =>
  typeof fields?.[name] === "number" ? fields[name] : undefined;

/** Throws where a reader refuses the file. */
export const readHeaders = async (path: string): Promise<Header[]> => {
  const readers = [
    ...(/\.(mp4|mov|mkv|webm|avi|ismv|wav)$/.test(path) ? [exiftool] : []),
    ...(/\.(mkv|webm|mp4|mov|avi|ts|mpg|flac|ogg|mp3)$/.test(path) ? [mkvmerge] : []),
  ];
  return Promise.all(readers.map((read) => read(path)));
};

const exiftool = async (path: string): Promise<Header> => {
  const { stdout } = await run("exiftool", ["-json", "-n", path], { maxBuffer: 1 << 24 });
  const [fields]: Fields[] = JSON.parse(stdout);
  return {
    by: "exiftool",
    width: numberIn(fields, "ImageWidth"),
    height: numberIn(fields, "ImageHeight"),
    // Files of fragments say nothing of their length in front: it is that of no fragment.
    seconds: numberIn(fields, "Duration") || undefined,
    channels: numberIn(fields, "AudioChannels") ?? numberIn(fields, "NumChannels"),
  };
};

const mkvmerge = async (path: string): Promise<Header> => {
  const { stdout } = await run("mkvmerge", ["-J", path], { maxBuffer: 1 << 24 });
  const told: { readonly tracks?: { readonly type: string; readonly properties?: Fields }[] } = JSON.parse(stdout);
  const { tracks = [] } = told;
  const of = (type: string) => tracks.find((track) => track.type === type)?.properties;
  const [width, height] = String(of("video")?.pixel_dimensions ?? "")
    .split("x")
    .map(Number);
  return {
    by: "mkvmerge",
    tracks: tracks.length,
    width: width || undefined,
    height: height || undefined,
    channels: numberIn(of("audio"), "audio_channels"),
  };
};

type Wanted = {
  readonly video: string;
  readonly audio: string | undefined;
  readonly width: number;
  readonly height: number;
  readonly seconds: number;
  readonly frames: number;
  readonly rate: number;
  readonly channels: number | undefined;
};

/**
 * Every difference, in words. In MP4 and QuickTime, exiftool tells the width that is shown; and the field of channels is 2
 * for any number of them, as its standard wants.
 */
export const headerDifferences = (
  wanted: Wanted,
  headers: readonly Header[],
  { path, sar }: { readonly path: string; readonly sar: string },
): string[] =>
  headers.flatMap(({ by, width, height, seconds, channels, tracks }) => {
    const isPicture = wanted.video !== "";
    const [across = 1, down = 1] = sar.split("/").map(Number);
    const shown = Math.round((wanted.width * across) / down);
    const isWidth = width === undefined || width === wanted.width || (by === "exiftool" && width === shown);
    const lasts = isPicture ? wanted.frames / wanted.rate : wanted.seconds;
    const isVague = by === "exiftool" && /\.(mp4|mov|ismv)$/.test(path);
    const count = (isPicture ? 1 : 0) + (wanted.channels === undefined ? 0 : 1);
    const wrong: (string | false)[] = [
      isPicture && !isWidth && `width ${width}, not ${wanted.width}`,
      isPicture && height !== undefined && height !== wanted.height && `height ${height}, not ${wanted.height}`,
      seconds !== undefined && Math.abs(seconds - lasts) > 0.15 && `${seconds} s, not ${lasts.toFixed(3)}`,
      channels !== undefined &&
        !isVague &&
        channels !== wanted.channels &&
        `${channels} channels, not ${wanted.channels}`,
      tracks !== undefined && tracks !== count && `${tracks} tracks, not ${count}`,
    ];
    return wrong.filter((each) => each !== false).map((each) => `${by}: ${each}`);
  });
