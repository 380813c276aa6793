import type { Asset, MediaFacts, Range, ReadingRules, Section } from "../asset.ts";
import { add, min, type Rational, ratio, toFraction } from "../rational.ts";
import { cutSections } from "./cut-sections.ts";
import { joinedFilm } from "./joined-film.ts";
import { virtualSourceOfFile } from "./of-file.ts";
import { filmOfSection, type SectionFilm } from "./section-film.ts";
import type { VirtualSource } from "./virtual-source.ts";
import { constantRate, mainVideo } from "./zero.ts";

/** An asset as one film. Its files must have their facts. Throws TaskError for a range beyond its end. */
export const virtualSourceOf = (asset: Asset, what: string): VirtualSource => {
  const film = filmOf(asset, what);
  return asset.reading ? { ...tolerant(film, asset.reading), reading: asset.reading } : film;
};

/** Where damaged frames are tolerated, the one before them fills their place. */
const tolerant = (film: VirtualSource, { maxDecodeErrors, maxSequentialDecodeErrors }: ReadingRules): VirtualSource => {
  const video = mainVideo(film.facts);
  const rate = video && constantRate(video);
  if (!rate || !(maxDecodeErrors || maxSequentialDecodeErrors)) return film;
  const fill = { name: "fps", options: { fps: toFraction(rate), start_time: "0" } };
  const tracks = film.tracks.map((track) =>
    track.index === video.index ? { ...track, filters: [...track.filters, fill] } : track,
  );
  return { ...film, tracks };
};

const filmOf = (asset: Asset, what: string): VirtualSource => {
  const plain = plainFile(asset);
  const rate = rateOf(asset);
  if (plain && !rate) return virtualSourceOfFile(plain, `${what}: the range`);
  const sections = sectionsOf(asset);
  const cut = asset.range ? cutSections(sections, filmsOf(sections, asset, what), asset.range, what) : sections;
  const [only, ...others] = filmsOf(cut, asset, what);
  if (!only) throw new Error(`${what} has no section`);
  return others.length === 0 && !rate ? filmAlone(only) : joinedFilm([only, ...others], rate, what);
};

/** The rate that the film is brought to. */
const rateOf = ({ reading, files }: Asset): Rational | undefined => {
  const { rate, fixedRate } = reading ?? {};
  if (rate || !fixedRate) return rate;
  const [video] = files.flatMap(({ facts }) => (facts && mainVideo(facts)) ?? []);
  return video?.frameRate ?? video?.averageFrameRate;
};

/** The one file that an asset is, whose tracks are as they lie in it. */
const plainFile = (asset: Asset) => {
  const [section, second] = sectionsOf(asset);
  const [part, secondPart] = section?.parts ?? [];
  if (!part || second || secondPart || section?.picture || section?.sounds || part.generated) return undefined;
  if (asset.range && part.range) return undefined;
  const file = asset.files[part.file ?? 0];
  if (!file?.facts) throw new Error("an asset is planned without the facts of its file");
  return { ...file, facts: file.facts, range: asset.range ?? part.range };
};

const filmsOf = (sections: readonly Section[], { files }: Asset, what: string): SectionFilm[] => {
  let first = 0;
  return sections.map((section) => {
    const film = filmOfSection(section, files, first, what);
    first += film.inputs.length;
    return film;
  });
};

const filmAlone = ({ inputs, picture, sounds, container, timing }: SectionFilm): VirtualSource => ({
  inputs,
  tracks: [
    ...(picture ? [{ index: 0, ...picture.feed }] : []),
    ...sounds.map(({ feed }, track) => ({ index: track + 1, ...feed })),
  ],
  facts: {
    ...container,
    start: ratio(0),
    video: picture ? [{ ...picture.facts, index: 0 }] : [],
    audio: sounds.map(({ facts }, track) => ({ ...facts, index: track + 1 })),
  },
  timing,
});

/** The asset with only a part of the film that it makes: the range is in seconds of that film. */
export const narrowed = (asset: Asset, range: Range | undefined): Asset =>
  range ? { ...asset, range: within(asset.range ?? { from: ratio(0) }, range) } : asset;

const within = (outer: Range, inner: Range): Range => {
  const to = inner.to && add(outer.from, inner.to);
  const precision = inner.precision ?? outer.precision;
  return {
    from: add(outer.from, inner.from),
    to: to && outer.to ? min(to, outer.to) : (to ?? outer.to),
    ...(precision && { precision }),
  };
};

/** The sections of an asset, also of one that names none: its files then play one after the other. */
export const sectionsOf = ({ sections, files }: Asset): readonly Section[] =>
  sections ?? files.map((_file, file) => ({ parts: [{ file }] }));

/** The asset with what is known by now about files that came without facts. */
export const withFacts = (
  asset: Asset,
  factsOf: (uri: string) => { readonly facts: MediaFacts } | undefined,
): Asset => ({
  ...asset,
  files: asset.files.map((file) => ({ ...file, facts: file.facts ?? factsOf(file.uri)?.facts })),
});
