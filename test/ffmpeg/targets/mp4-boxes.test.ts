import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { first } from "../../helpers/long.ts";
import { boxAt } from "../../helpers/manifests/boxes.ts";
import { tracksIn } from "../../helpers/manifests/tracks.ts";
import { mediaNode } from "../../helpers/media/media-job.ts";
import {
  fastH264,
  ffmpeg,
  ffmpegPath,
  ffprobePath,
  make,
  probe,
  scratchFolder,
} from "../../helpers/media/media-tools.ts";

const hasTools = ffmpegPath !== undefined && ffprobePath !== undefined;
if (!hasTools) console.warn("Boxes are not changed: there is no ffmpeg or no ffprobe");

const more = ["dby1", "iso6", "abc"];
const one = ["isom"];
const mov_atoms = { use_clap: true };

/** The times of all packets by an ffprobe that the farm does not use, if there is one. */
const timesOf = (path: string): Readonly<Record<"v" | "a", readonly number[]>> => {
  const program = existsSync("/usr/bin/ffprobe") ? "/usr/bin/ffprobe" : (ffprobePath ?? "");
  const of = (stream: string): number[] => {
    const words = [
      "-v",
      "error",
      "-select_streams",
      stream,
      "-show_entries",
      "packet=pts_time",
      "-of",
      "csv=p=0",
      path,
    ];
    const lines = execFileSync(program, words, { encoding: "utf8" }).split("\n");
    return lines.flatMap((line) => (line === "" ? [] : [Number.parseFloat(line)]));
  };
  return { v: of("v:0"), a: of("a:0") };
};

/** Containers by the end of their names, and the fields that change boxes. */
const files: readonly (readonly [name: string, container: object, changes: object, video?: object])[] = [
  ["first.mp4", { kind: "mp4" }, { compatible_brands: more }],
  ["last.mp4", { kind: "mp4", faststart: false }, { compatible_brands: more }],
  ["less.mp4", { kind: "mp4" }, { forced_compatible_brands: one }],
  ["less_last.mp4", { kind: "mp4", faststart: false }, { forced_compatible_brands: one }, { mov_atoms }],
  ["parts.mp4", { kind: "fmp4", segment_duration_sec: 1 }, { compatible_brands: more }],
  ["first.mov", { kind: "mov" }, { vendor: "ap10" }, { mov_atoms }],
  ["last.mov", { kind: "mov", faststart: false }, { vendor: "ap10" }, { mov_atoms }],
];

