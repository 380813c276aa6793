import { execFile } from "node:child_process";
import { appendFileSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import type { Clock } from "../../../shared/basics/clock.ts";
import { systemClock } from "../../../shared/basics/system-clock.ts";
import { createHurriedClock } from "../../helpers/clock.ts";
import { mediaNode } from "../../helpers/media/media-job.ts";
import { fastH264, ffmpegPath, ffprobePath, make, probe, scratchFolder } from "../../helpers/media/media-tools.ts";
import { framesOf } from "./exactness/measure.ts";

const hasTools = ffmpegPath !== undefined && ffprobePath !== undefined;
if (!hasTools) console.warn("Media tests are skipped: there is no ffmpeg or no ffprobe");

const picture = ["-f", "lavfi", "-i", "testsrc2=size=128x72:rate=25:duration=4"];
const h264 = fastH264({ group: 25 });
const run = promisify(execFile);

/** A writer that takes as long as the film lasts. */
const writeSlowly = (path: string, ...more: readonly string[]): Promise<unknown> =>
  run(ffmpegPath ?? "ffmpeg", ["-v", "error", "-nostdin", "-re", ...picture, ...h264, ...more, path]);

/** For those that no writer has to keep up with. */
const hurried = createHurriedClock(10);

const framesMade = async (
  folder: string,
  url: string,
  options: object,
  waits: Clock = systemClock,
): Promise<number> => {
  const node = mediaNode(folder, undefined, waits);
  const assets = await node.assets({ kind: "asset_url", payload: { url, options } });
  const target = { file_pattern: "out.nut", video: { codec: "raw" } };
  const { paths } = await node.perform(
    await node.work({ location: { path: join(folder, "out") }, targets: [target] }, assets),
  );
  return (await framesOf(paths[0] ?? "")).length;
};

describe.skipIf(!hasTools).concurrent("a source that is still being written", { timeout: 120_000 }, () => {
  test("as a transport stream is taken when its writer has stopped", async () => {
    await using folder = scratchFolder();
    const path = join(folder.path, "in.ts");
    const [count] = await Promise.all([
      framesMade(folder.path, path, { wait_for_source_timeout_sec: 90 }),
      writeSlowly(path, "-flush_packets", "1"),
    ]);
    expect(count).toBe(100);
  });

  test("as an MP4 is not taken without its index, however long its writer pauses", async () => {
    await using folder = scratchFolder();
    const whole = readFileSync(await make(join(folder.path, "whole.mp4"), ...picture, ...h264));
    const path = join(folder.path, "in.mp4");
    const half = Math.floor(whole.length / 2);
    writeFileSync(path, whole.subarray(0, half));
    const write = async () => {
      await pause(750); // ten times as much by the hurried clock: longer than a file must be still to count as complete
      appendFileSync(path, whole.subarray(half));
    };
    const options = { wait_for_source_timeout_sec: 900 };
    const [count] = await Promise.all([framesMade(folder.path, path, options, hurried), write()]);
    expect(count).toBe(100);
  });

  test("as a playlist is read again until it says that it ends, its segments among it", async () => {
    await using folder = scratchFolder();
    const path = join(folder.path, "live.m3u8");
    const options = { resolve_manifest: true, wait_for_source_timeout_sec: 90 };
    const segments = ["-f", "hls", "-hls_time", "1", "-hls_list_size", "0", "-hls_playlist_type", "event"];
    const [count] = await Promise.all([framesMade(folder.path, path, options), writeSlowly(path, ...segments)]);
    expect(count).toBe(100);
  });

  test("as numbered pictures is taken when no more of them come", async () => {
    await using folder = scratchFolder();
    const first = await make(
      join(folder.path, "p.png"),
      "-f",
      "lavfi",
      "-i",
      "color=size=64x64:d=0.04",
      "-frames:v",
      "1",
    );
    const images = join(folder.path, "images");
    mkdirSync(images);
    const write = async () => {
      for (let number = 0; number < 12; number += 1) {
        copyFileSync(first, join(images, `p_${number}.png`));
        await pause(200);
      }
    };
    const options = { wait_for_source_timeout_sec: 90 };
    const component = { kind: "image_sequence", image_sequence: { base: "p_%d.png" }, options };
    const version = { location: { path: images }, asset_components: [component] };
    const node = mediaNode(folder.path);
    const source = { kind: "asset_complex", payload: { kind: "sequence", asset_versions: [version] } };
    const [assets] = await Promise.all([node.assets(source), write()]);
    expect(assets[0]?.files[0]?.images?.count).toBe(12);
  });

  test("is given up in words when it does not end in time", async () => {
    await using folder = scratchFolder();
    const [playlist, film] = [join(folder.path, "live.m3u8"), join(folder.path, "in.mp4")];
    writeFileSync(playlist, "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\na.ts\n");
    await make(film, ...picture, ...h264);
    writeFileSync(film, readFileSync(film).subarray(0, 3000));
    const wait = (url: string, more: object = {}) =>
      framesMade(folder.path, url, { wait_for_source_timeout_sec: 7, ...more }, hurried);
    const [one, other] = await Promise.allSettled([wait(playlist, { resolve_manifest: true }), wait(film)]);
    expect([one, other].map((end) => (end.status === "rejected" ? end.reason.message : "made"))).toEqual([
      `file://${playlist} is a playlist that still grows: it has no #EXT-X-ENDLIST (waited for 7 s)`,
      `file://${film} was not complete after 7 s: its end is missing`,
    ]);
    expect((await probe(await make(film, ...picture, ...h264))).video).toHaveLength(1);
  });
});
