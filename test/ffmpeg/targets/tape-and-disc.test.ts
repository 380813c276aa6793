import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { unmetExpectations } from "../../../media/ffmpeg/verify.ts";
import { wrongPointersIn } from "../../../media/formats/program-packets.ts";
import { parseFrameRate, ratio, toNumber } from "../../../shared/basics/rational.ts";
import type { VideoFacts } from "../../../shared/model/asset.ts";
import { share } from "../../helpers/long.ts";
import { mediaNode } from "../../helpers/media/media-job.ts";
import { ffmpegPath, ffprobePath, make, probe, scratchFolder } from "../../helpers/media/media-tools.ts";
import { mediaInfoPath, secondReading } from "./pairs/look.ts";

const hasTools = ffmpegPath !== undefined && ffprobePath !== undefined;
if (!hasTools) console.warn("Tapes and discs are not made: there is no ffmpeg or no ffprobe");

const sources = {
  hd: { size: "1920x1080", rate: "25", fields: true },
  web: { size: "640x360", rate: "30", fields: false },
  tape: { size: "720x480", rate: "30000/1001", fields: true },
} as const;

const d10 = (bitrate_kb: number) => ({ container: { kind: "mxf_d10" }, video: { codec: "mpeg2", bitrate_kb } });
const disc = (kind: string, profile: string, codec: string, sound: string) => ({
  container: { kind, thirdparty_mux_profile: profile },
  ...{ video: { codec }, audio: [{ codec: sound }] },
});

const formats = {
  d10_30: { ...d10(30_000), audio: [{ codec: "pcm" }] },
  d10_40: { ...d10(40_000), audio: [{ codec: "pcm" }] },
  d10_50: { ...d10(50_000), audio: [{ codec: "pcm" }] },
  imx: { compliance: "xdcam_imx", video: {}, audio: [{}] },
  dvcam: { compliance: "xdcam_dvcam25", video: {}, audio: [{}] },
  dv50: { container: { kind: "mxf" }, video: { codec: "dv50" }, audio: [{ codec: "pcm" }] },
  xdcam_hd: { compliance: "xdcam_hd", video: {}, audio: [{}] },
  hd422: { compliance: "xdcam_hd_422", video: {}, audio: [{}] },
  dvd: { container: { kind: "dvd", dvd_compatible: true }, video: { codec: "mpeg2" }, audio: [{ codec: "ac3" }] },
  vcd: disc("mp1_system", "VCD", "mpeg1", "mp2"),
  svcd: disc("mp2_program", "SVCD", "mpeg2", "mp2"),
} as const;

/** Lines by rate. */
const tape = { "25": 576, "30000/1001": 480 };
const blanked = { "25": 608, "30000/1001": 512 };
const expected: Readonly<Record<keyof typeof formats, { width: number; lines: Readonly<Record<string, number>> }>> = {
  ...{ d10_30: { width: 720, lines: blanked }, d10_40: { width: 720, lines: blanked } },
  ...{ d10_50: { width: 720, lines: blanked }, imx: { width: 720, lines: blanked } },
  ...{ dvcam: { width: 720, lines: tape }, dv50: { width: 720, lines: tape }, dvd: { width: 720, lines: tape } },
  ...{ xdcam_hd: { width: 1440, lines: { "25": 1080, "30000/1001": 1080 } } },
  ...{ hd422: { width: 1920, lines: { "25": 1080, "30000/1001": 1080 } } },
  ...{ vcd: { width: 352, lines: { "25": 288, "30000/1001": 240 } }, svcd: { width: 480, lines: tape } },
};

type Format = keyof typeof formats;
const all = (Object.keys(formats) as Format[]).flatMap((format) =>
  (Object.keys(sources) as (keyof typeof sources)[]).map((source) => [format, source] as const),
);
const always = ["d10_40 tape", "imx hd", "dvcam tape", "dvd web", "vcd hd"];
const cases = share(all, ([format, source]) => always.includes(`${format} ${source}`), 4);

