import { describe, expect, test } from "vitest";
import { ratio } from "../../../../shared/basics/rational.ts";
import {
  audioWords,
  type Film,
  refusalOf,
  videoFilters,
  videoWords,
  warningsOf,
} from "../../../helpers/media/transcode-words.ts";

const film = (width: number, height: number, rate = ratio(25), more: object = {}): Film => ({
  video: { width, height, frameRate: rate, averageFrameRate: rate, pixelFormat: "yuv420p", ...more },
});
const ntsc = ratio(30_000, 1001);
const hd = film(1920, 1080);
const hd50 = film(1920, 1080, ratio(50));
const hd5994 = film(1920, 1080, ratio(60_000, 1001));
const square = film(640, 480, ntsc);
const sources = {
  hd,
  hd50,
  hd5994,
  square,
  web: film(640, 360),
  small: film(384, 288),
  film: film(1920, 1080, ratio(24_000, 1001)),
};

const made = (target: object, source: Film) => videoFilters({ file_pattern: "x", ...target }, source);
/** Size with bars, shape of points, fields, and rate, of what the filters end with. */
const shape = (words: string) => ({
  size: [...words.matchAll(/(?:scale|pad)=w=(\d+):h=(\d+)/g)].at(-1)?.slice(1).join("x"),
  par: /setsar=sar=([\d/]+)/.exec(words)?.[1],
  scan: /(?:setfield=mode|interlace=scan)=(\w+)/.exec(words)?.[1],
  rate: /fps=fps=([\d/]+)/.exec(words)?.[1],
});

describe("pictures of a tape or a disc have its size, rate and shape, whatever the source is", () => {
  const imx = { compliance: "xdcam_imx", video: {} };
  const dvcam = { compliance: "xdcam_dvcam25", video: {} };
  const d10 = { container: { kind: "mxf_d10" }, video: { codec: "mpeg2" } };
  const dv = { container: { kind: "mov" }, video: { codec: "dv25" } };
  const dvd = { container: { kind: "dvd" }, video: { codec: "mpeg2" } };
  const vcd = {
    container: { kind: "mp1_system", thirdparty_mux_profile: "VCD" },
    video: { codec: "mpeg1" },
  };
  const svcd = { container: { kind: "mp2_program", thirdparty_mux_profile: "SVCD" }, video: { codec: "mpeg2" } };

  test.each([
    ["imx", imx, "hd", { size: "720x608", par: "64/45" }],
    ["imx", imx, "hd50", { size: "720x608", par: "64/45", scan: "tff" }],
    ["imx", imx, "hd5994", { size: "720x512", par: "32/27", scan: "tff" }],
    ["imx", imx, "square", { size: "720x512", par: "8/9" }],
    ["imx", imx, "film", { size: "720x512", par: "32/27", rate: "30000/1001" }],
    ["dvcam", dvcam, "hd", { size: "720x576", par: "64/45" }],
    ["dvcam", dvcam, "hd50", { size: "720x576", par: "64/45", scan: "bff" }],
    ["dvcam", dvcam, "square", { size: "720x480", par: "8/9" }],
    ["d10", d10, "hd", { size: "720x608", par: "64/45" }],
    ["dv", dv, "web", { size: "720x576", par: "64/45" }],
    ["dv", dv, "square", { size: "720x480", par: "8/9" }],
    ["dvd", dvd, "hd", { size: "720x576", par: "64/45" }],
    ["dvd", dvd, "film", { size: "720x480", par: "32/27", rate: "30000/1001" }],
    ["dvd", dvd, "web", { size: "720x576", par: "64/45" }],
    ["dvd", dvd, "small", { size: "352x288", par: "12/11" }],
    ["vcd", vcd, "square", { size: "352x240", par: "10/11" }],
    ["vcd", vcd, "hd", { size: "352x288", par: "12/11" }],
    ["svcd", svcd, "hd", { size: "480x576", par: "32/15" }],
  ] as const)("%s of %2$s", (_name, target, source, expected) => {
    expect(shape(made(target, sources[source]))).toEqual({
      ...{ size: undefined, par: undefined, scan: undefined, rate: undefined },
      ...expected,
    });
  });

  test("a wide picture on a narrow disc stands between bars", () => {
    expect(made(vcd, hd)).toContain("scale=w=352:h=216");
  });

  test("a tape's own picture without a shape of its points is not scaled", () => {
    const words = made(dv, film(720, 576, ratio(25), { pixelAspect: ratio(1) }));
    expect(words).not.toContain("scale");
    expect(words).toContain("setsar=sar=16/15");
  });
});

describe("a disc has limits", () => {
  const target = (video: object, audio: object, more: object = {}) => ({
    ...{ file_pattern: "x", container: { kind: "dvd", dvd_compatible: true }, ...more },
    ...{ video: { codec: "mpeg2", ...video }, audio: [{ codec: "ac3", ...audio }] },
  });
  const beyond = target(
    { bitrate_kb: 15_000, bitrate_mode: "cbr", exact_gop_frames: 50 },
    { sample_rate: 44_100, bitrate_kb: 640 },
  );

  test("which a relaxed target is brought back to, and told", () => {
    expect(videoWords(beyond, sources.web)).toMatch(/-b 9800000 .*-maxrate 9800000 -bufsize 1835000 .*-g 15/);
    expect(audioWords(beyond, sources.web)).toContain("-b 448000");
    const told = warningsOf(beyond, sources.web).join("\n");
    for (const words of ["bitrate_kb 15000 is more than the 9800", "groups of 50", "sample_rate 44100", "640 is more"])
      expect(told).toContain(words);
  });

  test("which a strict target fails at", () => {
    const strict = { ...beyond, parameter_compliance: "strict" };
    expect(refusalOf(strict, sources.web)).toBe("target.video.bitrate_kb 15000 is more than the 9800 of a DVD");
  });

  test("within which the job decides", () => {
    const words = videoWords(target({ bitrate_kb: 4000, max_gop_frames: 12 }, {}), sources.web);
    expect(words).toContain("-b 4000000 -maxrate 9800000 -bufsize 1835000 -g 12");
  });

  test("of a Video CD at one bit rate", () => {
    const container = { kind: "mp1_system", thirdparty_mux_profile: "VCD" };
    const vcd = { file_pattern: "x", container, video: { codec: "mpeg1" }, audio: [{ codec: "mp2" }] };
    expect(videoWords(vcd, hd)).toMatch(/-b 1150000 -minrate 1150000 -maxrate 1150000 -bufsize 327000 .*-g 15/);
    expect(audioWords(vcd, hd)).toContain("-b 224000");
    expect(refusalOf({ ...vcd, audio: [{ codec: "mp3" }] }, hd)).toContain("audio[0].codec mp3: a VCD has mp2");
  });
});

test.each([
  ["30 Mbit/s", 30_000, "-minrate 30000000 -maxrate 30000000 -bufsize 1001000"],
  ["40 Mbit/s", 40_000, "-minrate 39999921 -maxrate 40000000 -bufsize 1334667"],
  ["50 Mbit/s", 50_000, "-minrate 49999841 -maxrate 50000000 -bufsize 1668334"],
])("every picture of D-10 at 525 lines and %s has whole bytes", (_name, bitrate_kb, words) => {
  const target = { file_pattern: "x.mxf", container: { kind: "mxf_d10" }, video: { codec: "mpeg2", bitrate_kb } };
  expect(videoWords(target, square)).toContain(words);
});
