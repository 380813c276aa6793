import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { printSrt } from "../../../media/subtitles/srt.ts";
import { mediaNode } from "../../helpers/media/media-job.ts";
import { ffmpeg, ffmpegPath, ffprobePath, make, scratchFolder } from "../../helpers/media/media-tools.ts";

const hasTools = ffmpegPath !== undefined && ffprobePath !== undefined;
if (!hasTools) console.warn("DVB subtitles are not tried: there is no ffmpeg or no ffprobe");

// Two of them overlap for a while, and two follow each other at once.
const cues = [
  { from: 1000, to: 2000, lines: [[{ text: "Guten Tag" }]] },
  { from: 2000, to: 2600, lines: [[{ text: "next", color: "#ffff00" }]] },
  { from: 3000, to: 4200, lines: [[{ text: "Two " }, { text: "lines", italic: true as const }], [{ text: "here" }]] },
  { from: 3800, to: 4200, isTop: true as const, lines: [[{ text: "above" }]] },
];
const [width, height] = [640, 360];
const gray = `color=0x505050:s=${width}x${height}`;

/** A dark gray film of five seconds with these texts, as a transport stream with DVB subtitles. */
const streamed = async (folder: string, subtitle: object) => {
  await make(join(folder, "in.mkv"), "-f", "lavfi", "-i", `${gray}:r=25:d=5`, "-c:v", "ffv1", "-pix_fmt", "yuv420p");
  writeFileSync(join(folder, "en.srt"), printSrt(cues));
  const text = {
    kind: "name",
    name: "en.srt",
    location: { path: folder },
    contents: [{ kind: "subtitle", payload: { format: "auto", language: "en" } }],
  };
  const components = [{ kind: "name", name: "in.mkv", location: { path: folder } }, text];
  const payload = { kind: "sequence", asset_versions: [{ asset_components: components }] };
  const node = mediaNode(folder);
  const target = {
    ...{ file_pattern: "out.ts", existing_files: "replace", container: { kind: "mpegts" } },
    ...{ video: { codec: "h264", width, height }, subtitle: [{ format: "dvbsub", pid: 300, ...subtitle }] },
  };
  const inputs = await node.assets({ kind: "asset_complex", payload });
  const { paths, verified } = await node.made(
    "transcode",
    { location: { path: join(folder, "out") }, targets: [target] },
    inputs,
  );
  await verified();
  return paths[0] ?? "";
};

/** How many pixels of each picture are letters or their dark edges. */
const drawnPixels = async (...args: string[]): Promise<number[]> => {
  const bytes = await ffmpeg([
    ...["-v", "error", "-nostdin"],
    ...args,
    "-fps_mode",
    "passthrough",
    "-f",
    "rawvideo",
    "-pix_fmt",
    "gray",
    "-",
  ]);
  const size = width * height;
  return Array.from({ length: Math.floor(bytes.length / size) }, (_, at) =>
    bytes.subarray(at * size, (at + 1) * size).reduce((sum, value) => sum + (value > 120 || value < 60 ? 1 : 0), 0),
  );
};

const probed = (path: string, entries: string) =>
  JSON.parse(
    execFileSync(ffprobePath ?? "", ["-v", "error", "-show_entries", entries, "-of", "json", path], {
      encoding: "utf8",
      env: { GCONV_PATH: "/nonexistent" },
    }),
  );

describe.skipIf(!hasTools)("DVB subtitles", { timeout: 120_000 }, () => {
  test("are seen in a decoder as long as their texts say, and as much of them as libass draws", async () => {
    await using folder = scratchFolder();
    const path = await streamed(folder.path, { language: "en" });
    const { streams } = probed(path, "stream=codec_name,codec_type,id:stream_tags=language");
    expect(streams).toContainEqual(
      expect.objectContaining({ codec_name: "dvb_subtitle", id: "0x12c", tags: { language: "eng" } }),
    );
    const { packets } = probed(path, "packet=pts_time,codec_type");
    const timesOf = (type: string): number[] =>
      packets
        .filter((each: { codec_type: string }) => each.codec_type === type)
        .map((each: { pts_time: string }) => Number(each.pts_time));
    const start = Math.min(...timesOf("video"));
    const changes = timesOf("subtitle").map((time) => Math.round((time - start) * 1000));
    expect(changes).toEqual([0, 1000, 2000, 2600, 3000, 3800, 4200]);
    const seen = await drawnPixels("-i", path, "-filter_complex", "[0:v][0:s]overlay");
    const script = join(folder.path, "en.srt");
    const film = `${gray}:r=25:d=5`;
    const drawn = await drawnPixels(
      "-f",
      "lavfi",
      "-i",
      film,
      "-vf",
      `subtitles=${script}:force_style='FontName=DejaVu Sans'`,
    );
    // Away from the changes, which ffmpeg lays over the picture up to three pictures later.
    for (const frame of [10, 23, 30, 45, 55, 63, 72, 80, 92, 99, 103, 110, 120]) {
      const [got = -1, wanted = -2] = [seen[frame], drawn[frame]];
      expect(Math.abs(got - wanted), `frame ${frame}: ${got} for ${wanted}`).toBeLessThanOrEqual(0.15 * wanted);
    }
  });

  test.each([2, 8])("in %d bits have their options, and are still read", async (bits) => {
    await using folder = scratchFolder();
    const dvb_options = {
      ...{ color_depth_bits: bits, page_id: 7, use_full_width_regions: true, use_region_fill_flag: true },
      ...{ non_empty_pcs_on_hide: true, dvb_subtitling_type: 0x20, width_overide: 720, height_overide: 576 },
    };
    const path = await streamed(folder.path, { language: "en", dvb_options });
    const dump = await ffmpeg(["-v", "error", "-i", path, "-map", "0:s", "-c", "copy", "-f", "data", "-"]);
    // The first segment of each page composition names its page.
    expect(dump.subarray(0, 4).toString("hex")).toBe("0f100007");
    const seen = await drawnPixels(
      "-i",
      path,
      "-filter_complex",
      `[0:v]scale=720:576[v];[v][0:s]overlay,scale=${width}:${height}`,
    );
    expect([seen[10], seen[72], seen[120]]).toEqual([0, 0, 0]);
    for (const frame of [30, 55, 90]) expect(seen[frame]).toBeGreaterThan(200);
  });

  test("what no bitmap has is refused by name", async () => {
    await using folder = scratchFolder();
    const refused = (dvb_options: object) =>
      streamed(folder.path, { dvb_options }).then(
        () => "no problem",
        (error: Error) => error.message,
      );
    expect(await refused({ color_depth_bits: 5 })).toContain("color_depth_bits 5: bitmaps of DVB have 2, 4 or 8 bits");
    expect(await refused({ use_df_timecode: true })).toContain("use_df_timecode is not implemented");
  });
});
