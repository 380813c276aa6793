import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { buildMediaInfo } from "../../../media/formats/media-info.ts";
import { fastH264, ffmpegPath, ffprobePath, make, probe, scratchFolder } from "../../helpers/media/media-tools.ts";

const folder = scratchFolder();
afterAll(() => folder[Symbol.asyncDispose]());

const hasMediaInfo = (() => {
  try {
    return execFileSync("mediainfo", ["--Version"]).length > 0;
  } catch {
    return false;
  }
})();
const canRun = ffmpegPath !== undefined && ffprobePath !== undefined && hasMediaInfo;
const title = `says of a file what MediaInfo says${canRun ? "" : " (skipped: there is no ffmpeg, ffprobe or MediaInfo)"}`;

type Track = Readonly<Record<string, string>>;

test.skipIf(!canRun)(title, async () => {
  const path = await make(
    join(folder.path, "film.mp4"),
    ...["-f", "lavfi", "-i", "testsrc2=s=160x90:r=25:d=2", "-f", "lavfi", "-i", "sine=r=48000:d=2"],
    ...[...fastH264(), "-c:a", "aac", "-metadata", "creation_time=2026-01-02T03:04:05Z", "-brand", "mp42"],
  );
  const text = execFileSync("mediainfo", ["--Output=JSON", path], { encoding: "utf8" });
  const { media } = JSON.parse(text) as { media: { track: Track[] } }; // MediaInfo's own form
  const [general, video, audio] = media.track;
  const [asset, picture, sound] = buildMediaInfo(await probe(path), { url: path });
  expect(asset?.ASSET).toMatchObject({
    format_profile: general?.Format_Profile,
    creator: general?.Encoded_Application,
    format_compatibility: general?.CodecID_Compatible,
  });
  expect([picture?.stream_size, sound?.stream_size].map((size) => Math.round(Number(size) / 100))).toEqual(
    [video?.StreamSize, audio?.StreamSize].map((size) => Math.round(Number(size) / 100)),
  );
});
