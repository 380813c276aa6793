import { expect, test } from "vitest";
import { needsSample, sampleArgv, withSample } from "../../../media/ffmpeg/rate-sample.ts";
import { ratio } from "../../../shared/basics/rational.ts";
import type { MediaFacts } from "../../../shared/model/asset.ts";

const film = (more: Partial<MediaFacts["video"][number]> = {}, format = "matroska,webm", duration = 6): MediaFacts => ({
  ...{ format, size: 1, audio: [], others: [], start: ratio(0), duration: ratio(duration) },
  video: [
    {
      ...{ index: 2, codec: "h264", timeBase: ratio(1, 1000), width: 64, height: 36 },
      ...{ frameRate: ratio(25), averageFrameRate: ratio(25) },
      ...more,
    },
  ],
});
const every = (ms: number, count: number, from = 0) =>
  Array.from({ length: count }, (_, at) => from + Math.round(at * ms));
const told = (stamps: readonly number[], facts = film()) =>
  withSample(facts, stamps.map((stamp) => `${stamp},\n`).join("")).video[0];

test("only what a header promises is compared, and what promises nothing is measured", () => {
  const asked = [
    film(),
    film({}, "mov,mp4"),
    film({ averageFrameRate: ratio(20) }),
    film({ averageFrameRate: undefined }),
  ];
  expect(asked.map(needsSample)).toEqual([true, false, false, true]);
});

test("long files are looked at in three places, short ones at their beginning", () => {
  const places = (facts: MediaFacts) => {
    const argv = sampleArgv(facts, "a.mkv");
    return argv[argv.indexOf("-read_intervals") + 1];
  };
  expect([places(film()), places(film({}, "matroska,webm", 300))]).toEqual(["%+#600", "%+#150,100%+#150,200%+#150"]);
});

test("stamps that are rounded to milliseconds, in the order of decoding, and a lost frame make no varying rate", () => {
  const rounded = every(1001 / 24, 150).flatMap((stamp, at, all) => (at % 2 ? [] : [all[at + 1] ?? stamp, stamp]));
  expect(
    told(rounded, film({ frameRate: ratio(24_000, 1001), averageFrameRate: ratio(24_000, 1001) }))?.isVariable,
  ).toBe(undefined);
  expect(told([...every(40, 100), ...every(40, 49, 4040)])?.isVariable).toBe(undefined);
});

test("frames at other times than the promised ones make it vary, and the average is theirs", () => {
  expect(told([...every(40, 60), ...every(80, 60, 2400)])).toMatchObject({
    isVariable: true,
    averageFrameRate: ratio(1713, 100),
  });
  expect(told(every(50, 100), film({ frameRate: undefined, averageFrameRate: undefined }))).toMatchObject({
    ...{ isVariable: true, averageFrameRate: ratio(20) },
  });
});

test("fields that are packets of their own make none, where the picture has fields", () => {
  const fields = every(20, 150);
  expect([told(fields, film({ fieldOrder: "tt" }))?.isVariable, told(fields)?.isVariable]).toEqual([undefined, true]);
});

test("text that is none changes nothing", () => {
  expect(withSample(film(), "N/A\nnonsense")).toEqual(film());
});
