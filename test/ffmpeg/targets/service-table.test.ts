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

  test.each([
    ["a rate that varies", undefined],
    ["a constant rate", 3000],
  ])("of %s has a clock with a number of its own, and plays all the same", async (_name, muxrate_kb) => {
    await using folder = scratchFolder();
    const film = "testsrc2=size=160x90:rate=25:duration=2";
    const path = await make(join(folder.path, "in.mp4"), "-f", "lavfi", "-i", film, "-pix_fmt", "yuv420p");
    const node = mediaNode(folder.path);
    const assets = await node.assets({ kind: "asset_url", payload: { url: `file://${path}` } });
    const target = (name: string, pcr_pid?: number) => ({
      ...{ file_pattern: name, container: { kind: "mpegts", muxrate_kb, pcr_pid, pcr_interval_ms: 30 } },
      video: { codec: "h264", bitrate_kb: 800 },
    });
    const targets = [target("plain.ts"), target("own.ts", 700)];
    const work = await node.work({ location: { path: join(folder.path, "out") }, targets }, assets);
    const [plain = "", own = ""] = (await node.perform(work)).paths;
    const clocks = clocksOf(readFileSync(own), 700);
    expect(clocks.length).toBeGreaterThan(40);
    const bytes = readFileSync(own);
    // Half of it is as much of the time as of the bytes, where the rate is constant.
    if (muxrate_kb !== undefined) {
      expect(bytes.length).toBe(readFileSync(plain).length);
      const [first, last] = [clocks[0], clocks.at(-1)];
      const rate = (((last?.at ?? 0) - (first?.at ?? 0)) * 8 * 27e6) / ((last?.clock ?? 0) - (first?.clock ?? 0));
      expect(rate / 3_000_000).toBeCloseTo(1, 3);
    }
    expect(clocks.every(({ clock }, at) => at === 0 || clock > (clocks[at - 1]?.clock ?? 0))).toBe(true);
    expect(pidsOf(own).has(700)).toBe(true);
    expect((await probe(own)).video).toEqual((await probe(plain)).video);
  });
});

/** Every clock of a number, in ticks of 27 MHz, and the byte at which it stands. */
const clocksOf = (bytes: Buffer, pid: number) =>
  Array.from({ length: Math.floor(bytes.length / 188) }, (_, index) => index * 188).flatMap((at) => {
    if ((bytes.readUInt16BE(at + 1) & 0x1fff) !== pid) return [];
    const base = bytes.readUInt32BE(at + 6) * 2 + ((bytes[at + 10] ?? 0) >> 7);
    return [{ at, clock: base * 300 + (bytes.readUInt16BE(at + 10) & 0x1ff) }];
  });
