import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect } from "vitest";
import { fastH264, ffmpeg, ffmpegPath, make } from "../../helpers/media/media-tools.ts";
import { startFarm } from "../../helpers/processes/farm-processes.ts";

/** Sample jobs of the API family, sent as they are: their s3 addresses are mounted to a folder with made sources. */
const samples = process.env.MEDIAFARM_SAMPLES ?? join(import.meta.dirname, "../../../../shared/samples");

/** Why sample jobs cannot run here; empty where they can. */
export const samplesMissing: readonly string[] = [
  ...(ffmpegPath === undefined ? ["there is no ffmpeg"] : []),
  ...(existsSync(samples) ? [] : [`there are no samples at ${samples}; MEDIAFARM_SAMPLES names another folder`]),
];

export type SampleFarm = Awaited<ReturnType<typeof startSampleFarm>>;

export const startSampleFarm = async () => {
  const farm = await startFarm();
  const bucket = join(farm.folder, "bucket");
  await farm.client.setMounts({ items: [{ prefix: "s3://hybrik-examples", folders: { posix: bucket } }] });
  mkdirSync(join(bucket, "public/sources"), { recursive: true });
  await farm.startAgent();
  const source = (name: string): string => {
    const path = join(bucket, "public/sources", name);
    mkdirSync(dirname(path), { recursive: true });
    return path;
  };
  return {
    source,
    /** A source of the sample's name: small pictures, the film's rate, a track of tones for each list of them. */
    film: async (name: string, { seconds, tones, more = [] }: FilmWish): Promise<string> => {
      const sounds = tones.map((track) => `aevalsrc='${track.map(wave).join("|")}':s=48000:d=${seconds}`);
      const picture = `testsrc2=size=320x180:rate=24:duration=${seconds}`;
      const inputs = [picture, ...sounds].flatMap((each) => ["-f", "lavfi", "-i", each]);
      const maps = ["-map", "0:v", ...sounds.flatMap((_, index) => ["-map", `${index + 1}:a`])];
      const codecs = fastH264();
      const sound = name.endsWith(".mp4") ? ["-c:a", "aac", "-b:a", "192k"] : ["-c:a", "pcm_s16le"];
      return make(source(name), ...inputs, ...maps, ...codecs, ...sound, ...more);
    },
    /** Sends a sample job, waits for its end, and gives the path of a file below its destination. */
    made: async (sample: string, name: string): Promise<string> => {
      const job = JSON.parse(readFileSync(join(samples, sample), "utf8"));
      const info = await farm.untilEnded(await farm.submit(job));
      expect(info).toMatchObject({ status: "completed", error: null });
      const { descriptor = "" } = job.definitions;
      const folder = job.definitions.destination_path.replace("{{descriptor}}", descriptor);
      return join(folder.replace("s3://hybrik-examples", bucket), name);
    },
    [Symbol.asyncDispose]: () => farm[Symbol.asyncDispose](),
  };
};

type FilmWish = {
  readonly seconds: number;
  /** A list for each track, a tone in hertz for each channel. */
  readonly tones: readonly (readonly number[])[];
  readonly more?: readonly string[];
};

const wave = (tone: number) => `0.5*sin(2*PI*${tone}*t)`;

/** The tone of a channel between two seconds, rounded to tens of hertz; 0 is silence. */
export const toneAt = async (path: string, track: number, channel: number, from = 0, seconds = 1): Promise<number> => {
  const cut = `atrim=${from}:${from + seconds},pan=mono|c0=c${channel}`;
  const raw = await ffmpeg([
    "-v",
    "error",
    "-i",
    path,
    "-map",
    `0:a:${track}`,
    "-af",
    cut,
    "-ar",
    "48000",
    "-f",
    "s16le",
    "-",
  ]);
  const sound = new Int16Array(raw.buffer.slice(raw.byteOffset, raw.byteOffset + raw.length));
  const loud = sound.map((sample) => (Math.abs(sample) < 200 ? 0 : sample));
  const passes = loud.filter((sample, at) => (loud[at - 1] ?? 0) <= 0 && sample > 0).length;
  return Math.round((passes * 48_000) / sound.length / 10) * 10;
};

/** Mean brightness of the picture at a time. */
export const brightnessAt = async (path: string, second: number): Promise<number> => {
  const filter = `trim=start=${second},select='eq(n,0)',signalstats,metadata=mode=print:file=-`;
  const text = await ffmpeg([
    "-v",
    "error",
    "-i",
    path,
    "-map",
    "0:v",
    "-vf",
    filter,
    "-frames:v",
    "1",
    "-f",
    "null",
    "-",
  ]);
  return Number(/YAVG=([\d.]+)/.exec(text.toString())?.[1]);
};