describe.skipIf(!hasTools)("a file whose boxes are changed", { timeout: 60_000 }, () => {
  test("has the brands, vendor and aperture of the job, and plays all the same", async () => {
    await using folder = scratchFolder();
    const [picture, sound] = ["testsrc2=size=160x90:rate=25:duration=2", "sine=duration=2"];
    const inputs = ["-f", "lavfi", "-i", picture, "-f", "lavfi", "-i", sound];
    const path = await make(join(folder.path, "in.mp4"), ...inputs, ...fastH264({ group: 25 }), "-c:a", "aac");
    const node = mediaNode(folder.path);
    const assets = await node.assets({ kind: "asset_url", payload: { url: `file://${path}` } });
    const copied = { video: { codec: "copy" }, audio: [{ codec: "copy" }] };
    const targets = files.flatMap(([name, container, changes, video]) => [
      { ...copied, file_pattern: `plain_${name}`, container },
      { ...copied, file_pattern: name, container: { ...container, ...changes }, video: { ...copied.video, ...video } },
    ]);
    const { paths } = await node.perform(
      await node.work({ location: { path: join(folder.path, "out") }, targets }, assets),
    );
    const contents = async (file: string) => {
      const read = ["-v", "error", "-xerror", "-i", file, "-map", "0", "-f", "framehash", "-"];
      return (await ffmpeg(read)).toString();
    };
    const brandsOf = async (file: string) => (await probe(file)).compatibleBrands;
    for (const [at, [name]] of files.entries()) {
      const [plain = "", made = ""] = paths.slice(at * 2);
      expect([name, await contents(made)]).toEqual([name, await contents(plain)]);
      const usual = (await brandsOf(plain)) ?? [];
      const wanted = name.startsWith("less") ? one : name.endsWith("mp4") ? [...new Set([...usual, ...more])] : usual;
      expect([name, (await brandsOf(made))?.map((brand) => brand.trim())]).toEqual([name, wanted.map((b) => b.trim())]);
      const bytes = readFileSync(made).toString("latin1");
      const isQuickTime = name.endsWith("mov");
      expect([name, bytes.includes("ap10")]).toEqual([name, isQuickTime]);
      expect([name, bytes.includes("clap\0\0\0\xa0\0\0\0\x01\0\0\0\x5a\0\0\0\x01")]).toEqual([
        name,
        isQuickTime || name === "less_last.mp4",
      ]);
    }
  });

  test.each([
    ["yuv420p", 18],
    ["rgb24", 16],
  ])("of JPEG 2000 in QuickTime says what the colours of %s are", async (chroma_format, number) => {
    await using folder = scratchFolder();
    const path = await make(
      join(folder.path, "in.mkv"),
      "-f",
      "lavfi",
      "-i",
      "testsrc2=s=160x90:d=0.2",
      "-c:v",
      "ffv1",
    );
    const node = mediaNode(folder.path);
    const assets = await node.assets({ kind: "asset_url", payload: { url: `file://${path}` } });
    const target = { file_pattern: "o.mov", container: { kind: "mov" }, video: { codec: "jpeg2000", chroma_format } };
    const location = { path: join(folder.path, "out") };
    const { paths, verified } = await node.made("transcode", { location, targets: [target] }, assets);
    await verified();
    const bytes = readFileSync(paths[0] ?? "");
    const header = bytes.indexOf("jp2h");
    expect(bytes.indexOf("mjp2")).toBeLessThan(header);
    expect(bytes.subarray(header + 4 + 22 + 4, header + 4 + 22 + 8).toString()).toBe("colr");
    expect(bytes.readUInt32BE(header + 4 + 22 + 11)).toBe(number);
  });

  test.each(
    first([
      ["mp4", 1500, "h264"],
      ["mov", 1500, "h264"],
      ["mov", 40, "prores"],
      ["mp4", 250, "copy"],
      ["mov", 3_600_000, "copy"],
    ] as const),
  )(
    "of kind %s begins %i ms late where the job says so, with %s, and all of it is there",
    async (kind, late, codec) => {
      await using folder = scratchFolder();
      const inputs = [
        "-f",
        "lavfi",
        "-i",
        "testsrc2=size=160x90:rate=25:duration=2",
        "-f",
        "lavfi",
        "-i",
        "sine=duration=2",
      ];
      const path = await make(
        join(folder.path, "in.mp4"),
        ...inputs,
        ...fastH264({ group: 12, between: 2 }),
        "-c:a",
        "aac",
      );
      const node = mediaNode(folder.path);
      const assets = await node.assets({ kind: "asset_url", payload: { url: `file://${path}` } });
      const target = { video: { codec }, audio: [{ codec: codec === "copy" ? "copy" : "aac" }] };
      const made = async (name: string, container: object) => {
        const targets = [{ ...target, file_pattern: `${name}.${kind}`, container: { kind, ...container } }];
        const location = { path: join(folder.path, "out") };
        const { paths, verified } = await node.made("transcode", { location, targets }, assets);
        await verified();
        return timesOf(paths[0] ?? "");
      };
      const [plain, later] = [await made("plain", {}), await made("late", { ts_offset_ms: late })];
      expect(plain.v).toHaveLength(50);
      expect(Math.min(...plain.v)).toBeCloseTo(0, 2);
      for (const stream of ["v", "a"] as const) {
        // Edit lists count in milliseconds.
        const moved = later[stream].map((time, at) => Math.abs((time - (plain[stream][at] ?? 0)) * 1000 - late));
        expect(Math.max(...moved)).toBeLessThanOrEqual(1.001);
        expect(later[stream]).toHaveLength(plain[stream].length);
      }
    },
  );

  test.each([
    [{ kind: "fmp4" }, 2],
    [{ kind: "mp4", movflags: "frag_keyframe+empty_moov" }, 3],
    [{ kind: "mp4" }, 2],
    [{ kind: "mov" }, 2],
  ])("of %j has a number free for the track after %i sounds and a picture", async (container, count) => {
    await using folder = scratchFolder();
    const inputs = [
      "-f",
      "lavfi",
      "-i",
      "testsrc2=size=160x90:rate=25:duration=1",
      "-f",
      "lavfi",
      "-i",
      "sine=duration=1",
    ];
    const path = await make(join(folder.path, "in.mp4"), ...inputs, ...fastH264(), "-c:a", "aac");
    const node = mediaNode(folder.path);
    const assets = await node.assets({ kind: "asset_url", payload: { url: `file://${path}` } });
    const audio = Array.from({ length: count }, () => ({ codec: "aac", source: [{ track: 0 }] }));
    const target = { file_pattern: "out", container, video: { codec: "copy" }, audio };
    const payload = { location: { path: join(folder.path, "out") }, targets: [target] };
    const { paths, verified } = await node.made("transcode", payload, assets);
    await verified();
    const bytes = readFileSync(paths[0] ?? "");
    const header = boxAt(bytes, ["moov", "mvhd"]);
    expect(tracksIn(bytes).map(({ id }) => id)).toEqual(Array.from({ length: count + 1 }, (_, at) => at + 1));
    expect(bytes.readUInt32BE((header?.to ?? 4) - 4)).toBe(count + 2);
  });
});
