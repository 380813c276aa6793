import { expect, test } from "vitest";
import { labelledLayout } from "../../../media/formats/channel-labels.ts";
import { boxed } from "../../../media/formats/mp4/parts.ts";
import { inUsualOrder } from "../../../media/virtual-source/channel-order.ts";

const u32 = (...values: readonly number[]): Uint8Array => {
  const bytes = new DataView(new ArrayBuffer(values.length * 4));
  for (const [at, value] of values.entries()) bytes.setUint32(at * 4, value);
  return new Uint8Array(bytes.buffer);
};

/** The payload of a box `stsd` with one sound of version 0, whose channels have a layout by its tag. */
const described = (tag: number): Uint8Array =>
  new Uint8Array([...u32(0, 1), ...boxed("sowt", [new Uint8Array(28), boxed("chan", [u32(0, tag, 0, 0)])])]);

test.each([
  ["film order", 0x007b_0006, "FL+FC+FR+BL+BR+LFE"],
  ["the order of AAC", 0x008e_0007, "FC+FL+FR+BL+BR+BC+LFE"],
  ["a layout that versions of ffmpeg read differently", 0x0080_0008, "FL+FR+FC+LFE+BL+BR+SL+SR"],
  ["an order that ffprobe tells", 0x0079_0006, undefined],
  ["a tag with another number of channels", 0x007b_0005, undefined],
])("a layout tag of QuickTime says the order of channels: %s", (_name, tag, expected) => {
  expect(labelledLayout(described(tag))).toBe(expected);
});

test("channels are brought to the order of layouts and named, also where only versions of ffmpeg disagree", () => {
  const sound = { index: 1, codec: "pcm_s16le", timeBase: { num: 1, den: 48_000 }, sampleRate: 48_000 };
  const film = inUsualOrder({ ...sound, channels: 6, layout: "FL+FC+FR+BL+BR+LFE" });
  expect([film.facts.layout, film.filters[0]?.options?.map]).toEqual(["5.1", "0|2|1|5|3|4"]);
  const wide = inUsualOrder({ ...sound, channels: 8, layout: "FL+FR+FC+LFE+BL+BR+SL+SR" });
  expect([wide.facts.layout, wide.filters[0]?.options?.map]).toEqual(["7.1", "0|1|2|3|4|5|6|7"]);
  expect(inUsualOrder({ ...sound, channels: 2, layout: "FL+LFE" }).filters).toEqual([]);
  expect(inUsualOrder({ ...sound, channels: 8, layout: "7.1" }).filters).toEqual([]);
});
