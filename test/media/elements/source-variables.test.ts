import { expect, test } from "vitest";
import { sourceVariables } from "../../../media/elements/source-variables.ts";
import { ratio } from "../../../shared/basics/rational.ts";
import type { MediaFacts } from "../../../shared/model/asset.ts";

const facts: MediaFacts = {
  ...{ format: "mxf", size: 5_000_000, bitRate: 4_000_000, duration: ratio(10), start: ratio(0) },
  timecodes: [{ kind: "material_package", value: "10:00:00:00" }],
  video: [
    {
      ...{ index: 0, codec: "mpeg2video", timeBase: ratio(1, 30000), width: 720, height: 576, fieldOrder: "tt" },
      ...{ frameRate: ratio(30000, 1001), averageFrameRate: ratio(30000, 1001), pixelAspect: ratio(16, 15) },
      ...{ bitRate: 3_500_000 },
    },
  ],
  audio: [
    { index: 1, codec: "pcm_s24le", timeBase: ratio(1, 48000), channels: 2, sampleRate: 48_000, bitsPerSample: 24 },
  ],
  others: [{ index: 2, codec: "dvb_subtitle", kind: "subtitle", timeBase: ratio(1, 90000), language: "deu" }],
};

test("source.* has lists whose first entry can be named without a number", () => {
  const { video, audio, subtitle, container, timecode } = sourceVariables(facts);
  expect(video).toMatchObject({ height: 576, width: 720, par: 16 / 15, bitrate_kb: 3500, interlace_mode: "tff" });
  expect(video).toHaveProperty("frame_rate", 30000 / 1001);
  expect(video).toHaveLength(1);
  expect(video).toHaveProperty("0.height", 576);
  expect(audio).toMatchObject([{ codec: "pcm_s24le", channels: 2, sample_rate: 48_000, sample_size: 24 }]);
  expect(subtitle).toEqual([{ codec: "dvb_subtitle", language: "deu" }]);
  expect(container).toEqual({ kind: "mxf", size_kb: 5000, bitrate_kb: 4000, duration_sec: 10 });
  expect(timecode).toEqual([{ kind: "material_package", start_value: "10:00:00:00" }]);
});

test("a source without picture has an empty list of them", () => {
  expect(sourceVariables({ ...facts, video: [] }).video).toEqual([]);
});
