import type { Analyzed } from "../../../filters/analyzed.ts";
import type { AudioPlace } from "../../../filters/filter.ts";

/**
 * What an earlier analysis found out about the track: the one that the job names by its number; without a number
 * the track's own, where the filter gets it as the analysis did. Nothing where earlier filters have changed the sound.
 */
export const analysisOf = (
  { analyzer_track_index: named }: { readonly analyzer_track_index?: number | undefined },
  { extras: { analyzed }, track, isWhole, before }: AudioPlace,
): Analyzed["audio"][number] | undefined => {
  // Whatever filters came before, the analysis has not heard them.
  if (before.some(({ name }) => !/^(aresample|aformat)$/.test(name))) return undefined;
  const index = named ?? (isWhole ? track : undefined);
  return index === undefined ? undefined : analyzed.audio[index];
};
