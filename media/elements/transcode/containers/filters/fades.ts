import type { FilterRequest } from "../../filter-schema.ts";
import type { Target } from "../../target-schema.ts";

/** The target with its container's fades on each of its tracks, after their own filters. */
export const withFades = <T extends Target>(target: T): T => {
  const { container, video, audio } = target;
  const fades = (container?.filters ?? []).flatMap((each): FilterRequest[] =>
    each.kind === "fade" ? [{ kind: "fade", payload: each.payload }] : [],
  );
  if (fades.length === 0) return target;
  return {
    ...target,
    ...(video && { video: { ...video, filters: [...(video.filters ?? []), ...fades] } }),
    ...(audio && { audio: audio.map((track) => ({ ...track, filters: [...(track.filters ?? []), ...fades] })) }),
  };
};
