import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { clip, frames, mov, named, pcm, samples, toneOf, tones, transcoded } from "../../helpers/media/clips.ts";
import { mediaNode } from "../../helpers/media/media-job.ts";
import { ffmpeg, ffmpegPath, ffprobePath, probe, scratchFolder } from "../../helpers/media/media-tools.ts";

const hasTools = ffmpegPath !== undefined && ffprobePath !== undefined;
if (!hasTools) console.warn("Media tests are skipped: there is no ffmpeg or no ffprobe");

const url = (path: string, more: object = {}) => ({ kind: "asset_url", payload: { url: path, ...more } });
const multi = (folder: string, ...names: readonly string[]) => ({
  kind: "asset_complex",
  payload: {
    kind: "multi",
    asset_versions: names.map((name) => ({ location: { path: folder }, asset_components: [named(name)] })),
  },
});
const route = (from: readonly number[], to: readonly number[]) => ({
  input: { track: from[0], ...(from[1] !== undefined && { channel: from[1] }) },
  output: { track: to[0], ...(to[1] !== undefined && { channel: to[1] }) },
});
const audio = (source: object[], more: object = {}) => ({ ...pcm(), source, ...more });

/** A film of a picture and a track of two tones, and one of two tracks of sound with a smaller picture. */
const madeIn = async (folder: string) => {
  const [one, other] = [join(folder, "a.mkv"), join(folder, "b.mkv")];
  await clip(one, { tones: [[300, 400]] });
  await clip(other, { size: "160x90", tones: [[500, 600], [700]] });
  return { one, other };
};

describe.skipIf(!hasTools)("several assets that reach one transcode", { timeout: 60_000 }, () => {
  test.each([
    ["from elements of their own", (folder: string) => [url(join(folder, "a.mkv")), url(join(folder, "b.mkv"))]],
    ["of one source of kind multi", (folder: string) => [multi(folder, "a.mkv", "b.mkv")]],
  ])("%s give the first one's picture and the sound of all", async (_name, source) => {
    await using folder = scratchFolder();
    const { one, other } = await madeIn(folder.path);
    const target = mov({ audio: [pcm(), pcm(), pcm()] });
    const { path, facts } = await transcoded(folder.path, source(folder.path), target);
    expect(facts.video).toMatchObject([{ width: 320, frames: 25 }]);
    expect(await frames(path)).toEqual(await frames(one));
    expect(await samples(path, 1, 1)).toEqual(await samples(other, 0, 1));
    expect(await tones(path, [0, 0], [0, 1], [1, 0], [1, 1], [2, 0])).toEqual([300, 400, 500, 600, 700]);
  });

  test("keep every sample when mono tracks become one, also of tracks that end earlier", async () => {
    await using folder = scratchFolder();
    const path = join(folder.path, "in.mov");
    const sines = [2, 2, 2, 2, 1, 2].flatMap((length, at) => [
      "-f",
      "lavfi",
      "-i",
      `sine=f=${300 + 100 * at}:d=${length}`,
    ]);
    const maps = [0, 1, 2, 3, 4, 5].flatMap((at) => ["-map", String(at)]);
    await ffmpeg(["-v", "error", ...sines, ...maps, "-c:a", "pcm_s16le", "-ar", "48000", path]);
    const all = audio([0, 1, 2, 3, 4, 5].map((track) => ({ track })));
    const target = { file_pattern: "out.mov", audio: [all] };
    const { path: made, facts } = await transcoded(folder.path, [url(path)], target);
    expect(facts.audio).toMatchObject([{ channels: 6, duration: { num: 2, den: 1 } }]);
    expect((await samples(made, 0, 0)).length).toBe(96_000);
  });

  test("are copied from Matroska as they are, whatever its rounded time stamps say", async () => {
    await using folder = scratchFolder();
    const { other } = await madeIn(folder.path);
    const target = { file_pattern: "out.mkv", audio: [{ codec: "copy", source: [{ track: 1 }] }] };
    const { path } = await transcoded(folder.path, [url(other)], target);
    expect(await samples(path, 0, 0)).toEqual(await samples(other, 1, 0));
  });

  test("are mapped together by the pipeline: the picture of one, the sound of the other", async () => {
    await using folder = scratchFolder();
    const { one } = await madeIn(folder.path);
    const map = [route([2, 0], [0, 0]), route([1, 1], [0, 1]), route([9], [1])];
    const contents = [{ kind: "video" }, { kind: "audio", mode: "optional_map", language: "Italian", map }];
    const whole = { source_pipeline: { contents: contents.map((each) => ({ ...each })) } };
    const source = [url(one), url(join(folder.path, "b.mkv"))];
    const { path, facts } = await transcoded(folder.path, source, mov(), whole);
    expect(facts.audio).toMatchObject([{ channels: 2, language: "ita" }]);
    expect([await frames(path), await tones(path, [0, 0], [0, 1])]).toEqual([await frames(one), [700, 600]]);
    const missing = { source_pipeline: { contents: [{ kind: "audio", mode: "complete_map", map }] } };
    await expect(transcoded(folder.path, source, mov(), missing)).rejects.toThrow(
      "transcode.payload.source_pipeline.contents.map[2] maps track 9, which the file does not have",
    );
  });

  test("are cut together, to the frame and to the sample", async () => {
    await using folder = scratchFolder();
    const { one, other } = await madeIn(folder.path);
    const cut = { source_pipeline: { trim: { inpoint_frame: 5, outpoint_frame: 15 } } };
    const target = mov({ audio: [pcm(), pcm()] });
    const { path } = await transcoded(folder.path, [url(one), url(other)], target, cut);
    expect(await frames(path)).toEqual((await frames(one)).slice(5, 15));
    expect(await samples(path, 1, 0)).toEqual((await samples(other, 0, 0)).slice(9600, 28_800));
  });

  test("may be made of parts themselves, each beginning with the film", async () => {
    await using folder = scratchFolder();
    const { one, other } = await madeIn(folder.path);
    const parts = { kind: "asset_urls", payload: { asset_urls: [{ url: one }, { url: one }] } };
    const { path } = await transcoded(folder.path, [parts, parts, url(other)], mov({ audio: [pcm(), pcm(), pcm()] }));
    const own = await frames(one);
    expect(await frames(path)).toEqual([...own, ...own]);
    const sound = await samples(path, 1, 1);
    expect([sound.length, toneOf(sound), ...(await tones(path, [0, 0]))]).toEqual([96_000, 400, 300]);
    expect((await samples(path, 2)).slice(0, 48_000)).toEqual(await samples(other, 0));
  });

  test("keep the uids of their versions, and a component may lie in a place of its own", async () => {
    await using folder = scratchFolder();
    await madeIn(folder.path);
    const elsewhere = { name: "b.mkv", location: { path: folder.path } };
    const versions = [
      { version_uid: "main", location: { path: folder.path }, asset_components: [named("a.mkv")] },
      { location: { path: join(folder.path, "nowhere") }, asset_components: [{ kind: "name", ...elsewhere }] },
    ];
    const source = { kind: "asset_complex", payload: { kind: "multi", asset_versions: versions } };
    const assets = await mediaNode(folder.path).assets(source);
    expect(assets.map(({ version, files }) => [version, files.map(({ uri }) => uri.split("/").at(-1))])).toEqual([
      ["main", ["a.mkv"]],
      ["source_1", ["b.mkv"]],
    ]);
  });

  test("may be sound without a picture, and subtitles that nobody asks for", async () => {
    await using folder = scratchFolder();
    const { one } = await madeIn(folder.path);
    const wav = join(folder.path, "music.wav");
    await ffmpeg(["-v", "error", "-f", "lavfi", "-i", "sine=frequency=900:sample_rate=48000:duration=1", wav]);
    const sidecar = named("film.vtt", {
      contents: [{ kind: "subtitle", payload: { format: "webvtt", language: "en" } }],
    });
    const source = {
      kind: "asset_complex",
      payload: {
        kind: "multi",
        asset_versions: [sidecar, named("music.wav"), named("a.mkv", { contents: [{ kind: "video" }] })].map(
          (each) => ({
            location: { path: folder.path },
            asset_components: [each],
          }),
        ),
      },
    };
    const { path } = await transcoded(folder.path, source, mov());
    expect([await frames(path), await tones(path, [0, 0])]).toEqual([await frames(one), [900]]);
  });
});

