import { expect, test } from "vitest";
import { createProgressParser } from "../../../media/ffmpeg/progress.ts";

const block = `frame=48
fps=24.50
bitrate=N/A
out_time_us=2000000
out_time=00:00:02.000000
speed=1.02x
progress=continue
`;

test("a block is read however it is cut", () => {
  const parser = createProgressParser();
  const blocks = [...block].flatMap((character) => parser.feed(character));
  expect(blocks).toEqual([{ frame: 48, fps: 24.5, speed: 1.02, outTime: 2, done: false }]);
});

test("what ffmpeg does not know yet is absent", () => {
  const parser = createProgressParser();
  const text =
    "frame=0\nfps=0.00\nout_time_us=N/A\nspeed=N/A\nprogress=continue\nout_time_us=-9223372036854775807\nprogress=end\n";
  expect(parser.feed(text)).toEqual([
    { frame: 0, fps: 0, speed: undefined, outTime: undefined, done: false },
    { frame: undefined, fps: undefined, speed: undefined, outTime: undefined, done: true },
  ]);
});

test("the time that was reached stays while ffmpeg does not know it, and never falls", () => {
  const parser = createProgressParser();
  const times = ["1000000", "8000000", "N/A", "-9223372036854775807", "7500000", "9000000"];
  const blocks = parser.feed(times.map((time) => `out_time_us=${time}\nprogress=continue\n`).join(""));
  expect(blocks.map(({ outTime }) => outTime)).toEqual([1, 8, 8, 8, 8, 9]);
});

test("a flood without line ends is not kept", () => {
  const parser = createProgressParser();
  for (let i = 0; i < 100; i++) parser.feed("x".repeat(100_000));
  expect(parser.feed("\nframe=1\nprogress=end\r\n")).toMatchObject([{ frame: 1, done: true }]);
});
