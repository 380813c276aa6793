import { expect, test } from "vitest";
import { namedChannels } from "../../../../../media/elements/transcode/audio/designators.ts";
import { containerOf } from "../../../../../media/elements/transcode/containers/index.ts";
import { designatorOf } from "../../../../../media/formats/channel-designators.ts";

const named = (designators: string[], kind: string, codec: "pcm" | "flac" | "aac" = "pcm") => {
  const container = containerOf(kind);
  if (!container) throw new Error(`no container ${kind}`);
  const [isPcm, hasMask] = [codec === "pcm", codec === "flac"];
  return namedChannels({ designators, channels: designators.length, isPcm, hasMask, container, path: "audio[0]" });
};

test("QuickTime has a label for every channel in any order, and WAVE a mask with an order of its own", () => {
  const film = ["left", "center", "right", "lfe_screen"];
  expect(named(film, "mov")).toMatchObject({ filters: [], labels: film.map(designatorOf), told: [] });
  expect(named(["narration", "narration"], "mov").labels?.map(({ label }) => label)).toEqual([41, 41]);
  const [filter] = named(film, "wav").filters;
  expect(filter).toEqual({ name: "channelmap", options: { map: "0|2|1|3", channel_layout: "FL+FR+FC+LFE" } });
  expect(named(film, "wav").told).toEqual([
    "audio[0].channel_designators: wav files hold these channels in the order left, right, center, lfe_screen",
  ]);
});

test("what a file or a codec cannot name is told, and keeps its order", () => {
  const plain = { name: "channelmap", options: { map: "0|1", channel_layout: "2C" } };
  const told = (what: ReturnType<typeof named>) => what.told.join("; ");
  expect(named(["discrete_3", "haptic"], "wav").filters).toEqual([plain]);
  expect(told(named(["discrete_3", "haptic"], "wav"))).toContain("wav cannot name discrete_3, haptic");
  expect(told(named(["left", "left"], "wav"))).toContain("wav cannot name left, left");
  expect(told(named(["left", "right"], "mkv"))).toContain("matroska names no channels");
  expect(told(named(["discrete_3", "haptic"], "mpegts", "aac"))).toContain("no names for discrete_3, haptic");
  expect(named(["right", "left"], "mpegts", "aac")).toEqual({ filters: [], speakers: ["FR", "FL"], told: [] });
});

test("there is a name for every channel", () => {
  const container = containerOf("mov") ?? { muxer: "mov" };
  const request = { designators: ["left"], channels: 2, isPcm: true, hasMask: false, container, path: "audio[0]" };
  expect(() => namedChannels(request)).toThrow("audio[0].channel_designators names 1 channels, the track has 2");
});
