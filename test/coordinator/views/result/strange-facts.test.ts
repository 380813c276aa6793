import fc from "fast-check";
import { expect, test } from "vitest";
import { buildVersion } from "../../../../coordinator/views/result/asset.ts";
import { summaryOf } from "../../../../media/formats/media-summary.ts";
import { ratio } from "../../../../shared/basics/rational.ts";
import { assetFile, type MediaFacts } from "../../../../shared/model/asset.ts";
import { holds, times } from "../../../helpers/long.ts";
import { putAt } from "../../../helpers/random/hostile.ts";

const stream = { index: 0, id: 1, profile: "High", timeBase: ratio(1, 1000), bitRate: 1, start: ratio(0) };
const facts: MediaFacts = {
  ...{ format: "mov", size: 1, bitRate: 1, start: ratio(0), duration: ratio(1), timecode: "01:00:00:00" },
  video: [
    {
      ...{
        ...stream,
        codec: "h264",
        level: 41,
        duration: ratio(1),
        width: 4,
        height: 4,
        pixelFormat: "yuv420p",
        frames: 1,
      },
      ...{ frameRate: ratio(25), averageFrameRate: ratio(25), pixelAspect: ratio(1), colorRange: "tv" },
      ...{ fieldOrder: "tt", hdr: { maxCll: 1, maxFall: 1, dolbyVision: { profile: 5 } } },
    },
  ],
  audio: [{ ...stream, codec: "aac", channels: 2, layout: "stereo", sampleRate: 48_000 }],
  others: [{ index: 2, codec: "mov_text", kind: "subtitle", timeBase: ratio(1, 1000) }],
};
const file = { uri: "file:///out/a.mov", size: 1, modified: 1, facts };

const strange = fc.oneof(
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(0, -1, 1e308, 2 ** 53 - 1, 1 - 2 ** 53, 8.64e15, 8.65e15, "", "%", "file:///%zz/a", "0/0", null),
  fc.string({ unit: "binary" }),
  fc.constant(ratio(0)),
  fc.record({ num: fc.maxSafeInteger(), den: fc.maxSafeInteger() }),
);
const changes = fc.array(fc.tuple(fc.nat(90), strange), { minLength: 1, maxLength: 4 });

test("a result can be made of any facts that a node may report", async () => {
  let taken = 0;
  const property = fc.property(changes, (list) => {
    const changed = assetFile.safeParse(list.reduce((value: unknown, [place, put]) => putAt(value, place, put), file));
    if (!changed.success) return;
    taken += 1;
    const text = JSON.stringify(buildVersion({ version: "v", files: [changed.data] }, 1));
    expect(JSON.parse(text).asset_components).toHaveLength(1);
    expect(summaryOf(changed.data.facts ?? facts)).toEqual(expect.any(String));
  });
  await holds(property, times(1000, 2000, 200_000));
  expect(taken).toBeGreaterThan(100);
});