describe.skipIf(!hasTools)("a target's track of sound", { timeout: 60_000 }, () => {
  test("is mixed of the channels that it names, of one track or of several", async () => {
    await using folder = scratchFolder();
    const { one, other } = await madeIn(folder.path);
    const at = (track: number, channel: number) => ({ track, channel });
    const target = mov({
      audio: [
        audio([at(1, 1), at(0, 0)]),
        audio([at(1, 1)], { language: "Italian" }),
        audio([{ track: 0 }, { track: 2 }]),
        audio([{ track: 2 }]),
        audio([at(0, 1), at(0, 0)]),
      ],
    });
    const { path, facts } = await transcoded(folder.path, [url(one), url(other)], target);
    expect(facts.audio.map(({ channels, language }) => [channels, language])).toEqual([
      [2, undefined],
      [1, "ita"],
      [3, undefined],
      [1, undefined],
      [2, undefined],
    ]);
    const places = [
      [0, 0],
      [0, 1],
      [1, 0],
      [2, 0],
      [2, 1],
      [2, 2],
      [3, 0],
      [4, 0],
      [4, 1],
    ] as const;
    expect(await tones(path, ...places)).toEqual([600, 300, 600, 300, 400, 700, 700, 400, 300]);
    expect(await samples(path, 0, 1)).toEqual(await samples(one, 0, 0));
  });

  test("may be mixed of a sequence, cut as the target is", async () => {
    await using folder = scratchFolder();
    const { one, other } = await madeIn(folder.path);
    const parts = { kind: "asset_urls", payload: { asset_urls: [{ url: one }, { url: other }] } };
    const swapped = audio([
      { track: 0, channel: 1 },
      { track: 0, channel: 0 },
    ]);
    const target = mov({ audio: [swapped], trim: { inpoint_sec: 0.4, outpoint_sec: 1.2 } });
    const { path } = await transcoded(folder.path, parts, target);
    const [first, second] = [await samples(one, 0, 1), await samples(other, 0, 1)];
    expect(await samples(path, 0, 0)).toEqual(Int16Array.from([...first.slice(19_200), ...second.slice(0, 9600)]));
  });

  test("that names what is not there is refused, unless it is only made where the source has it", async () => {
    await using folder = scratchFolder();
    const { one } = await madeIn(folder.path);
    const wrong = (source: object) => transcoded(folder.path, url(one), mov({ audio: [audio([source])] }));
    await expect(wrong({ track: 1, channel: 0 })).rejects.toThrow(
      "transcode.payload.targets[0].audio[0].source needs audio track 1, the source has 1 audio track",
    );
    await expect(wrong({ track: 0, channel: 2 })).rejects.toThrow(
      "transcode.payload.targets[0].audio[0].source takes channel 2 of audio track 0, which has 2 channels",
    );
    const optional = audio([{ track: 1, channel: 0 }], { include_if_source_has: ["audio[1]"] });
    const { path } = await transcoded(folder.path, url(one), mov({ audio: [pcm(), optional] }));
    expect((await probe(path)).audio).toHaveLength(1);
  });
});
