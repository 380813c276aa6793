import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { compiled, ffmpeg, ffmpegPath, ffprobePath, make, perform, scratchFolder } from "../helpers/media-tools.ts";

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
