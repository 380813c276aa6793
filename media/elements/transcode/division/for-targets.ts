import { extrasIn, type Measure, type Recipe, type StreamRecipe, type TargetRecipe } from "../recipe.ts";

/** The recipe for some of its targets: with the files, subtitles and measurements that these need, and no others. */
export const forTargets = (recipe: Recipe, wanted: ReadonlySet<TargetRecipe>): Recipe => {
  const timelines = recipe.timelines
    .map(({ source, targets }) => ({ source, targets: targets.filter((target) => wanted.has(target)) }))
    .filter(({ targets }) => targets.length > 0);
  let read = JSON.stringify(timelines);
  const sounds = timelines.flatMap(({ targets }) => targets.flatMap(({ audio }) => audio));
  const isRead = (name: string): boolean => read.includes(JSON.stringify(name));
  // The filters of a measurement may read what an earlier one found.
  const measures = (recipe.measures ?? []).toReversed().filter((measure) => {
    if (!isRead(measure.id) && !isCheckOf(sounds, measure, isRead)) return false;
    read += JSON.stringify(measure);
    return true;
  });
  const subtitles = (recipe.subtitles ?? []).filter(({ id }) => isRead(id));
  read += JSON.stringify(subtitles);
  const captions = (recipe.captions ?? []).filter(({ id }) => isRead(id));
  const staged = (recipe.staged ?? []).filter(({ as }) => isRead(as));
  return { timelines, ...extrasIn({ measures: measures.toReversed(), subtitles, captions, staged }) };
};

/** Nobody reads a check: it goes with a sound that has its filters or its encoder, or the figures that it is made of. */
const isCheckOf = (
  sounds: readonly StreamRecipe[],
  { parser, filters, encoded }: Measure,
  isRead: (name: string) => boolean,
): boolean => {
  if (!parser.endsWith("_check") || sounds.length === 0) return false;
  if (encoded) return sounds.some((sound) => isEncodedAs(sound, encoded));
  const figures = [...JSON.stringify(filters).matchAll(/"result":"([^"]+)"/g)];
  return figures.length > 0 && figures.every(([, name = ""]) => isRead(name));
};

/** Its disposition is the container's, and changes no sound. */
const isEncodedAs = (sound: StreamRecipe, encoded: NonNullable<Measure["encoded"]>): boolean => {
  const keyOf = ({ filters, fdkaac, options: { disposition: _flag, ...options } }: typeof encoded) =>
    JSON.stringify([filters, fdkaac, options]);
  return keyOf(sound) === keyOf(encoded);
};
