import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ffprobeEnv } from "../../../agent/tools/find-tools.ts";
import { zeroOf } from "../../../media/formats/stream-timing.ts";
import { parseSpliceTime } from "../../../media/splices/splice-info.ts";
import { toNumber } from "../../../shared/basics/rational.ts";
import { mediaNode } from "../../helpers/media/media-job.ts";
import { ffmpegPath, ffprobePath, make, probe, scratchFolder } from "../../helpers/media/media-tools.ts";

const hasTools = ffmpegPath !== undefined && ffprobePath !== undefined;
if (!hasTools) console.warn("SCTE-35 is not tried: there is no ffmpeg or no ffprobe");

const mediaInfo = ["/usr/bin/mediainfo"].find((path) => existsSync(path));
if (!mediaInfo) console.warn("No second reader looks for SCTE-35: there is no mediainfo");

const insert = (ptsTime: number, outOfNetworkIndicator: boolean) => ({
  insertTime: Math.max(0, ptsTime - 90_000),
  spliceInfoSection: {
    spliceInsert: { spliceEventId: 7, outOfNetworkIndicator, program: { spliceTime: { ptsTime } } },
  },
});
/** Out after 1.2 seconds, back after 2. */
const sections = [insert(108_000, true), insert(180_000, false)];

/** The sections as ffmpeg reads them: one long row of bytes. */
const sectionsIn = (path: string): Buffer[] => {
  const bytes = readFileSync(path);
  const found: Buffer[] = [];
  for (let at = 0; at + 3 <= bytes.length; ) {
    const length = 3 + (bytes.readUInt16BE(at + 1) & 0x0fff);
    found.push(bytes.subarray(at, at + length));
    at += length;
  }
  return found;
};

describe.skipIf(!hasTools)("SCTE-35", { timeout: 120_000 }, () => {
  test("is written from a job's list and from a file, and passes from stream to stream", async () => {
    await using folder = scratchFolder();
    const film = ["-f", "lavfi", "-i", "testsrc2=size=160x90:rate=25:duration=3", "-pix_fmt", "yuv420p"];
    const path = await make(join(folder.path, "in.mp4"), ...film);
    const node = mediaNode(folder.path);
    const list = join(folder.path, "points.json");
    writeFileSync(list, JSON.stringify({ scte35_sections: sections }));
    const target = (name: string, scte35: object, more: object = {}) => ({
      ...{ file_pattern: name, container: { kind: "mpegts", scte35, ...more }, video: { codec: "h264" } },
    });
    const made = async (url: string, ...targets: object[]): Promise<string[]> => {
      const assets = await node.assets({ kind: "asset_url", payload: { url: `file://${url}` } });
      const work = await node.work({ location: { path: join(folder.path, "out") }, targets }, assets);
      return (await node.perform(work)).paths;
    };
    const [listed = "", constant = "", filed = "", keysOnly = ""] = await made(
      path,
      target("listed.ts", { scte35_in_json: { scte35_sections: sections } }),
      target("constant.ts", { scte35_sections: sections }, { muxrate_kb: 2000 }),
      target("filed.ts", { scte35_in_sidecar: { splicepoint_file: { url: `file://${list}` } } }),
      target("keys.mp4", { scte35_sections: sections, write_scte35_packets: false }, { kind: "mp4" }),
    );
    const [again = "", cut = ""] = await made(listed, target("again.ts", { use_source_media: "required" }), {
      ...target("cut.ts", { use_source_media: "required" }),
      trim: { inpoint_sec: 1 },
    });
    const timesIn = async (file: string) => {
      const raw = await make(`${file}.bin`, "-i", file, "-map", "0:d", "-c", "copy", "-f", "data");
      const zero = Math.round(toNumber(zeroOf(await probe(file))) * 90_000);
      return sectionsIn(raw).map((section) => ((parseSpliceTime(section) ?? 0) - zero) / 90_000);
    };
    const keysOf = (file: string) => {
      const words = ["-v", "error", "-select_streams", "v", "-show_entries", "packet=pts_time,flags"];
      const text = execFileSync(ffprobePath ?? "", [...words, "-of", "csv=p=0", file], {
        encoding: "utf8",
        env: ffprobeEnv,
      });
      const [zero = 0, ...keys] = text.split("\n").flatMap((line) => (/,K/.test(line) ? Number.parseFloat(line) : []));
      return keys.map((key) => Math.round((key - zero) * 1000) / 1000);
    };
    for (const file of [listed, constant, filed, again]) {
      expect([file, await timesIn(file), keysOf(file)]).toEqual([file, [1.2, 2], [1.2, 2]]);
    }
    expect([await timesIn(cut), keysOf(cut)]).toEqual([
      [0.2, 1],
      [0.2, 1],
    ]);
    expect(keysOf(keysOnly)).toEqual([1.2, 2]);
    expect((await probe(again)).others).toMatchObject([{ codec: "scte_35", id: 500, kind: "data" }]);
    if (mediaInfo)
      expect(execFileSync(mediaInfo, ["--Details=1", again], { encoding: "utf8" })).toMatch(/splice_event_id: +7 /);
  });
});
