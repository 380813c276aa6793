import { expect, test } from "vitest";
import { namedChannels } from "../../../../../media/elements/transcode/audio/designators.ts";

const named = (designators: string[] | undefined, isPcm = true, channels = designators?.length ?? 2) =>
  namedChannels({ designators, channels, isPcm, path: "audio[0]" });

test("channels of PCM get their names and stay what they are", () => {
  const args = (text: string) => [{ name: "pan", options: { args: text } }];
  expect(named(undefined)).toEqual([]);
  expect(named(["left_total", "right_total"])).toEqual(args("DL+DR|DL=c0|DR=c1"));
  expect(named(["lfe_screen"])).toEqual(args("LFE|LFE=c0"));
  expect(named(["left_total", "right_total"], false)).toEqual([]);
  const surround = ["left", "right", "center", "lfe_screen", "left_surround", "right_surround"];
  expect(named(surround, false)).toEqual([]);
});

test.each([
  [["left"], true, 2, "names 1 channels, the track has 2"],
  [["left", "front_left"], true, 2, 'has "front_left" twice'],
  [["discrete_3"], true, 1, '"discrete_3" is not implemented'],
  [["center", "left", "right"], false, 3, "this codec cannot keep center, left, right"],
  [["left_wide", "right_wide"], false, 2, "this codec cannot keep left_wide, right_wide"],
])("%j is refused in words (PCM: %s)", (designators, isPcm, channels, message) => {
  expect(() => named(designators, isPcm, channels)).toThrow(message);
});
