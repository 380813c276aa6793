import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { mediaNode } from "../../../helpers/media/media-job.ts";
import { ffmpeg, ffmpegPath, ffprobePath, make, scratchFolder } from "../../../helpers/media/media-tools.ts";

const hasTools = ffmpegPath !== undefined && ffprobePath !== undefined;
if (!hasTools) console.warn("Profiles of JPEG 2000 are not tried: there is no ffmpeg or no ffprobe");

/** Five pictures of 4:2:2 in 10 bits. */
const madeOf = async (folder: string, kind: string, video: object) => {
  const film = ["-f", "lavfi", "-i", "testsrc2=s=640x360:r=25:d=0.2", "-c:v", "ffv1", "-pix_fmt", "yuv422p10le"];
  await make(join(folder, "in.mkv"), ...film);
  const node = mediaNode(folder);
  const url = join(folder, "in.mkv");
  const inputs = await node.assets({ kind: "asset_url", payload: { storage_provider: "file", url } });
  const target = { file_pattern: `x.${kind}`, container: { kind }, video: { codec: "jpeg2000", ...video } };
  const payload = { location: { path: join(folder, "out") }, targets: [target] };
  const { paths, verified } = await node.made("transcode", payload, inputs);
  await verified();
  return paths[0] ?? "";
};

/** What the headers of every codestream of a file say (ISO/IEC 15444-1, annex A). */
const codestreamsOf = (path: string) => {
  const bytes = readFileSync(path);
  const found = [];
  for (let at = bytes.indexOf("ff4fff51", 0, "hex"); at >= 0; at = bytes.indexOf("ff4fff51", at + 4, "hex")) {
    const cod = bytes.indexOf("ff52", at, "hex");
    const [order, levels, wide, high, transform] = [5, 9, 10, 11, 13].map((place) => bytes[cod + place]);
    found.push({
      ...{ rsiz: bytes.readUInt16BE(at + 6), isOneTile: bytes.readUInt32BE(at + 8) <= bytes.readUInt32BE(at + 24) },
      ...{ order, levels, blocks: [wide, high], transform },
      precincts: (bytes[cod + 4] ?? 0) & 1 ? bytes.subarray(cod + 14, cod + 15 + (levels ?? 0)).toString("hex") : "",
    });
  }
  return found;
};

const plain = { isOneTile: true, order: 0, levels: 5, blocks: [4, 4], transform: 1, precincts: "" };
/** Component by component, blocks of 32 points, precincts of 128 and 256, the 9-7 transform. */
const broadcast = { isOneTile: true, order: 4, levels: 5, blocks: [3, 3], transform: 0, precincts: "778888888888" };

describe.skipIf(!hasTools)("profiles of JPEG 2000", { timeout: 120_000 }, () => {
  test.each([
    ["mov", { profile: "p0" }, { ...plain, rsiz: 1 }],
    ["mxf", { profile: "p1" }, { ...plain, rsiz: 2 }],
    ["mov", { profile: "bc_single", mainlevel: 3 }, { ...broadcast, rsiz: 0x0103 }],
    ["mxf", { profile: "imf_2k", bitrate_kb: 40_000 }, { ...broadcast, rsiz: 0x0411 }],
    ["mxf", { profile: "imf_4k", sublevel: 3 }, { ...broadcast, rsiz: 0x0531 }],
  ])("in %s, %j is kept by every codestream, which can be decoded", async (kind, video, wanted) => {
    await using folder = scratchFolder();
    const path = await madeOf(folder.path, kind, video);
    expect(codestreamsOf(path)).toEqual(Array(5).fill(wanted));
    // MXF tells the profile beside its track.
    const told = readFileSync(path).indexOf("84010002", 0, "hex");
    if (kind === "mxf") expect(readFileSync(path).readUInt16BE(told + 4)).toBe(wanted.rsiz);
    const score = await ffmpeg([
      ...["-v", "error", "-i", path, "-i", join(folder.path, "in.mkv")],
      ...["-lavfi", "psnr=stats_file=-", "-f", "null", "-"],
    ]);
    const scores = [...score.toString().matchAll(/psnr_avg:(\S+)/g)].map(([, each]) =>
      Number(each?.replace("inf", "99")),
    );
    expect(Math.min(...scores)).toBeGreaterThan(35);
    expect(scores).toHaveLength(5);
  });
});
