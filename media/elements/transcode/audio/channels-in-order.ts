import type { AudioFacts } from "../../../../shared/model/asset.ts";
import type { Target } from "../target-schema.ts";

/**
 * A target with more mono tracks than the source has tracks: if none names its `source`, they are the source's channels
 * in order. So six of them are the channels of a 5.1 track, and not six mixes of it.
 */
export const withChannelsInOrder = <T extends Pick<Target, "audio"> | undefined>(
  target: T,
  tracks: readonly AudioFacts[],
): T => {
  const wanted = target?.audio?.filter(({ enabled }) => enabled) ?? [];
  const channels = tracks.flatMap((facts, track) =>
    Array.from({ length: facts.channels }, (_, channel) => ({ track, channel })),
  );
  const areMono = wanted.every(({ channels: count, source, codec }) => count === 1 && !source && codec !== "copy");
  if (!target || !areMono || wanted.length <= tracks.length || wanted.length > channels.length) return target;
  const taken = channels.values();
  const audio = target.audio?.map((each) => {
    const next = each.enabled ? taken.next().value : undefined;
    return next ? { ...each, source: [next] } : each;
  });
  return { ...target, audio };
};
