import { describe, expect, test } from "vitest";
import { resolvePayload } from "../../../../media/elements/transcode/resolve/payload.ts";
import { resolve } from "../../../../media/elements/transcode/resolve/resolve.ts";
import { type Known, knownOf } from "../../../../media/elements/transcode/resolve/scope.ts";
import { target, transcodePayload } from "../../../../media/elements/transcode/schema.ts";
import { parseJob } from "../../../../media/jobs/parse-job.ts";
import { AppError } from "../../../../shared/basics/errors.ts";
import { ratio } from "../../../../shared/basics/rational.ts";
import type { MediaFacts } from "../../../../shared/model/asset.ts";
import { TaskError } from "../../../../shared/model/failure.ts";
import { aJob } from "../../../helpers/farm/farm.ts";

const facts: MediaFacts = {
  ...{ format: "mov", start: ratio(0), duration: ratio(30), size: 1000, timecode: "01:00:00:00" },
  video: [
    {
      ...{ index: 0, codec: "h264", timeBase: ratio(1, 30000), width: 1280, height: 720, pixelFormat: "yuv420p" },
      ...{ frameRate: ratio(30000, 1001), averageFrameRate: ratio(30000, 1001), pixelAspect: ratio(1) },
    },
  ],
  audio: [1, 2].map((index) => ({
    ...{ index, codec: "aac", timeBase: ratio(1, 48000), channels: index * 2, sampleRate: 48_000 },
  })),
  others: [{ index: 3, codec: "mov_text", kind: "subtitle", timeBase: ratio(1, 1000) }],
};
const plain = { uid: "t", payload: {}, job: { id: 1, name: "" }, inputs: [], factsOf: () => undefined };
const { scope } = knownOf(plain, facts);
const known: Known = { facts, scope: { ...scope, analyzer: { deep_properties: { crop: { left: 8 } } } } };

const resolved = (written: object) => resolve(target, target.parse(written), known, "t.payload.targets[0]");
const made = (written: object) => resolved(written).part;
const refusal = (written: object): string => {
  try {
    resolved(written);
  } catch (problem) {
    if (problem instanceof TaskError) return `${problem.failure.cause}: ${problem.message}`;
    throw problem;
  }
  return "accepted";
};

describe("conditions", () => {
  test("leave out a target when one of them is false or unknown", () => {
    expect(made({ include_conditions: ["source.video.height >= 720", "source.audio.length == 2"] })).toEqual(
      target.parse({}),
    );
    expect(made({ include_conditions: ["source.video.height >= 720", "source.video.height >= 1080"] })).toBeUndefined();
    expect(made({ include_conditions: ["source.video[0].nothing < 1"] })).toBeUndefined();
    expect(made({ include_conditions: ["analyzer.deep_properties.crop.left > 2"] })).toBeDefined();
  });

  test("switch off tracks that keep their places, and leave out the others", () => {
    const no = { include_conditions: ["source.video.height > 720"] };
    const part = made({
      video: { codec: "h264", ...no },
      audio: [{ ...no, channels: 2 }, { channels: 1 }, { include_conditions: ["channels == 6"], channels: 6 }],
      timecode: [no, { source: "media" }],
      subtitle: [no, { format: "srt" }],
    });
    expect(part?.video?.enabled).toBe(false);
    expect(part?.audio?.map(({ enabled }) => enabled)).toEqual([false, true, true]);
    expect(part?.timecode).toMatchObject([{ source: "media" }]);
    expect(part?.subtitle).toMatchObject([{ format: "srt" }]);
  });

  test("leave out filters of pictures, sound and containers", () => {
    const fade = (height: number) => ({
      kind: "fade",
      payload: {},
      include_conditions: [`source.video.height < ${height}`],
    });
    const part = made({
      container: { filters: [fade(720), fade(721)] },
      video: { filters: [fade(720), fade(721)] },
      audio: [{ filters: [fade(720)] }],
    });
    expect([part?.container?.filters?.length, part?.video?.filters?.length, part?.audio?.[0]?.filters?.length]).toEqual(
      [1, 1, 0],
    );
  });

  test("ask for tracks of every kind", () => {
    const has = (track: string) => made({ include_if_source_has: [track] }) !== undefined;
    const tracks = [
      "video",
      "video[1]",
      "audio[1]",
      "audio[2]",
      "subtitle[0]",
      "subtitle[1]",
      "timecode",
      "timecode[1]",
    ];
    expect(tracks.filter(has)).toEqual(["video", "audio[1]", "subtitle[0]", "timecode"]);
    const part = made({
      subtitle: [{ include_if_source_has: ["subtitle[1]"] }, { include_if_source_has: ["subtitle"] }],
    });
    expect(part?.subtitle).toHaveLength(1);
  });
});

