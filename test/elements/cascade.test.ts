import { expect, test } from "vitest";
import { argsOf } from "../helpers/transcode-words.ts";

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
