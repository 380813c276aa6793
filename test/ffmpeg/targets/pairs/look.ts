import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { ffmpeg } from "../../../helpers/media/media-tools.ts";

const run = promisify(execFile);

/** The second reader, which shares no code with ffmpeg. */
export const mediaInfoPath = (process.env.PATH ?? "")
  .split(delimiter)
  .map((folder) => join(folder, "mediainfo"))
  .find((path) => existsSync(path));

type Track = Readonly<Record<string, string | undefined>>;

/** The first track of a kind as MediaInfo describes it. */
export const secondReading = async (path: string, kind: "Video" | "Audio" | "Image"): Promise<Track | undefined> => {
  const { stdout } = await run(mediaInfoPath ?? "mediainfo", ["--Output=JSON", path]);
  const tracks: readonly Track[] = JSON.parse(stdout).media?.track ?? [];
  return tracks.find((track) => track["@type"] === kind);
};

const size = { width: 160, height: 90 };

/** Every picture of a file, small and grey; lines above the picture are left out. */
export const pictures = async (path: string, blanking = 0): Promise<Uint8Array[]> => {
  const crop = blanking > 0 ? `crop=iw:ih-${blanking}:0:${blanking},` : "";
  const filter = `${crop}scale=${size.width}:${size.height}:flags=area:out_range=tv,format=yuv420p`;
  const to = ["-map", "0:v:0", "-vf", filter, "-fps_mode", "passthrough", "-f", "rawvideo", "-"];
  const raw = await ffmpeg(["-v", "error", "-xerror", "-i", path, ...to]);
  const bytes = (size.width * size.height * 3) / 2;
  return Array.from({ length: Math.floor(raw.length / bytes) }, (_, at) =>
    raw.subarray(at * bytes, at * bytes + size.width * size.height),
  );
};

/** Mean distance of two pictures' points, of 255. */
export const distance = (a: Uint8Array, b: Uint8Array): number =>
  a.reduce((sum, value, at) => sum + Math.abs(value - (b[at] ?? 0)), 0) / a.length;

/** Which picture of the source comes nearest. */
export const nearestOf = (picture: Uint8Array, source: readonly Uint8Array[]): number => {
  const all = source.map((each) => distance(picture, each));
  return all.indexOf(Math.min(...all));
};

/** Two channels at 48,000 samples a second, from the file's first moment on. */
export const sound = async (path: string, input: readonly string[] = []): Promise<Int16Array[]> => {
  const to = ["-map", "0:a:0", "-af", "aresample=async=1:first_pts=0", "-ar", "48000", "-ac", "2", "-f", "s16le", "-"];
  const raw = await ffmpeg(["-v", "error", ...input, "-i", path, ...to]);
  const samples = new Int16Array(raw.buffer.slice(raw.byteOffset, raw.byteOffset + (raw.length & ~3)));
  return [samples.filter((_, at) => at % 2 === 0), samples.filter((_, at) => at % 2 === 1)];
};

/** Seconds at which a channel becomes loud. */
export const onset = (channel: Int16Array): number => channel.findIndex((sample) => Math.abs(sample) > 5000) / 48_000;
