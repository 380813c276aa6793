/** What a build writes and browsers search. A section begins at a heading; `page` is a position in `pages`. */
export type DocsIndex = {
  readonly pages: readonly { readonly address: string; readonly title: string }[];
  readonly sections: readonly Section[];
};
export type Section = {
  readonly page: number;
  readonly heading: string;
  readonly anchor: string;
  readonly text: string;
};

export type Hit = {
  readonly address: string;
  readonly title: string;
  readonly heading: string;
  readonly parts: Part[];
};
/** A piece of the text around a hit, and whether it is what was searched for. */
export type Part = { readonly text: string; readonly isHit: boolean };

/** The sections that contain every word of the query, the best first. Words may be beginnings or parts of words. */
export const searchDocs = ({ pages, sections }: DocsIndex, query: string, most = 20): Hit[] => {
  const words = wordsOf(query);
  if (words.length === 0) return [];
  const found = sections.flatMap((section, nr) => {
    const title = pages[section.page]?.title ?? "";
    const score = scoreOf(section, title, words);
    return score > 0 ? [{ section, title, score, nr }] : [];
  });
  found.sort((one, other) => other.score - one.score || one.nr - other.nr);
  return found.slice(0, most).map(({ section, title }) => ({
    address: `${pages[section.page]?.address ?? ""}${section.anchor === "" ? "" : `#${section.anchor}`}`,
    title,
    heading: section.heading,
    parts: partsAround(section.text, words),
  }));
};

const mostWords = 8;
const wordsOf = (query: string): string[] => query.toLowerCase().split(/\s+/).filter(Boolean).slice(0, mostWords);

/** 0 where a word is missing. Headings weigh more than titles, titles more than text, beginnings of words more than parts. */
const scoreOf = ({ heading, text }: Section, title: string, words: readonly string[]): number => {
  const [lowHeading, lowTitle, lowText] = [heading.toLowerCase(), title.toLowerCase(), text.toLowerCase()];
  let sum = 0;
  for (const word of words) {
    const score = weigh(lowHeading, word) * 8 + weigh(lowTitle, word) * 4 + weigh(lowText, word);
    if (score === 0) return 0;
    sum += score;
  }
  const phrase = words.join(" ");
  if (lowHeading === phrase) return sum + 40;
  return words.length > 1 && `${lowHeading} ${lowText}`.includes(phrase) ? sum + 12 : sum;
};

const weigh = (text: string, word: string): number => {
  const place = text.indexOf(word);
  if (place < 0) return 0;
  const startsWord = place === 0 || !/[\p{L}\p{N}]/u.test(text[place - 1] ?? "");
  return startsWord ? 2 : 1;
};

const [before, shown] = [50, 170];

const partsAround = (text: string, words: readonly string[]): Part[] => {
  const low = text.toLowerCase();
  const places = words.map((word) => low.indexOf(word)).filter((place) => place >= 0);
  const first = places.length === 0 ? 0 : Math.max(0, Math.min(...places) - before);
  const start = first === 0 ? 0 : text.indexOf(" ", first) + 1 || first;
  const piece = `${start > 0 ? "… " : ""}${text.slice(start, start + shown).trim()}${text.length > start + shown ? " …" : ""}`;
  return marked(piece, words);
};

const marked = (piece: string, words: readonly string[]): Part[] => {
  const literal = words.map((word) => word.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const split = piece.split(new RegExp(`(${literal.join("|")})`, "gi"));
  return split.map((text, nr) => ({ text, isHit: nr % 2 === 1 })).filter(({ text }) => text !== "");
};
