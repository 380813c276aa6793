import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { unmetExpectations } from "../../../media/ffmpeg/verify.ts";
import { share } from "../../helpers/long.ts";
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

const hasTools = ffmpegPath !== undefined && ffprobePath !== undefined;
if (!hasTools) console.warn("Sound beside pictures is not measured: there is no ffmpeg or no ffprobe");

const tape = { width: 720, height: 576, ar_max_distortion: 100, bitrate_kb: 50_000 };
const containers = {
  mxf: { container: { kind: "mxf" }, video: { codec: "mpeg2", bitrate_kb: 5000 } },
  mxf_d10: { container: { kind: "mxf_d10" }, video: { codec: "mpeg2", ...tape, add_vbi_if_needed: true } },
  "mxf of dnxhd": { container: { kind: "mxf" }, video: { codec: "dnxhd", width: 1280, height: 720 } },
} as const;

const rates = { 25: "25", 29.97: "30000/1001" } as const;
/** Seconds of sound beside about five of pictures. */
const sounds = [4.5, 2, 4.98, 9] as const;

const cases = (Object.keys(containers) as (keyof typeof containers)[]) // Object.keys forgets the names
  .flatMap((name) =>
    Object.entries(rates).flatMap(([word, rate]) => sounds.map((sound) => ({ name, word, rate, sound }))),
  )
  // Tapes of 576 lines have 25 pictures a second.
  .filter(({ name, word }) => name !== "mxf_d10" || word === "25");
const chosen = share(cases, ({ name, sound, word }) => name === "mxf" && sound === 4.5 && word === "25", 4);

const pictures = 125;

/** Samples of the first channel, between -1 and 1. */
const samplesOf = async (path: string): Promise<Float32Array> => {
  const raw = await ffmpeg(["-v", "error", "-i", path, "-map", "0:a:0", "-ac", "1", "-f", "f32le", "-"]);
  return new Float32Array(raw.buffer, raw.byteOffset, raw.byteLength / 4);
};
const loudness = (samples: Float32Array): number => samples.reduce((most, each) => Math.max(most, Math.abs(each)), 0);

describe.skipIf(!hasTools)("a container that holds the sound of each picture", { timeout: 120_000 }, () => {
  test.each(chosen)("$name at $word keeps every picture beside $sound s of sound", async ({ name, rate, sound }) => {
    await using folder = scratchFolder();
    const film = await make(
      join(folder.path, "film.mov"),
      ...["-f", "lavfi", "-i", `testsrc2=size=640x360:rate=${rate}`],
      ...["-f", "lavfi", "-i", `sine=frequency=440:sample_rate=48000:duration=${sound}`],
      ...["-frames:v", String(pictures), "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p"],
      ...["-c:a", "pcm_s16le"],
    );
    const target = { file_pattern: "out.mxf", ...containers[name], audio: [{ codec: "pcm" }] };
    const work = await compiled("transcode", { location: { path: folder.path }, targets: [target] }, film);
    const [path = ""] = await perform(work, film, folder.path);
    expect(unmetExpectations(work.outputs.t0?.expect ?? {}, await probe(path))).toEqual([]);
    const shown = await ffmpeg(["-v", "error", "-i", path, "-map", "0:v", "-f", "framemd5", "-"]);
    expect(shown.toString().match(/^0,/gm)).toHaveLength(pictures);
    const heard = await samplesOf(path);
    const seconds = pictures / (rate === "25" ? 25 : 30_000 / 1001);
    expect(Math.abs(heard.length / 48_000 - seconds)).toBeLessThan(0.05);
    const end = Math.min(sound, seconds);
    expect(loudness(heard.subarray(0, (end - 0.1) * 48_000))).toBeGreaterThan(0.05);
    expect(loudness(heard.subarray((end + 0.05) * 48_000))).toBe(0);
  });
});
