import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { readResult } from "../../../media/results/index.ts";
import { first } from "../../helpers/long.ts";
import { mediaNode } from "../../helpers/media/media-job.ts";
import { ffmpegPath, ffprobePath, make, scratchFolder } from "../../helpers/media/media-tools.ts";
import { truePeakOf } from "../../helpers/media/true-peak.ts";

const hasTools = ffmpegPath !== undefined && ffprobePath !== undefined;
if (!hasTools) console.warn("Peaks behind encoders are not measured: there is no ffmpeg or no ffprobe");

/** Debian's build, beside the one that the node uses: another decoder. */
const otherBuild = existsSync("/usr/bin/ffmpeg") ? "/usr/bin/ffmpeg" : (ffmpegPath ?? "");

const decoded = async (path: string): Promise<Float32Array> => {
  const words = ["-v", "error", "-i", path, "-map", "0:a:0", "-f", "f32le", "-"];
  const { stdout } = await promisify(execFile)(otherBuild, words, { encoding: "buffer", maxBuffer: 1 << 28 });
  return new Float32Array(stdout.buffer.slice(stdout.byteOffset, stdout.byteOffset + stdout.byteLength));
};

/** Chords with hard beginnings and short noises, whose peaks leave one gain no room. */
const music = (folder: string) => {
  const side = (more: number) => {
    const chord = [220, 277, 330].map((pitch) => `sin(2*PI*${pitch + more}*t)`).join("+");
    const high = `0.6*sin(2*PI*${1760 - more}*t)+0.4*sin(2*PI*${5200 + more}*t)`;
    return `0.06*exp(-3*mod(t,0.5))*(${chord}+${high})+0.5*exp(-90*mod(t,0.25))*(random(${more})*2-1)`;
  };
  const sound = `aevalsrc='${side(0)}|${side(1)}':s=48000:d=6`;
  return make(join(folder, "in.wav"), "-f", "lavfi", "-i", sound, "-af", "adelay=200:all=1", "-c:a", "pcm_f32le");
};

const normalized = async (folder: string, path: string, audio: object, level: object, more: object = {}) => {
  const node = mediaNode(folder);
  const assets = await node.assets({ kind: "asset_url", payload: { url: path } });
  const filters = [{ kind: "normalize", payload: { kind: "ebur128", payload: level } }];
  const target = { file_pattern: "out.mkv", existing_files: "replace", audio: [{ ...audio, filters }], ...more };
  const payload = { location: { path: join(folder, "out") }, targets: [target] };
  const { paths, log, results } = await node.perform(await node.work(payload, assets));
  const told = Object.values(results).flatMap((result) => readResult("told", result) ?? []);
  return { path: paths[0] ?? "", log, told };
};

/** A quiet noise with a click every half second. */
const clicking = (folder: string) =>
  make(
    join(folder, "in.wav"),
    ...["-f", "lavfi", "-i", "anoisesrc=d=9:r=48000:seed=11:color=pink:a=0.2", "-f", "lavfi", "-i"],
    ...["aevalsrc='0.9*lt(mod(t,0.5),0.004)*sin(2*PI*900*t)':s=48000:d=9"],
    ...["-filter_complex", "amix=normalize=0,aformat=channel_layouts=stereo"],
  );

describe.skipIf(!hasTools)("a sound that a lossy codec gets at its level", { timeout: 120_000 }, () => {
  test.each(
    first([
      [{ codec: "aac", bitrate_kb: 160 }],
      [{ codec: "ac3", bitrate_kb: 192 }],
      [{ codec: "eac3", bitrate_kb: 96 }],
      [{ codec: "mp3", bitrate_kb: 128 }],
      [{ codec: "opus", bitrate_kb: 64 }],
      [{ codec: "mp2", bitrate_kb: 192 }],
      [{ codec: "vorbis", bitrate_kb: 96 }],
      [{ codec: "heaac_v1", bitrate_kb: 48 }],
    ]),
  )("has true peaks below their limit behind %j, as another decoder finds", async (audio) => {
    await using folder = scratchFolder();
    const path = await clicking(folder.path);
    const made = await normalized(folder.path, path, audio, { integrated_lufs: -16, true_peak_dbfs: -3 });
    const peak = truePeakOf(await decoded(made.path), 2);
    // The farm allows two tenths, and meters differ by one.
    expect(peak).toBeLessThanOrEqual(-2.7);
    expect(peak).toBeGreaterThan(-6);
    expect(made.told).toEqual([]);
  });

  test("tells the peaks that another decoder finds, where an encoder never makes the same of it twice", async () => {
    await using folder = scratchFolder();
    const path = await clicking(folder.path);
    const audio = { codec: "aac", bitrate_kb: 96 };
    const made = await normalized(folder.path, path, audio, { integrated_lufs: -16, true_peak_dbfs: -3 });
    const peak = truePeakOf(await decoded(made.path), 2);
    const told = Number(/encoded as aac: .* peaks of (-\d+\.\d) dBTP/.exec(made.told.join())?.[1] ?? -3);
    expect(peak).toBeLessThan(told + 0.3);
  });

  test("has one gain, and is encoded once, where its peaks have room for the encoder", async () => {
    await using folder = scratchFolder();
    const path = await clicking(folder.path);
    const audio = { codec: "aac", bitrate_kb: 128 };
    const made = await normalized(folder.path, path, audio, { integrated_lufs: -40, true_peak_dbfs: -1 });
    expect(made.log.match(/^\$ ffmpeg/gm)).toHaveLength(2);
    expect(truePeakOf(await decoded(made.path), 2)).toBeLessThan(-3);
  });

  test("tells what an encoder makes of it that leaves no peak as it was, and fails a strict target", async () => {
    await using folder = scratchFolder();
    const path = await music(folder.path);
    const [audio, level] = [
      { codec: "opus", bitrate_kb: 24 },
      { integrated_lufs: -8, true_peak_dbfs: -9 },
    ];
    const { told, path: file } = await normalized(folder.path, path, audio, level);
    const words =
      /filters\[0\], encoded as opus: the sound has (-\d+\.\d) LUFS and peaks of (-\d+\.\d) dBTP instead of/;
    const [, , peak] = words.exec(told.join()) ?? [];
    expect(Number(peak)).toBeCloseTo(truePeakOf(await decoded(file), 2), 0);
    const strict = normalized(folder.path, path, audio, level, { parameter_compliance: "strict" });
    await expect(strict).rejects.toThrow("encoded as opus");
  });
});
