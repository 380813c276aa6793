import { describe, expect, test } from "vitest";
import { elementOf } from "../../../../media/elements/index.ts";
import { buildSpliceInsert } from "../../../../media/splices/splice-info.ts";
import { hexOfBytes } from "../../../../shared/basics/hex.ts";
import { ratio } from "../../../../shared/basics/rational.ts";
import type { MediaFacts } from "../../../../shared/model/asset.ts";
import type { SplicePoint } from "../../../../shared/work/splice-point.ts";

const seconds = (count: number) => count * 90_000;
const clock = { timeBase: ratio(1, 90_000), start: ratio(2) };
const facts: MediaFacts = {
  ...{ format: "mpegts", start: ratio(1), duration: ratio(31), size: 1000, audio: [] },
  video: [
    {
      ...{ ...clock, index: 0, id: 256, codec: "h264", width: 640, height: 360, pixelFormat: "yuv420p" },
      ...{ frameRate: ratio(25), averageFrameRate: ratio(25), pixelAspect: ratio(1), fieldOrder: "progressive" },
    },
  ],
  others: [{ ...clock, start: ratio(1), index: 1, id: 500, kind: "data", codec: "scte_35" }],
};

const contextFor = (target: object, points?: readonly SplicePoint[], found: MediaFacts = facts) => ({
  uid: "tc",
  payload: elementOf("transcode")?.payload.parse({
    location: { path: "/out" },
    targets: [{ file_pattern: "a.ts", video: { codec: "h264" }, ...target }],
  }),
  ...{ job: { id: 7, name: "j" }, factsOf: () => undefined },
  inputs: [{ version: "src", files: [{ uri: "file:///in/film.ts", facts: found }] }],
  ...(points && { stageResults: () => ({ splices: { kind: "splices", value: { points: [...points] } } }) }),
});

const planned = (context: ReturnType<typeof contextFor>) => {
  const plan = elementOf("transcode")?.plan(context);
  if (!plan || !("tasks" in plan)) throw new Error("nothing was planned");
  const [task] = plan.tasks;
  return { plan, steps: task ? (elementOf("transcode")?.compile(task, context).steps ?? []) : [] };
};

const scte35 = (fields: object, kind = "mpegts") => ({ container: { kind, scte35: fields } });
const cue = (ptsTime: number, more: object = {}) => ({
  spliceInfoSection: { spliceInsert: { outOfNetworkIndicator: true, program: { spliceTime: { ptsTime } } } },
  ...more,
});
const keys = (steps: ReturnType<typeof planned>["steps"]) =>
  steps.flatMap((step) => (step.do === "ffmpeg" ? step.argv[step.argv.indexOf("-force_key_frames:v") + 1] : []));

describe("points of SCTE-35", () => {
  test("that the job lists become key frames and sections, each four seconds before its splice", () => {
    const sections = [cue(seconds(10)), cue(seconds(12), { insertTime: seconds(11) }), cue(seconds(31))];
    const { steps } = planned(contextFor(scte35({ scte35_sections: sections })));
    expect(keys(steps)).toEqual(["10,12"]);
    const section = (eventId: number, pts: number) => hexOfBytes(buildSpliceInsert({ eventId, isOut: true, pts }));
    expect(steps[1]).toEqual({
      ...{ do: "insert_splices", into: "stream", id: "t0_splices", of: "t0", isConstant: false },
      points: [
        { at: seconds(6), splice: seconds(10), section: section(1, seconds(10)) },
        { at: seconds(11), splice: seconds(12), section: section(2, seconds(12)) },
      ],
    });
  });

  test("of the source are looked for first, once for all targets, and move with the trim", () => {
    const target = { ...scte35({ use_source_media: "required" }), trim: { inpoint_sec: 5 } };
    const { plan, steps } = planned(contextFor(target));
    expect(plan).toMatchObject({ stage: "splices", tasks: [{ requires: [], weight: "light" }] });
    const stream = { pids: [500], picture: 256, zero: seconds(2) };
    expect(steps).toEqual([{ do: "find_splices", id: "splices", asset: "extra_0", stream }]);
    const point = (splice: number): SplicePoint => {
      return { at: splice - 1, splice, section: hexOfBytes(buildSpliceInsert({ eventId: 1, pts: splice })) };
    };
    const made = planned(contextFor(target, [point(seconds(4)), point(seconds(5)), point(seconds(8))]));
    expect(keys(made.steps)).toEqual(["0,3"]);
    expect(made.steps[1]).toMatchObject({
      points: [
        { at: 0, splice: 0 },
        { at: seconds(3) - 1, splice: seconds(3) },
      ],
    });
  });

  test("only set key frames where no sections are wanted, beside those that the job forces", () => {
    const fields = scte35({ scte35_sections: [cue(seconds(10))], write_scte35_packets: false }, "mp4");
    const { steps } = planned(
      contextFor({ ...fields, video: { codec: "h264", forced_keyframes: [3, "00:00:07:00"] } }),
    );
    expect([keys(steps), steps.length]).toEqual([["3,7,10"], 1]);
  });

  test("stand beside the starts of segments", () => {
    const fields = scte35({ scte35_sections: [cue(seconds(10))], write_scte35_packets: false }, "hls");
    const { steps } = planned(contextFor({ ...fields, file_pattern: "a.m3u8" }));
    expect(keys(steps)).toEqual(["0,6,10,12,18,24"]);
  });

  test.each([
    [
      "a container without a place",
      scte35({ scte35_sections: [cue(1)] }, "mp4"),
      "into mpegts, segmented_ts, hls and DASH only",
    ],
    [
      "a list without a time",
      scte35({ scte35_sections: [{ spliceInfoSection: { spliceInsert: {} } }] }),
      "[0] has neither",
    ],
    ["no place to find them", scte35({}), "names no points"],
  ])("are refused in words: %s", (_name, target, words) => {
    expect(() => planned(contextFor(target))).toThrow(words);
  });

  test("of a source without any are required or not", () => {
    const none = { ...facts, others: [] };
    const target = (use_source_media: string) => contextFor(scte35({ use_source_media }), undefined, none);
    expect(() => planned(target("required"))).toThrow("the source is no single transport stream with SCTE-35");
    expect(planned(target("if_exists")).steps.map((step) => step.do)).toEqual(["ffmpeg"]);
  });
});
