import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { first } from "../../helpers/long.ts";
import { mediaNode } from "../../helpers/media/media-job.ts";
import { fastH264, ffmpegPath, ffprobePath, make, probe, scratchFolder } from "../../helpers/media/media-tools.ts";
import { framesOf, samplesOf } from "./exactness/measure.ts";

const hasTools = ffmpegPath !== undefined && ffprobePath !== undefined;
if (!hasTools) console.warn("Copies of edit lists are not tried: there is no ffmpeg or no ffprobe");

/** Moves the one edit of each track by seconds of its media, and makes it so long. */
const edited = (path: string, later: number, seconds: number, into: string): string => {
  const bytes = readFileSync(path);
  const movieScale = bytes.readUInt32BE(bytes.indexOf("mvhd") + 16);
  for (let [list, head] = [bytes.indexOf("elst"), bytes.indexOf("mdhd")]; list > 0; ) {
    bytes.writeUInt32BE(Math.round(seconds * movieScale), list + 12);
    const scale = bytes.readUInt32BE(head + 16);
    bytes.writeInt32BE(bytes.readInt32BE(list + 16) + Math.round(later * scale), list + 16);
    [list, head] = [bytes.indexOf("elst", list + 4), bytes.indexOf("mdhd", head + 4)];
  }
  writeFileSync(into, bytes);
  return into;
};

/** A tone that begins after 0.4 seconds of each half, as a clapper does. */
const clap = "aevalsrc='0.5*gt(mod(t,0.5),0.4)*sin(2*PI*1000*t)':s=48000:d=2";

const folder = scratchFolder();
const node = mediaNode(folder.path);
afterAll(() => folder[Symbol.asyncDispose]());

describe.skipIf(!hasTools)("a copy of what an edit list hides", { timeout: 60_000 }, () => {
  const films = new Map<number, string>();
  beforeAll(async () => {
    for (const between of [0, 2]) {
      const path = join(folder.path, `film${between}.mp4`);
      const film = ["-f", "lavfi", "-i", "testsrc2=size=128x72:rate=25:duration=2", "-f", "lavfi", "-i", clap];
      films.set(between, await make(path, ...film, ...fastH264({ group: 12, between }), "-c:a", "aac"));
    }
  });
  const copied = (between: number, later: number, name: string, sound = "copy") =>
    madeOf(between, later, { file_pattern: name, video: { codec: "copy" }, audio: [{ codec: sound }] });
  const madeOf = async (between: number, later: number, target: object) => {
    const film = films.get(between) ?? "";
    const url = edited(film, later, 1.08, join(folder.path, `in${between}${later}.mp4`));
    const assets = await node.assets({ kind: "asset_url", payload: { url } });
    const payload = {
      location: { path: join(folder.path, "out") },
      targets: [{ existing_files: "replace", ...target }],
    };
    const { made, warnings } = await node.all("transcode", payload, assets);
    const [path = ""] = made[0]?.paths ?? [];
    const all = (await framesOf(film)).map(({ hash }) => hash);
    const frames = await framesOf(path);
    const places = frames.map(({ hash }) => all.indexOf(hash));
    const loud = (await samplesOf(path)).findIndex((sample) => Math.abs(sample) > 3000) / 48_000;
    // The clapper is heard 0.4 seconds behind the picture that stands at zero.
    const clapAt = loud - (frames[0]?.time ?? 0) + (places[0] ?? 0) / 25;
    return { path, places, clapAt, warnings };
  };

  test.each(
    first([
      [2, 0, "copy"],
      [0, 0, "copy"],
      [2, 0.4, "aac"],
      [0, 0.4, "copy"],
    ] as const),
  )(
    "shows in MP4 the same pictures, of %s between others from %s s on, in time with sound (%s)",
    async (between, later, sound) => {
      const made = await copied(between, later, "copy.mp4", sound);
      const from = later * 25;
      expect(made.places).toEqual(Array.from({ length: 27 }, (_, at) => from + at));
      expect(Math.abs((made.clapAt % 0.5) - 0.4)).toBeLessThan(0.03);
      expect((await probe(made.path)).video[0]?.frames).toBe(27);
      expect(made.warnings).toEqual([]);
    },
  );

  const rawTarget = { video: { codec: "raw" }, audio: [{ codec: "pcm" }] };
  const copyTarget = { video: { codec: "copy" }, audio: [{ codec: "copy" }] };

  test.each(
    first([
      [2, 0.03, "made.nut", rawTarget, 1],
      [0, 0.01, "made.nut", rawTarget, 1],
      [2, 0.41, "cut.nut", { ...rawTarget, trim: { inpoint_frame: 5, outpoint_frame: 15 } }, 16],
      [2, 0.03, "made.mp4", copyTarget, 1],
      [0, 0.21, "made.mov", copyTarget, 6],
    ] as const),
  )(
    "and what is made of one that begins within a picture is in time with sound and tells of it: of %s between others from %s s on, %s",
    async (between, later, name, target, from) => {
      const { places, clapAt, warnings } = await madeOf(between, later, { ...target, file_pattern: name });
      expect(places.slice(0, 10)).toEqual(Array.from({ length: 10 }, (_, at) => from + at));
      expect(Math.abs((clapAt % 0.5) - 0.4)).toBeLessThan(0.003);
      const ms = Math.round((40 - ((later * 1000) % 40)) % 40);
      expect(warnings).toEqual([
        `transcode.payload.targets[0].video: the source's edit list begins within a picture, which is left out: the output begins ${ms} ms later, with the next one`,
      ]);
    },
  );

  test("tells where it is copied into fragments, which have no edit list, and leaves out what nothing needs", async () => {
    const container = { kind: "mp4", movflags: "frag_keyframe+delay_moov" };
    const made = await madeOf(2, 0, { ...copyTarget, container, file_pattern: "fragments.mp4" });
    expect(made.places.slice(0, 27)).toEqual(Array.from({ length: 27 }, (_, at) => at));
    expect(made.places.length).toBeLessThan(31);
    expect(made.warnings).toEqual([
      "transcode.payload.targets[0].video.codec copy: the source's edit list shows 1.08 of 2 s. Such .mp4 files have no edit lists, so pictures that it hides are seen",
    ]);
  });

  test("shows in Matroska what nothing shown depends on hidden pictures for, and tells where it cannot", async () => {
    const plain = await copied(0, 0, "plain.mkv");
    expect(plain.places).toEqual(Array.from({ length: 27 }, (_, at) => at));
    expect(plain.warnings).toEqual([]);
    const between = await copied(2, 0.4, "between.mkv");
    expect(Math.abs((between.clapAt % 0.5) - 0.4)).toBeLessThan(0.03);
    expect(between.warnings).toEqual([
      "transcode.payload.targets[0].video.codec copy: the source's edit list shows 1.08 of 2 s. Such .mkv files have no edit lists, so pictures that it hides are seen",
    ]);
  });
});
