import { expect, test } from "vitest";
import { argsOf } from "../../../helpers/media/transcode-words.ts";

/** The graph of targets of these heights, one chain a line. */
const graphOf = (targets: readonly object[]): string[] => {
  const uids = targets.map((video, index) => ({ file_pattern: `${index}.mkv`, video }));
  const [args = []] = argsOf(uids);
  return args[args.indexOf("-filter_complex") + 1]?.split(";") ?? [];
};

const h264 = (height: number, more: object = {}) => ({ codec: "h264", profile: "high", height, ...more });
const rest = "setsar=sar=1,format=pix_fmts=yuv420p";
const scale = (size: string) => `scale=${size}:flags=bicubic`;

test("a picture is scaled from one that is twice as large, and else from the source", () => {
  expect(graphOf([h264(1080), h264(720), h264(480), h264(360)])).toEqual([
    "[0:0]split=outputs=3[v0_in][v1_in][v2_in]",
    `[v0_in]${rest}[v0]`,
    `[v1_in]${scale("w=1280:h=720")},format=pix_fmts=yuv420p,split=outputs=2[v1_own][v3_in]`,
    `[v1_own]${rest}[v1]`,
    `[v2_in]${scale("w=854:h=480")},${rest}[v2]`,
    `[v3_in]${scale("w=640:h=360")},${rest}[v3]`,
  ]);
});

test("the smallest of those that are large enough feeds it", () => {
  const chains = graphOf([h264(180), h264(720), h264(360)]);
  expect(chains).toEqual([
    "[0:0]null[v1_in]",
    `[v0_in]${scale("w=320:h=180")},${rest}[v0]`,
    `[v1_in]${scale("w=1280:h=720")},format=pix_fmts=yuv420p,split=outputs=2[v1_own][v2_in]`,
    `[v1_own]${rest}[v1]`,
    `[v2_in]${scale("w=640:h=360")},format=pix_fmts=yuv420p,split=outputs=2[v2_own][v0_in]`,
    `[v2_own]${rest}[v2]`,
  ]);
});

test.each([
  ["another depth", h264(360, { profile: "high10" })],
  ["another algorithm", h264(360, { scaler: { algorithm: "lanczos" } })],
  ["dithering", h264(360, { scaler: { dither: "bayer" } })],
  ["the colours of stills", { codec: "jpeg", height: 360 }],
])("one of %s is scaled from the source", (_name, video) => {
  expect(graphOf([h264(720), video])[0]).toBe("[0:0]split=outputs=2[v0_in][v1_in]");
});

const aac = { codec: "aac", channels: 2, bitrate_kb: 128, language: "en" };
const rung = (height: number, audio: object = aac, more: object = {}) => ({
  ...{ file_pattern: `${height}.mp4`, video: h264(height), audio: [audio] },
  ...more,
});

/** The end of the first command that encodes, from its first map. */
const outputsOf = (...targets: object[]) => {
  const args = argsOf(targets).find((words) => words.includes("-map")) ?? [];
  return args.slice(args.indexOf("-map")).join(" ");
};

test("sound that is the same in several files is encoded once", () => {
  const video = (at: number, label: string) =>
    `-map [${label}] -c:v:${at} libx264 -profile:v:${at} high -flags:v:${at} +global_header -fps_mode:v:${at} passthrough`;
  const file = (at: number) => `[f=mp4:onfail=abort:movflags=+faststart:write_tmcd=0:select='v\\:${at},a']`;
  const word = {
    parts: [file(0), { of: { out: "t0" }, context: "tee" }, `|${file(1)}`, { of: { out: "t1" }, context: "tee" }],
  };
  expect(outputsOf(rung(720), rung(480))).toBe(
    [
      video(0, "v0"),
      video(1, "v1"),
      "-map [a0_0] -c:a:0 aac -b:a:0 128000 -flags:a:0 +global_header -metadata:s:a:0 language=eng",
      `-map_metadata -1 -map_chapters -1 -f tee ${JSON.stringify(word)}`,
    ].join(" "),
  );
});

test.each([
  ["another bit rate", rung(480, { ...aac, bitrate_kb: 64 })],
  ["another kind of file", rung(480, aac, { file_pattern: "x.mkv" })],
  ["a title of its own", rung(480, aac, { container: { kind: "mp4", title: "T" } })],
  ["two passes", rung(480, aac, { nr_of_passes: 2, video: { codec: "h264", height: 480, bitrate_kb: 300 } })],
  ["subtitles, which this muxer would leave out", rung(480, aac, { subtitle: [{ source_map: "source_or_empty" }] })],
  ["a brand that the list of files could misread", rung(480, aac, { container: { kind: "mp4", brand: "a:b|" } })],
])("a file with %s has its own", (_name, other) => {
  expect(outputsOf(rung(720), other)).not.toContain("-f tee");
});
