import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { promisify } from "node:util";
import { readConfig } from "../../agent/config.ts";
import { ffmpegPaths, ffprobePaths, type ToolPath } from "../../agent/tools/tool-paths.ts";

const config = readConfig({});
const pathOf = (name: string, given: string | undefined, paths: readonly ToolPath[]): string => {
  const path = given ?? paths.find((place) => existsSync(place.path))?.path;
  if (path === undefined) throw new Error(`There is no ${name} to bench with`);
  return path;
};

/** The tools that an agent of this machine finds. */
export const ffmpegPath = pathOf("ffmpeg", config.ffmpegPath, ffmpegPaths(config));
export const ffprobePath = pathOf("ffprobe", config.ffprobePath, ffprobePaths(config, ffmpegPath));

/** Makes a test picture with a tone, H.264 and AAC; `more` are options of the output. */
export const makeSource = async (
  path: string,
  picture: { readonly size: string; readonly seconds: number },
  ...more: readonly string[]
): Promise<string> => {
  const { size, seconds } = picture;
  await promisify(execFile)(ffmpegPath, [
    ...["-v", "error", "-nostdin", "-y"],
    ...["-f", "lavfi", "-i", `testsrc2=size=${size}:rate=25:duration=${seconds}`],
    ...["-f", "lavfi", "-i", `sine=duration=${seconds}`],
    ...["-c:v", "libx264", "-preset", "ultrafast", "-g", "25", "-c:a", "aac", ...more, path],
  ]);
  return path;
};

/** Makes uncompressed pictures of about so many bytes. */
export const makeRawSource = async (path: string, bytes: number): Promise<string> => {
  const frames = Math.ceil(bytes / (1920 * 1080 * 2));
  await promisify(execFile)(ffmpegPath, [
    ...["-v", "error", "-nostdin", "-y", "-f", "lavfi", "-i", "color=size=1920x1080:rate=25"],
    ...["-frames:v", String(frames), "-c:v", "rawvideo", "-pix_fmt", "uyvy422", path],
  ]);
  return path;
};
