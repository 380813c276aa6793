import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { clip, transcoded } from "../../helpers/media/clips.ts";
import { ffmpeg, ffmpegPath, ffprobePath, scratchFolder } from "../../helpers/media/media-tools.ts";

const hasTools = ffmpegPath !== undefined && ffprobePath !== undefined;
if (!hasTools) console.warn("Media tests are skipped: there is no ffmpeg or no ffprobe");

const local = (path: string) => ({ kind: "asset_url", payload: { storage_provider: "local", url: path } });

/** The least likeness of two films, picture by picture, in dB. */
const leastLikeness = async (a: string, b: string): Promise<{ readonly least: number; readonly frames: number }> => {
  const graph =
    "[0:v]settb=1/24,setpts=N,format=yuv420p[a];[1:v]settb=1/24,setpts=N,format=yuv420p[b];[a][b]psnr=stats_file=-:shortest=1";
  const text = (await ffmpeg(["-v", "error", "-i", a, "-i", b, "-lavfi", graph, "-f", "null", "/dev/null"])).toString();
  const each = [...text.matchAll(/psnr_y:([\d.]+|inf)/g)].map(([, value]) => (value === "inf" ? 100 : Number(value)));
  return { least: Math.min(...each), frames: each.length };
};

describe.skipIf(!hasTools)("film", { timeout: 120_000 }, () => {
  test("that became fields in turns of 2 and 3 becomes the same film again, picture by picture", async () => {
    await using folder = scratchFolder();
    const film = await clip(join(folder.path, "film.mkv"), {
      rate: "24000/1001",
      size: "640x480",
      seconds: 4,
      tones: [],
    });
    const video = (more: object) => ({ codec: "prores", smart_temporal_conversions: true, ...more });
    const target = (name: string, more: object) => ({ file_pattern: name, video: video(more) });
    const fields = await transcoded(
      folder.path,
      local(film),
      target("fields.mov", { frame_rate: "30000/1001", interlace_mode: "tff" }),
    );
    expect(fields.facts.video[0]).toMatchObject({ frameRate: { num: 30000, den: 1001 } });
    const again = await transcoded(
      folder.path,
      local(fields.path),
      target("again.mov", { frame_rate: "24000/1001", interlace_mode: "progressive" }),
    );
    expect(again.facts.video[0]?.frameRate).toEqual({ num: 24000, den: 1001 });
    const { least, frames } = await leastLikeness(film, again.path);
    expect(frames).toBeGreaterThanOrEqual(94);
    expect(least).toBeGreaterThan(30);
  });
});
