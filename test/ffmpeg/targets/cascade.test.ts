import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { clip, frames } from "../../helpers/media/clips.ts";
import {
  compiled,
  ffmpeg,
  ffmpegPath,
  ffprobePath,
  make,
  perform,
  probe,
  scratchFolder,
} from "../../helpers/media/media-tools.ts";

const filters = ffmpegPath && ffprobePath ? (await ffmpeg(["-hide_banner", "-filters"])).toString() : "";
const canCompare = filters.includes(" libvmaf ");
if (!canCompare) console.warn("Cascades are not compared with direct scaling: there is no ffmpeg with libvmaf");

/** How like its source a file looks when it is shown as large: 0 to 100. */
const vmaf = async (path: string, source: string, folder: string): Promise<number> => {
  const log = join(folder, "vmaf.json");
  const graph = `[0:v]scale=1280:720:flags=bicubic,format=yuv420p[a];[1:v]format=yuv420p[b];[a][b]libvmaf=log_fmt=json:log_path=${log}`;
  await ffmpeg(["-v", "error", "-i", path, "-i", source, "-filter_complex", graph, "-f", "null", "-"]);
  return JSON.parse(readFileSync(log, "utf8")).pooled_metrics.vmaf.mean;
};

test.skipIf(!canCompare)(
  "a picture of a ladder looks as if it were scaled from the source",
  { timeout: 180_000 },
  async () => {
    await using folder = scratchFolder();
    const source = await make(
      join(folder.path, "in.mkv"),
      ...["-f", "lavfi", "-i", "mandelbrot=size=1280x720:rate=25:start_scale=1.2:end_scale=0.4"],
      ...["-f", "lavfi", "-i", "testsrc2=size=1280x720:rate=25"],
      ...["-filter_complex", "[0][1]blend=all_opacity=0.7,noise=alls=6:allf=t,format=yuv420p"],
      ...["-frames:v", "6", "-c:v", "libx264", "-qp", "4", "-preset", "ultrafast"],
    );
    const raw = (height: number) => ({ file_pattern: `${height}.nut`, video: { codec: "raw", height } });
    const transcode = async (...targets: object[]) => {
      const work = await compiled("transcode", { location: { path: folder.path }, targets }, source);
      return perform(work, source, folder.path);
    };
    const direct = await vmaf((await transcode(raw(270)))[0] ?? "", source, folder.path);
    const ladder = await transcode(raw(720), raw(540), raw(270));
    const step = JSON.stringify(
      (await compiled("transcode", { location: { path: folder.path }, targets: [raw(540), raw(270)] }, source)).steps,
    );
    expect(step).toContain("split=outputs=2[v0_own][v1_in]");
    expect(Math.abs((await vmaf(ladder[2] ?? "", source, folder.path)) - direct)).toBeLessThan(0.1);
  },
);

test.skipIf(!ffmpegPath || !ffprobePath)(
  "files that share their sound are what they would be one by one",
  { timeout: 120_000 },
  async () => {
    await using folder = scratchFolder();
    const source = await clip(join(folder.path, "in.mkv"), { seconds: 2, tones: [[440, 1000]] });
    const audio = [{ codec: "aac", channels: 2, language: "en" }];
    const fast = { codec: "h264", preset: "ultrafast" };
    const rung = (height: number) => ({ file_pattern: `it's | ${height}.mp4`, video: { ...fast, height }, audio });
    const transcode = async (...targets: object[]) => {
      const work = await compiled("transcode", { location: { path: folder.path }, targets }, source);
      const paths = await perform(work, source, folder.path);
      return Promise.all(paths.map(streamsOf));
    };
    const [alone] = await transcode(rung(90));
    const together = await transcode(rung(180), rung(90));
    expect(together[1]).toEqual(alone);
    expect(together[0]?.sound).toEqual(alone?.sound);
  },
);

const streamsOf = async (path: string) => {
  const { video, audio } = await probe(path);
  const sound = (await ffmpeg(["-v", "error", "-i", path, "-map", "0:a", "-f", "md5", "-"])).toString();
  const told = audio.map(({ start, duration, language, codec }) => ({ start, duration, language, codec }));
  return {
    pictures: await frames(path),
    sound,
    told,
    stamps: video.map(({ start, duration }) => ({ start, duration })),
  };
};
