import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);

/** What MediaInfo, which parses containers and headers by itself, says of a file. */
export type Told = {
  readonly width: number | undefined;
  readonly height: number | undefined;
  readonly rate: number | undefined;
  readonly frames: number | undefined;
  readonly seconds: number | undefined;
  /** Width of the shown picture by its height. */
  readonly aspect: number | undefined;
  readonly channels: number | undefined;
  /** Bits of a picture's samples. */
  readonly depth: number | undefined;
  readonly tracks: { readonly video: number; readonly audio: number };
};

export const tell = async (path: string): Promise<Told> => {
  const { stdout } = await run("mediainfo", ["--Output=JSON", path], { maxBuffer: 1 << 26 });
  const tracks: Readonly<Record<string, string>>[] = JSON.parse(stdout).media?.track ?? [];
  const of = (type: string) => tracks.filter((track) => track["@type"] === type);
  const [video, audio, general] = [of("Video")[0], of("Audio")[0], of("General")[0]];
  const number = (track: Readonly<Record<string, string>> | undefined, name: string) =>
    track?.[name] === undefined ? undefined : Number(track[name]);
  return {
    ...{ width: number(video, "Width"), height: number(video, "Height"), rate: number(video, "FrameRate") },
    ...{ frames: number(video, "FrameCount"), aspect: number(video, "DisplayAspectRatio") },
    ...{ seconds: number(general, "Duration"), channels: number(audio, "Channels") },
    depth: number(video, "BitDepth"),
    tracks: { video: of("Video").length, audio: of("Audio").length },
  };
};
