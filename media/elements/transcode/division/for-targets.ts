import { extrasIn, type Recipe, type TargetRecipe } from "../recipe.ts";

/** The recipe for some of its targets: with the files, subtitles and measurements that these read, and no others. */
export const forTargets = (recipe: Recipe, wanted: ReadonlySet<TargetRecipe>): Recipe => {
  const timelines = recipe.timelines
    .map(({ source, targets }) => ({ source, targets: targets.filter((target) => wanted.has(target)) }))
    .filter(({ targets }) => targets.length > 0);
  let read = JSON.stringify(timelines);
  const isRead = (name: string): boolean => read.includes(JSON.stringify(name));
  // The filters of a measurement may read what an earlier one found.
  const measures = (recipe.measures ?? []).toReversed().filter((measure) => {
    if (!isRead(measure.id)) return false;
    read += JSON.stringify(measure);
    return true;
  });
  const subtitles = (recipe.subtitles ?? []).filter(({ id }) => isRead(id));
  read += JSON.stringify(subtitles);
  const captions = (recipe.captions ?? []).filter(({ id }) => isRead(id));
  const staged = (recipe.staged ?? []).filter(({ as }) => isRead(as));
  return { timelines, ...extrasIn({ measures: measures.toReversed(), subtitles, captions, staged }) };
};
