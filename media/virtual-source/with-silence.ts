import { ratio } from "../../shared/basics/rational.ts";
import type { AudioFacts } from "../../shared/model/asset.ts";
import { generatedSound } from "./generated.ts";
import type { VirtualSource } from "./virtual-source.ts";

/** The timeline with the requested number of audio tracks: missing ones are silent stereo. */
export const withSilence = (timeline: VirtualSource, wanted: number): VirtualSource => {
  const { facts, tracks, timing } = timeline;
  const { duration } = timing;
  const missing = Math.max(0, wanted - facts.audio.length);
  if (missing === 0 || !duration) return timeline;
  const shape = { channels: 2, sampleRate: facts.audio[0]?.sampleRate ?? 48_000 };
  const first = Math.max(-1, ...tracks.map(({ index }) => index)) + 1;
  const silent = Array.from(
    { length: missing },
    (_, at): AudioFacts => ({
      ...shape,
      index: first + at,
      codec: "generated",
      layout: "stereo",
      timeBase: ratio(1, shape.sampleRate),
      start: ratio(0),
      duration,
    }),
  );
  return {
    ...timeline,
    tracks: [...tracks, ...silent.map(({ index }) => ({ index, ...generatedSound(shape, duration) }))],
    facts: { ...facts, audio: [...facts.audio, ...silent] },
  };
};
