import { child, parseXml, type XmlElement, XmlError, XmlLimitError } from "../../../shared/basics/xml.ts";
import { type Cue, readableCues, SubtitleError, TooMuchText } from "../cue.ts";
import { type Looks, looksIn, type TtmlLook } from "./looks.ts";
import { type Budget, type Change, mostLooks, type Piece, type Stretch, shownOf } from "./moments.ts";
import { readTtmlTime, type TimeBase, timeBaseOf } from "./time.ts";

type Document = { readonly base: TimeBase; readonly looks: Looks; readonly budget: Budget };

/** Where an element stands: what those around it say, and the moment that its times count from. */
type Around = Stretch & {
  readonly look: TtmlLook;
  readonly changes: readonly Change[];
  readonly region: string | undefined;
  readonly keepsSpace: boolean;
};

/** What an element shows, and when it is over: that counts for what follows it in a sequence. */
type Laid<T> = { readonly made: readonly T[]; readonly to: number };

/**
 * TTML, with IMSC 1 and EBU-TT-D: paragraphs and the times of all that they consist of, in parallel or in sequence, four
 * kinds of look, and whether they stand above.
 */
export const parseTtml = (text: string): Cue[] => {
  const root = rootOf(text);
  if (root.name !== "tt") throw new SubtitleError(`the root is <${root.name}>, not <tt>`);
  const looks = looksIn(child(root, "head"));
  const document: Document = { base: timeBaseOf(root), looks, budget: { left: mostLooks } };
  const body = child(root, "body");
  const everywhere = { from: 0, to: Number.POSITIVE_INFINITY, look: {}, changes: [], region: undefined };
  const keepsSpace = root.attributes.get("space") === "preserve";
  return readableCues(body ? ended(cuesIn(body, { ...everywhere, keepsSpace }, document).made) : []);
};

const rootOf = (text: string): XmlElement => {
  try {
    return parseXml(text.trimStart());
  } catch (problem) {
    if (problem instanceof XmlLimitError) throw new TooMuchText(problem.message);
    if (problem instanceof XmlError) throw new SubtitleError(problem.message);
    throw problem;
  }
};

const cuesIn = (element: XmlElement, around: Around, document: Document): Laid<Cue> => {
  const own = within(element, around, document);
  if (element.name === "p") return paragraph(element, own, document);
  const parts = element.children.filter(({ name }) => !unshown.test(name));
  return laidOut(element, own, parts, (part, place) => cuesIn(part, place, document));
};

/** What stands beside texts and has no time of its own among them. */
const unshown = /^(metadata|set|animate)$/;

const paragraph = (element: XmlElement, own: Within, document: Document): Laid<Cue> => {
  const { made, to } = piecesIn(element, own, document);
  const region = document.looks.regions.get(own.region ?? "");
  const seen = made.map((piece) => ({ ...piece, look: { ...document.looks.initial, ...region?.look, ...piece.look } }));
  const cues = shownOf(seen, document.budget).map((shown) => ({
    ...shown,
    ...(region?.isTop && { isTop: true as const }),
  }));
  return { made: cues, to };
};

const piecesIn = (element: XmlElement, own: Within, document: Document): Laid<Piece> => {
  const parts = element.content.filter((part) => typeof part === "string" || /^(span|br)$/.test(part.name));
  return laidOut<string | XmlElement, Piece>(element, own, parts, (part, place) => {
    if (typeof part !== "string" && part.name === "span")
      return piecesIn(part, within(part, place, document), document);
    // What has no times is shown as long as the element around it, and in a sequence it is not.
    const isSequence = isSequential(element);
    const text = typeof part === "string" ? spaced(part, own.keepsSpace) : undefined;
    const { from, look, changes } = place;
    const made = isSequence ? [] : [{ from, to: own.to, text, look, changes }];
    return { made, to: isSequence || text === undefined || text.trim() === "" ? from : Number.POSITIVE_INFINITY };
  });
};

const isSequential = ({ attributes }: XmlElement): boolean => attributes.get("timeContainer") === "seq";

/** Parts at the same time, or each when the one before it is over. */
const laidOut = <P, T>(
  element: XmlElement,
  own: Within,
  parts: readonly P[],
  lay: (part: P, place: Around) => Laid<T>,
): Laid<T> => {
  const isSequence = isSequential(element);
  let over = own.from;
  const made = parts.flatMap((part) => {
    const laid = lay(part, { ...own, from: isSequence ? over : own.from });
    over = isSequence ? laid.to : Math.max(over, laid.to);
    return laid.made;
  });
  // Without an end of its own an element lasts as long as its parts.
  return { made, to: own.hasEnd ? own.to : Math.min(own.to, over) };
};

type Within = Around & { readonly hasEnd: boolean };

const mostSets = 100;

/** An element's own times count from where `around` begins. */
const within = (element: XmlElement, around: Around, document: Document): Within => {
  const stretch = stretchOf(element, around, document);
  const sets = element.children.filter(({ name }) => name === "set");
  if (sets.length > mostSets) throw new TooMuchText(`an element changes its look more than ${mostSets} times`);
  const changes = sets.map((set) => ({ ...stretchOf(set, stretch, document), look: document.looks.of(set) }));
  const space = element.attributes.get("space");
  return {
    ...stretch,
    look: { ...around.look, ...document.looks.of(element), ...languageOf(element) },
    changes: changes.length === 0 ? around.changes : [...around.changes, ...changes],
    region: element.attributes.get("region") ?? around.region,
    keepsSpace: space === undefined ? around.keepsSpace : space === "preserve",
  };
};

const languageOf = ({ name, attributes }: XmlElement): { language?: string } => {
  const language = name === "span" ? attributes.get("lang")?.slice(0, 200) : undefined;
  return language ? { language } : {};
};

const stretchOf = ({ attributes }: XmlElement, around: Stretch, { base }: Document): Stretch & { hasEnd: boolean } => {
  const time = (name: string) => readTtmlTime(attributes.get(name), base);
  const from = around.from + (time("begin") ?? 0);
  const [end, duration] = [time("end"), time("dur")];
  const own = [...(end === undefined ? [] : [around.from + end]), ...(duration === undefined ? [] : [from + duration])];
  return { from, to: Math.min(around.to, ...own), hasEnd: own.length > 0 };
};

/** A text that never ends is shown until the next one begins, and the last one so long. Milliseconds. */
const lastOnes = 10_000;

const ended = (cues: readonly Cue[]): Cue[] => {
  const starts = [...new Set(cues.map(({ from }) => from))].sort((a, b) => a - b);
  const next = new Map(starts.map((start, at) => [start, starts[at + 1] ?? Number.POSITIVE_INFINITY]));
  return cues.map((cue) => {
    if (Number.isFinite(cue.to)) return cue;
    return { ...cue, to: Math.min(next.get(cue.from) ?? cue.from, cue.from + lastOnes) };
  });
};

const spaced = (text: string, keepsSpace: boolean): string =>
  keepsSpace ? text.replaceAll(/[\r\n]+/g, " ") : text.replaceAll(/\s+/g, " ");