describe.skipIf(!hasTools)("the files of tapes and discs are as their standards say", { timeout: 120_000 }, () => {
  const folder = scratchFolder();
  const node = mediaNode(folder.path);
  const made = new Map<string, string>();

  beforeAll(async () => {
    for (const [name, { size, rate, fields }] of Object.entries(sources))
      made.set(
        name,
        await make(
          join(folder.path, `${name}.mov`),
          ...["-f", "lavfi", "-i", `testsrc2=size=${size}:rate=${rate}:duration=0.4`],
          ...["-f", "lavfi", "-i", "sine=frequency=440:sample_rate=48000:duration=0.4"],
          ...(fields ? ["-vf", "setfield=tff", "-flags", "+ildct+ilme"] : []),
          ...["-c:v", "mpeg2video", "-q:v", "2", "-pix_fmt", "yuv422p", "-c:a", "pcm_s16le", "-ac", "2"],
        ),
      );
  }, 120_000);
  afterAll(() => folder[Symbol.asyncDispose]());

  test.each(cases)("%s of %s", async (format, source) => {
    const from = made.get(source) ?? "";
    const target = { file_pattern: "x{default_extension}", ...formats[format] };
    const location = { path: join(folder.path, `${format}_${source}`) };
    const assets = await node.assets({ kind: "asset_url", payload: { url: `file://${from}` } });
    const { work, paths } = await node.made("transcode", { location, targets: [target] }, assets);
    const [path = ""] = paths;
    const facts = await probe(path);
    expect(unmetExpectations(work.outputs.t0?.expect ?? {}, facts)).toEqual([]);
    const [picture] = facts.video;
    const rate = source === "hd" ? "25" : "30000/1001";
    const { width, lines } = expected[format];
    const { num = 0, den = 1 } = picture?.averageFrameRate ?? picture?.frameRate ?? {};
    expect([picture?.width, picture?.height, ratio(num, den)]).toEqual([width, lines[rate], parseFrameRate(rate)]);
    expect(Math.abs(shapeOf(format, picture) / shownAs(format, source) - 1)).toBeLessThan(0.08);
    const sector = sectors[format];
    if (sector !== undefined) expect(packStarts(path, sector)).toEqual([]);
    if (!/^dv/.test(format) || format === "dvd" || source === "web") return;
    // The lower field of DV comes first, and both readers are told.
    expect(facts.video[0]?.fieldOrder).toMatch(/^bb|bt$/);
    if (mediaInfoPath) expect((await secondReading(path, "Video"))?.ScanOrder).toBe("BFF");
  });
});

/** Bytes that a sector of the disc holds (DVD-Video part 3, Video CD 2.0, IEC 62107). */
const sectors: Readonly<Partial<Record<Format, number>>> = { dvd: 2048, vcd: 2324, svcd: 2324 };

/** Sectors that no pack begins with (ISO/IEC 13818-1, 2.5.3.3). */
const packStarts = (path: string, sector: number): number[] => {
  const bytes = readFileSync(path);
  const count = Math.ceil(bytes.length / sector);
  return Array.from({ length: count }, (_, at) => at).filter((at) => bytes.readUInt32BE(at * sector) !== 0x1ba);
};

const shownAs = (format: Format, source: keyof typeof sources): number => {
  const isHigh = /^(xdcam|hd)/.test(format);
  return format === "vcd" || (source === "tape" && !isHigh) ? 4 / 3 : 16 / 9;
};

/** Of what is seen: the lines above the pictures of D-10 are not. */
const shapeOf = (format: Format, picture: VideoFacts | undefined): number => {
  const { width = 0, height = 1, pixelAspect = ratio(1) } = picture ?? {};
  return (width * toNumber(pixelAspect)) / (height - (/^(d10|imx)/.test(format) ? 32 : 0));
};

describe.skipIf(!hasTools)(
  "a program stream with frames of AC-3 that are longer than its packets",
  { timeout: 60_000 },
  () => {
    test.each([
      [{ bitrate_kb: 640 }, { kind: "mp2_program" }],
      [{ sample_rate: 32_000, bitrate_kb: 448 }, { kind: "vob" }],
    ])("%j in %j names no frame behind a packet, as ffmpeg alone does", async (sound, container) => {
      await using folder = scratchFolder();
      const inputs = [
        "-f",
        "lavfi",
        "-i",
        "testsrc2=s=160x90:d=1",
        "-f",
        "lavfi",
        "-i",
        "sine=duration=1:sample_rate=48000",
      ];
      const source = await make(join(folder.path, "in.mov"), ...inputs, "-c:v", "mpeg4", "-c:a", "pcm_s16le");
      const node = mediaNode(folder.path);
      const assets = await node.assets({ kind: "asset_url", payload: { url: `file://${source}` } });
      const target = { file_pattern: "x", container, video: { codec: "mpeg2" }, audio: [{ codec: "ac3", ...sound }] };
      const payload = { location: { path: join(folder.path, "out") }, targets: [target] };
      const { paths, verified } = await node.made("transcode", payload, assets);
      await verified();
      const plain = await make(
        join(folder.path, "plain.vob"),
        "-i",
        paths[0] ?? "",
        "-map",
        "0",
        "-c",
        "copy",
        "-f",
        "vob",
      );
      expect(wrongPointersIn(readFileSync(plain)).at.length).toBeGreaterThan(0);
      expect(wrongPointersIn(readFileSync(paths[0] ?? "")).at).toEqual([]);
    });
  },
);
