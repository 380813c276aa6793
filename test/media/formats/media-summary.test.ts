import { expect, test } from "vitest";
import { summaryOf } from "../../../media/formats/media-summary.ts";
import type { AudioFacts, MediaFacts } from "../../../shared/model/asset.ts";

const timeBase = { num: 1, den: 48_000 };
const audio = (index: number, channels: number): AudioFacts => ({
  ...{ index, codec: "pcm_s24le", timeBase, channels },
  sampleRate: 48_000,
});
const media = (more: Partial<MediaFacts>): MediaFacts => ({
  ...{ format: "mov", size: 1, video: [], audio: [], others: [] },
  ...more,
});
const picture = { index: 0, codec: "prores", timeBase, width: 3840, height: 2160 };

test.each<[string, Partial<MediaFacts>]>([
  ["", {}],
  ["prores 3840×2160 29.97 fps", { video: [{ ...picture, frameRate: { num: 30_000, den: 1001 } }] }],
  [
    "prores 3840×2160 · 2 × pcm_s24le 1 ch · pcm_s24le 2 ch",
    {
      video: [picture],
      audio: [audio(1, 1), audio(2, 1), audio(3, 2)],
    },
  ],
  ["pcm_s24le 2 ch · 9.84 s", { audio: [audio(0, 2)], duration: { num: 246, den: 25 } }],
  ["01:02:03", { duration: { num: 3723, den: 1 } }],
])("media reads %j", (words, facts) => {
  expect(summaryOf(media(facts))).toBe(words);
});
