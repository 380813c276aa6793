import { containerOf } from "../containers/index.ts";
import type { Target } from "../target-schema.ts";

/**
 * The files of a target: itself, or one file for each stream where its container holds only one. Tracks
 * keep their places, so that each finds its own track of the source.
 */
export const fileTargets = <T extends Target>(target: T): readonly T[] => {
  const { video, audio = [] } = target;
  const used = audio.flatMap(({ enabled }, index) => (enabled ? [index] : []));
  if (!isElementary(target) || used.length + (video?.enabled ? 1 : 0) < 2) return [target];
  const only = (kept: number | undefined) =>
    audio.map((each, index) => (index === kept ? each : { ...each, enabled: false }));
  return [
    ...(video?.enabled ? [{ ...target, audio: only(undefined) }] : []),
    ...used.map((index) => ({
      ...target,
      ...{ uid: `${target.uid}_audio_${index}`, video: undefined, timecode: undefined },
      file_pattern: target.file_pattern.replace(/\.[a-z0-9]{1,5}$/i, "{default_extension}"),
      ...{ container: { ...target.container, kind: "elementary" as const }, audio: only(index) },
    })),
  ];
};

const isElementary = ({ container }: Target): boolean => {
  const kind = container?.kind;
  if (kind === undefined) return false;
  return kind === "elementary" || containerOf(kind)?.isElementary === true;
};
