import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { first } from "../../helpers/long.ts";
import { filtered, lumaOf, rawFrames, soundOf } from "../../helpers/media/filtered.ts";
import { mediaNode } from "../../helpers/media/media-job.ts";
import { ffmpegPath, ffprobePath, make, probe, scratchFolder } from "../../helpers/media/media-tools.ts";

const hasTools = ffmpegPath !== undefined && ffprobePath !== undefined;
if (!hasTools) console.warn("Media tests are skipped: there is no ffmpeg or no ffprobe");

const [width, height] = [96, 64];
const grey = (folder: string, name: string, level: number) =>
  make(
    join(folder, name),
    ...["-f", "lavfi", "-i", `nullsrc=size=${width}x${height}:rate=25:duration=0.4,geq=lum=${level}:cb=128:cr=128`],
    ...["-pix_fmt", "yuv420p", "-c:v", "ffv1"],
  );

describe.skipIf(!hasTools)("filters of the source pipeline", { timeout: 60_000 }, () => {
  test("stand before the targets, which see what they leave", async () => {
    await using folder = scratchFolder();
    const path = await grey(folder.path, "in.mkv", 100);
    const video = [
      { kind: "crop", payload: { left: 16 } },
      { kind: "fade", payload: { duration_sec: 0.2 }, include_conditions: ["source.video.width > 1000"] },
    ];
    const made = await filtered(folder.path, path, { video: {} }, { pipeline: { filters: [{ video }] } });
    expect((await probe(made.path)).video[0]).toMatchObject({ width: 80, height: 64 });
    expect((await rawFrames(made.path, 80 * 96)).length).toBe(10);
  });

  test.each(
    first([
      ["last", [100, 60]],
      ["first", [60, 200]],
      [1, [100, 60]],
    ]),
  )("selected by %s are for that version of a sequence alone", async (selector, expected) => {
    await using folder = scratchFolder();
    const [one, two] = [await grey(folder.path, "a.mkv", 100), await grey(folder.path, "b.mkv", 200)];
    const component = (uid: string, name: string) => ({
      version_uid: uid,
      asset_components: [{ kind: "name", name, location: { path: folder.path } }],
    });
    const node = mediaNode(folder.path);
    const versions = [component("first", "a.mkv"), component("second", "b.mkv")];
    const assets = await node.assets({
      kind: "asset_complex",
      payload: { kind: "sequence", asset_versions: versions },
    });
    // A box over everything tells which version was filtered.
    const box = {
      kind: "extenc",
      payload: { extenc_filter: "drawbox=x=0:y=0:width=96:height=64:color=0x333333:thickness=fill" },
    };
    const target = { file_pattern: "out.nut", video: { codec: "raw" } };
    const work = await node.work(
      {
        location: { path: join(folder.path, "out") },
        targets: [target],
        source_pipeline: { filters: [{ selector, video: [box] }] },
      },
      assets,
    );
    const { paths } = await node.perform(work);
    const lumas = (await lumaOf(paths[0] ?? "", width, height)).map(({ data }) => data[0] ?? 0);
    expect([lumas.length, lumas[0], lumas.at(-1), one === two]).toEqual([20, ...expected, false]);
  });

  test("of sound are for every track, measured first where that is needed", async () => {
    await using folder = scratchFolder();
    const path = await make(
      join(folder.path, "in.wav"),
      "-f",
      "lavfi",
      "-i",
      "sine=frequency=440:duration=1:sample_rate=48000",
    );
    const audio = [{ kind: "normalize", payload: { kind: "peak", payload: { peak_level_db: -6 } } }];
    const made = await filtered(folder.path, path, { audio: {} }, { pipeline: { filters: [{ audio }] } });
    const loudest = (await soundOf(made.path)).reduce((a, b) => Math.max(a, Math.abs(b)), 0);
    expect([20 * Math.log10(loudest)].map((level) => level.toFixed(2))).toEqual(["-6.00"]);
    expect(made.log.match(/^\$ ffmpeg/gm)).toHaveLength(2);
  });

  test("several tracks are one programme: one gain for all of them, by all of them", async () => {
    await using folder = scratchFolder();
    const tone = (frequency: number, volume: number) =>
      `sine=frequency=${frequency}:duration=1:sample_rate=48000,volume=${volume}`;
    const path = await make(
      join(folder.path, "in.mka"),
      ...[
        "-f",
        "lavfi",
        "-i",
        tone(400, 4),
        "-f",
        "lavfi",
        "-i",
        tone(700, 1),
        "-map",
        "0",
        "-map",
        "1",
        "-c:a",
        "pcm_s24le",
      ],
    );
    const filters = [{ kind: "normalize", payload: { kind: "peak", payload: { peak_level_db: -20 } } }];
    const multi_track_audio_processing = [{ source: [{ track: 0 }, { track: 1, channel: 0 }], filters }];
    const loudest = async (track: number) => {
      const made = await filtered(
        folder.path,
        path,
        { audio: { source: [{ track }] } },
        { pipeline: { multi_track_audio_processing } },
      );
      return 20 * Math.log10((await soundOf(made.path)).reduce((a, b) => Math.max(a, Math.abs(b)), 0));
    };
    // The second track was 12 dB below the first.
    expect([(await loudest(0)).toFixed(1), (await loudest(1)).toFixed(1)]).toEqual(["-20.0", "-32.0"]);
  });

  test("are refused where they name a version that the source lacks", async () => {
    await using folder = scratchFolder();
    const path = await grey(folder.path, "in.mkv", 100);
    const pipeline = { filters: [{ selector: "third", video: [] }] };
    await expect(filtered(folder.path, path, { video: {} }, { pipeline })).rejects.toThrow(
      'source_pipeline.filters: the source has no version "third"',
    );
  });
});
