import type { FilterRequest } from "../../filters/discriminated.ts";
import type { Target } from "../../schema.ts";

/** A target whose container's fades are those of each of its tracks, behind their own filters. */
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
