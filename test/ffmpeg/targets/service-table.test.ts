import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { mediaNode } from "../../helpers/media/media-job.ts";
import { ffmpegPath, ffprobePath, make, probe, scratchFolder } from "../../helpers/media/media-tools.ts";

const hasTools = ffmpegPath !== undefined && ffprobePath !== undefined;
if (!hasTools) console.warn("Transport streams are not tried: there is no ffmpeg or no ffprobe");

/** The numbers of a transport stream's packets. */
const pidsOf = (path: string): Set<number> => {
  const file = readFileSync(path);
  const count = Math.floor(file.length / 188);
  return new Set(Array.from({ length: count }, (_, at) => file.readUInt16BE(at * 188 + 1) & 0x1fff));
};

describe.skipIf(!hasTools)("a transport stream", { timeout: 60_000 }, () => {
  test("has no service description table where the job wants none, and plays all the same", async () => {
    await using folder = scratchFolder();
    const film = "testsrc2=size=160x90:rate=25:duration=2";
    const path = await make(join(folder.path, "in.mp4"), "-f", "lavfi", "-i", film, "-pix_fmt", "yuv420p");
    const node = mediaNode(folder.path);
    const assets = await node.assets({ kind: "asset_url", payload: { url: `file://${path}` } });
    const target = (name: string, use_sdt: boolean) => ({
      ...{ file_pattern: name, container: { kind: "mpegts", use_sdt }, video: { codec: "h264" } },
    });
    const targets = [target("with.ts", true), target("without.ts", false)];
    const { paths } = await node.perform(
      await node.work({ location: { path: join(folder.path, "out") }, targets }, assets),
    );
    const [tables = "", none = ""] = paths;
    expect([pidsOf(tables).has(17), pidsOf(none).has(17)]).toEqual([true, false]);
    expect(readFileSync(none).length).toBe(readFileSync(tables).length);
    expect((await probe(none)).video).toEqual((await probe(tables)).video);
  });
});
