import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  clip,
  frames,
  mov,
  named,
  pcm,
  samples,
  sequence,
  toneOf,
  tones,
  transcoded,
  video,
} from "../../helpers/media/clips.ts";
import { ffmpeg, ffmpegPath, ffprobePath, scratchFolder } from "../../helpers/media/media-tools.ts";

const hasTools = ffmpegPath !== undefined && ffprobePath !== undefined;
if (!hasTools) console.warn("Media tests are skipped: there is no ffmpeg or no ffprobe");

describe.skipIf(!hasTools)("with real ffmpeg", { timeout: 60_000 }, () => {
  test("clips in a sequence follow one another, frame by frame and sample by sample", async () => {
    await using folder = scratchFolder();
    const [one, other] = [join(folder.path, "a.mkv"), join(folder.path, "b.mkv")];
    await clip(one, { tones: [[440]] });
    await clip(other, { seconds: 2, tones: [[880]] });
    const part = named("b.mkv", { trim: { inpoint_sec: 0.4, outpoint_sec: 1.2 } });
    const { path } = await transcoded(folder.path, sequence(folder.path, named("a.mkv"), part, named("a.mkv")), mov());
    const [a, b] = [await frames(one), await frames(other)];
    expect(await frames(path)).toEqual([...a, ...b.slice(10, 30), ...a]);
    const sound = await samples(path);
    const [first, second] = [await samples(one), await samples(other)];
    expect(sound).toEqual(Int16Array.from([...first, ...second.slice(19_200, 57_600), ...first]));
  });

  test("a part of a whole sequence is cut exactly, across its joints", async () => {
    await using folder = scratchFolder();
    const [one, other] = [join(folder.path, "a.mkv"), join(folder.path, "b.mkv")];
    await clip(one, { tones: [[440]] });
    await clip(other, { tones: [[880]] });
    const source = sequence(folder.path, named("a.mkv"), named("b.mkv"), named("a.mkv"));
    const pipeline = { source_pipeline: { trim: { inpoint_frame: 20, outpoint_frame: 55 } } };
    const { path } = await transcoded(folder.path, source, mov(), pipeline);
    const [a, b] = [await frames(one), await frames(other)];
    expect(await frames(path)).toEqual([...a.slice(20), ...b, ...a.slice(0, 5)]);
    const [first, second] = [await samples(one), await samples(other)];
    expect(await samples(path)).toEqual(Int16Array.from([...first.slice(38_400), ...second, ...first.slice(0, 9600)]));
  });

  test("parts of another size, rate, sample rate and layout become like the first, and nothing drifts", async () => {
    await using folder = scratchFolder();
    await clip(join(folder.path, "a.mkv"), { tones: [[440]] });
    const other = { rate: "30000/1001", size: "160x160", seconds: 2.002, tones: [[880, 660]], sampleRate: 44_100 };
    await clip(join(folder.path, "b.mkv"), other);
    const source = sequence(folder.path, named("a.mkv"), named("b.mkv"), named("a.mkv"));
    const { path, facts } = await transcoded(folder.path, source, mov());
    expect(facts.video[0]).toMatchObject({ width: 320, height: 180, frameRate: { num: 25, den: 1 }, frames: 100 });
    expect(facts.audio).toMatchObject([{ channels: 2, sampleRate: 48_000 }]);
    const [a, all] = [await frames(join(folder.path, "a.mkv")), await frames(path)];
    expect([all.slice(0, 25), all.slice(75)]).toEqual([a, a]);
    const [left, right] = [await samples(path, 0, 0), await samples(path, 0, 1)];
    expect(left.length).toBe(48_000 * 4);
    const parts = (sound: Int16Array) =>
      [sound.slice(0, 48_000), sound.slice(48_000, 144_000), sound.slice(144_000)].map(toneOf);
    expect([parts(left), parts(right)]).toEqual([
      [440, 880, 440],
      [440, 660, 440],
    ]);
  });

  test("black and silence are generated at the head and the tail", async () => {
    await using folder = scratchFolder();
    await clip(join(folder.path, "a.mkv"), { tones: [[440, 880]] });
    const black = {
      kind: "generated",
      component_descriptor: {
        video: { width: 640, height: 360, frame_rate: 24 },
        audio: [{ channels: 1, sample_rate: 48_000 }],
      },
      trim: { outpoint_sec: 0.4 },
    };
    const { path } = await transcoded(folder.path, sequence(folder.path, black, named("a.mkv"), black), mov());
    const all = await frames(path);
    expect([all.length, new Set([...all.slice(0, 10), ...all.slice(35)]).size]).toEqual([45, 1]);
    expect(all.slice(10, 35)).toEqual(await frames(join(folder.path, "a.mkv")));
    const sound = await samples(path, 0, 1);
    const parts = [sound.slice(0, 19_200), sound.slice(19_200, 67_200), sound.slice(67_200)];
    expect([sound.length, ...parts.map(toneOf)]).toEqual([86_400, 0, 880, 0]);
  });

  test("one film comes from several files, its sound mapped by track and channel", async () => {
    await using folder = scratchFolder();
    await clip(join(folder.path, "picture.mkv"), { tones: [[300, 400]] });
    await clip(join(folder.path, "sound.mkv"), { tones: [[500, 600], [700]] });
    const route = (from: [number, number], to: [number, number]) => ({
      input: { track: from[0], channel: from[1] },
      output: { track: to[0], channel: to[1] },
    });
    const source = sequence(folder.path, [
      named("picture.mkv", {
        contents: [{ kind: "video" }, { kind: "audio", map: [route([0, 0], [0, 0]), route([0, 1], [1, 0])] }],
      }),
      named("sound.mkv", {
        contents: [
          {
            kind: "audio",
            language: "Italian",
            map: [route([1, 0], [2, 0]), route([0, 1], [2, 1]), route([0, 0], [-1, -1])],
          },
        ],
      }),
    ]);
    const target = mov({ audio: [pcm(), pcm(), pcm()] });
    const { path, facts } = await transcoded(folder.path, source, target);
    expect(facts.audio.map(({ channels, language }) => [channels, language])).toEqual([
      [1, undefined],
      [1, undefined],
      [2, "ita"],
    ]);
    expect(await tones(path, [0, 0], [1, 0], [2, 0], [2, 1])).toEqual([300, 400, 700, 600]);
    expect(await frames(path)).toEqual(await frames(join(folder.path, "picture.mkv")));
  });

  test("channels of different tracks that were joined stay in time to the sample", async () => {
    await using folder = scratchFolder();
    await clip(join(folder.path, "a.mkv"), { tones: [[440], [660]] });
    const map = [0, 1].map((track) => ({ input: { track, channel: 0 }, output: { track: 0, channel: track } }));
    const source = {
      kind: "asset_url",
      payload: { url: join(folder.path, "a.mkv"), trim: { inpoint_sec: 0.2 }, contents: [{ kind: "audio", map }] },
    };
    const { path } = await transcoded(folder.path, source, {
      file_pattern: "out.wav",
      container: { kind: "mov" },
      audio: [pcm()],
    });
    const own = [await samples(join(folder.path, "a.mkv"), 0), await samples(join(folder.path, "a.mkv"), 1)];
    expect([await samples(path, 0, 0), await samples(path, 0, 1)]).toEqual(own.map((sound) => sound.slice(9600)));
  });

  test("numbered pictures are a film", async () => {
    await using folder = scratchFolder();
    mkdirSync(join(folder.path, "100% of it"));
    const pictures = join(folder.path, "100% of it", "p_%04d.png");
    await ffmpeg([
      "-v",
      "error",
      "-f",
      "lavfi",
      "-i",
      "testsrc2=size=64x64:rate=24:duration=0.5",
      "-start_number",
      "7",
      pictures.replace("100%", "100%%"),
    ]);
    const component = {
      kind: "image_sequence",
      image_sequence: { base: "p_%04d.png", frame_rate: "24000/1001", start_number: 7 },
    };
    const source = sequence(join(folder.path, "100% of it"), component);
    const { facts, path } = await transcoded(
      folder.path,
      source,
      mov({ video: { ...video, chroma_format: "yuv420p" }, audio: undefined }),
    );
    expect(facts.video[0]).toMatchObject({ width: 64, frames: 12, frameRate: { num: 24_000, den: 1001 } });
    expect(new Set(await frames(path)).size).toBe(12);
  });

  test("sound that the source lacks is silence where it is asked for, and refused otherwise", async () => {
    await using folder = scratchFolder();
    await clip(join(folder.path, "a.mkv"), { tones: [] });
    const source = (options: object) => ({ kind: "asset_url", payload: { url: join(folder.path, "a.mkv"), options } });
    await expect(transcoded(folder.path, source({}), mov())).rejects.toThrow("the source has no audio track");
    const { path } = await transcoded(
      folder.path,
      source({ auto_generate_silence_tracks: true }),
      mov({ audio: [pcm(2)] }),
    );
    const sound = await samples(path);
    expect([sound.length, toneOf(sound)]).toEqual([48_000, 0]);
  });
});