describe("overrides", () => {
  test("replace fields by values of the source and of fields beside them", () => {
    const overrides = {
      max_bitrate_kb: "bitrate_kb * 1.20",
      bitrate_kb: "source.video.height >= 720 ? 2000 : 800",
      frame_rate: "source.video.frame_rate / 2",
      profile: "'high'",
      width: 640,
      idr_interval: { frames: "round(source.video.frame_rate) * 2" },
    };
    const { video } = made({ video: { codec: "h264", bitrate_kb: 100, overrides } }) ?? {};
    expect(video).toMatchObject({ bitrate_kb: 2000, max_bitrate_kb: 2400, width: 640, profile: "high" });
    expect(video).toMatchObject({ frame_rate: "14.985014985", idr_interval: { frames: 60 } });
    expect(video).not.toHaveProperty("overrides");
  });

  test("of a target, a track and a filter are applied where they stand", () => {
    const part = made({
      overrides: { file_pattern: "'x_' + source.video.height" },
      audio: [{ channels: 2, overrides: { channels: "source.audio[0].channels / 2" } }],
      timecode: [{ overrides: { start_value: "'10:00:00:00'" } }],
      video: {
        filters: [
          { kind: "crop", payload: { left: 2 }, overrides: { left: "left + analyzer.deep_properties.crop.left" } },
        ],
      },
    });
    expect(part?.file_pattern).toBe("x_720");
    expect(part?.audio?.[0]?.channels).toBe(1);
    expect(part?.timecode?.[0]?.start_value).toBe("10:00:00:00");
    expect(part?.video?.filters?.[0]?.payload).toMatchObject({ left: 10 });
  });

  test("without a value are ignored with a warning", () => {
    const overrides = {
      bitrate_kb: "source.video[4].bitrate_kb * 2",
      width: "source.video.width / 0",
      height: "source",
    };
    const { part, warnings } = resolved({ video: { codec: "h264", bitrate_kb: 500, overrides } });
    expect(part?.video).toMatchObject({ bitrate_kb: 500 });
    expect(part?.video).not.toHaveProperty("width");
    const at = "t.payload.targets[0].video.overrides";
    expect(warnings).toEqual([
      `${at}.bitrate_kb is ignored: source.video[4].bitrate_kb has no value here`,
      `${at}.width is ignored: has no value here`,
      `${at}.height is ignored: its value is not a number or a text`,
    ]);
  });

  test("give values that the field must take", () => {
    expect(refusal({ video: { overrides: { width: "source.video.width * 10" } } })).toBe(
      "definition: t.payload.targets[0].video.width: must be at most 8192, not 12800",
    );
  });
});

