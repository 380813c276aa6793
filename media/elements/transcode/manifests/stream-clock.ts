import { streamBegin } from "../../../packaging/stream-clock.ts";
import type { ManifestPart, TargetRecipe, Timeline } from "../recipe.ts";

const ticksPerSecond = 90_000;

/** Texts that a manifest names beside transport streams count on the clock of the streams: players ask for it. */
export const onStreamClock = (timelines: readonly Timeline[]): Timeline[] => {
  const parts = timelines.flatMap(({ targets }) => targets.flatMap(({ manifest }) => manifest ?? []));
  const uids = new Set(parts.filter(isTransport).flatMap((part) => part.uids));
  const clocked = (target: TargetRecipe): TargetRecipe => {
    const isBeside = target.manifest?.uids.some((uid) => uids.has(uid)) === true;
    if (!target.text || !isBeside) return target;
    return { ...target, text: { ...target.text, streamClock: streamBegin * ticksPerSecond } };
  };
  return timelines.map((timeline) => ({ ...timeline, targets: timeline.targets.map(clocked) }));
};

const isTransport = ({ layout, kind }: ManifestPart): boolean =>
  layout === "segments" || (layout === "playlist" && kind !== "text");
