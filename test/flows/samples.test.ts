import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { MediaFacts } from "../../shared/asset.ts";
import { ratio, subtract, toNumber } from "../../shared/rational.ts";
import { type FarmProcesses, startFarm } from "../helpers/farm-processes.ts";
import { fastH264, ffmpegPath, make, probe } from "../helpers/media-tools.ts";

/**
 * Sample jobs of the API family, sent as they are: their s3 addresses are mounted to a folder with made sources. The
 * large pictures take minutes and run with MEDIAFARM_LONG=1 only.
 */
const samples = process.env.MEDIAFARM_SAMPLES ?? join(import.meta.dirname, "../../../shared/samples");
const isLong = process.env.MEDIAFARM_LONG === "1";
const missing = [
  ...(ffmpegPath === undefined ? ["there is no ffmpeg"] : []),
  ...(existsSync(samples) ? [] : [`there are no samples at ${samples}; MEDIAFARM_SAMPLES names another folder`]),
];
const title = `sample jobs run as they are${missing.length > 0 ? ` (skipped: ${missing.join(", ")})` : ""}`;

let farm: FarmProcesses;
let bucket: string;

describe.skipIf(missing.length > 0)(title, () => {
  beforeAll(async () => {
    farm = await startFarm();
    bucket = join(farm.folder, "bucket");
    await farm.client.setMounts({ items: [{ prefix: "s3://hybrik-examples", folders: { posix: bucket } }] });
    mkdirSync(join(bucket, "public/sources"), { recursive: true });
    await farm.startAgent();
  }, 60_000);
  afterAll(async () => {
    await farm[Symbol.asyncDispose]();
  });

  test("a ProRes master of the whole source", async () => {
    await aFilm("tears_of_steel_720p.mov", { seconds: 2 });
    const made = await madeBy("feature_examples/transcoding/basic_transcode_task.json");
    expect(made).toMatch(/transcoding\/basic_transcode_task_example\/basic_transcode_task_example\.mov$/);
    const { video, audio } = await probe(made);
    expect(video[0]).toMatchObject({ codec: "prores", width: 1920, height: 1080, frames: 48, start: ratio(0) });
    expect(toNumber(video[0]?.frameRate ?? ratio(0))).toBeCloseTo(23.976, 3);
    expect(audio).toMatchObject([{ codec: "pcm_s24le", channels: 2, sampleRate: 48_000 }]);
    expectLength(video[0], 2);
    expectLength(audio[0], 2);
  });

  test.each([
    ["512x288_h264_800kbs", 512, 288, "720p"],
    ["720x480_h264_1200kbs", 720, 480, "720p"],
  ])("ten seconds from the middle as MP4, %s", runMp4);

  test.skipIf(!isLong).each([
    ["1920x1080_h264_6000kbs", 1920, 1080, "1080p"],
    ["3840x2160_h264_10000kbs", 3840, 2160, "4k"],
  ])("ten seconds from the middle as MP4, %s (only with MEDIAFARM_LONG=1)", runMp4, 900_000);
});

async function runMp4(name: string, width: number, height: number, source: string): Promise<void> {
  await aFilm(`tears_of_steel_${source}.mov`, { seconds: 41 });
  const made = await madeBy(`format_examples/mp4/mp4_${name}.json`);
  const { video, audio } = await probe(made);
  expect(video[0]).toMatchObject({ codec: "h264", width, height, frames: 240, start: ratio(0) });
  expect(audio).toMatchObject([{ codec: "aac", channels: 2, sampleRate: 48_000 }]);
  expectLength(video[0], 10);
  expectLength(audio[0], 10);
}

/** The path of the one file that a sample job made. */
const madeBy = async (sample: string): Promise<string> => {
  const job = JSON.parse(readFileSync(join(samples, sample), "utf8"));
  const info = await farm.untilEnded(await farm.submit(job));
  expect(info).toMatchObject({ status: "completed", error: null });
  const { descriptor } = job.definitions;
  const folder = job.definitions.destination_path.replace("{{descriptor}}", descriptor);
  const path = folder.replace("s3://hybrik-examples", bucket);
  const extension = job.payload.elements[1].payload.targets[0].container.kind;
  return join(path, `${descriptor}.${extension}`);
};

/** A source of the sample's name: small pictures, the film's rate, a tone. Its size says nothing about the targets. */
const aFilm = async (name: string, { seconds }: { seconds: number }): Promise<void> => {
  const path = join(bucket, "public/sources", name);
  mkdirSync(dirname(path), { recursive: true });
  const video = `testsrc2=size=320x180:rate=24:duration=${seconds}`;
  const audio = `sine=frequency=440:sample_rate=48000:duration=${seconds}`;
  const codecs = [...fastH264(), "-c:a", "aac", "-ac", "2"];
  await make(path, "-f", "lavfi", "-i", video, "-f", "lavfi", "-i", audio, ...codecs);
};

/** To the frame: a coded sound may end within one. */
const expectLength = (
  stream: MediaFacts["video"][number] | MediaFacts["audio"][number] | undefined,
  seconds: number,
) => {
  const length = toNumber(subtract(stream?.duration ?? ratio(0), ratio(0)));
  expect(Math.abs(length - seconds)).toBeLessThanOrEqual(1 / 23);
};