describe("numeric fields", () => {
  const overlay = (payload: object) => ({ video: { filters: [{ kind: "image_overlay", payload }] } });
  const payloadOf = (written: object) => made(written)?.video?.filters?.[0]?.payload;

  test("are numbers where the source gives them, and stay for ffmpeg where it does not", () => {
    const payload = { x: "source.video.width / 4", y: "(video_h - overlay_h) / 2", width: "height * 2", height: "50" };
    expect(payloadOf(overlay(payload))).toMatchObject({ x: 320, y: "(video_h - overlay_h) / 2", width: 100 });
    expect(made({ container: { filters: [{ payload: { factor: "25/(24000/1001)" } }] } })).toMatchObject({
      container: { filters: [{ kind: "speed_change", payload: { factor: 1.042708333 } }] },
    });
  });

  test("keep words that are no expressions", () => {
    const crop = { kind: "crop", payload: { left: "auto", right: "12.5%", top: "source.video.height / 10" } };
    expect(payloadOf({ video: { filters: [crop] } })).toMatchObject({ left: "auto", right: "12.5%", top: 72 });
  });

  test("that are fractions stay exact, and are expressions too", () => {
    const video = { frame_rate: "30000/1001", par: "16:15", dar: "source.video.width / source.video.height" };
    expect(made({ video })?.video).toMatchObject({ frame_rate: "30000/1001", par: "16:15", dar: "1.777777778" });
    expect(made({ video: { frame_rate: "source.video.frame_rate" } })?.video?.frame_rate).toBe("29.97002997");
    expect(made({ video: { frame_rate: 23.976 } })?.video?.frame_rate).toBe("23.976");
  });

  test("whose path leads nowhere fail by their name", () => {
    expect(refusal(overlay({ x: "source.video[2].width / 2" }))).toBe(
      "definition: t.payload.targets[0].video.filters[0].payload.x: source.video[2].width has no value here: source.video[2].width / 2",
    );
  });
});

test("filters of the pipeline are decided like those of targets", () => {
  const fade = (height: number) => ({
    kind: "fade",
    payload: {},
    include_conditions: [`source.video.height < ${height}`],
  });
  const payload = transcodePayload.parse({
    targets: [{}, { include_conditions: ["false"] }],
    source_pipeline: { filters: [{ video: [fade(720), fade(721)] }] },
  });
  const { context, targets } = resolvePayload({ ...plain, payload }, facts);
  expect(context.payload.source_pipeline?.filters?.[0]?.video).toHaveLength(1);
  expect(targets.map((each) => each !== undefined)).toEqual([true, false]);
});

test("source.* is the job's source, even when something was made of it in between", () => {
  const [video] = facts.video;
  const far = { ...facts, video: video ? [{ ...video, height: 2160 }] : [] };
  const source = [{ version: "s", files: [{ uri: "file:///far.mov", facts: far }] }];
  const inputs = [{ version: "t", files: [{ uri: "file:///near.mov", facts }] }];
  const height = (inputs: typeof source) => knownOf({ ...plain, inputs, source }, facts).scope.source;
  expect(height(inputs)).toHaveProperty("video.height", 2160);
  expect(height(source)).toHaveProperty("video.height", 720);
});

describe("a submission with a wrong expression is refused", () => {
  const faults = (target: object): string[] => {
    const elements = [{ uid: "t", kind: "transcode", payload: { targets: [target] } }];
    try {
      parseJob(aJob({ payload: { elements } }));
    } catch (problem) {
      if (problem instanceof AppError) return problem.details.map(({ path, message }) => `${path} ${message}`);
      throw problem;
    }
    return [];
  };
  const at = "payload.elements[0].payload.targets[0]";

  test.each([
    [{ include_conditions: ["1 >"] }, "include_conditions[0]", "expected a value, not the end\n  1 >\n     ^"],
    [
      { video: { overrides: { width: "2 x" } } },
      "video.overrides.width",
      'expected an operator, not "x"\n  2 x\n    ^',
    ],
    [
      { container: { filters: [{ payload: { factor: "25/(24" } }] } },
      "container.filters[0].payload.factor",
      "expected ) and not the end\n  25/(24\n        ^",
    ],
    [
      { video: { filters: [{ kind: "crop", payload: { left: "12 %%" } }] } },
      "video.filters[0].payload.left",
      'expected a value, not "%"\n  12 %%\n      ^',
    ],
  ])("%j", (target, path, message) => {
    expect(faults(target)).toEqual([`${at}.${path} is not an expression: ${message}`]);
  });
});
