import { child, childrenNamed, parseXml, type XmlElement, XmlError, XmlLimitError } from "../../shared/basics/xml.ts";
import { printClock } from "./clock.ts";
import { type Cue, type Line, readableCues, type Span, SubtitleError, TooMuchText } from "./cue.ts";
import { colorOf, escapeXml } from "./markup.ts";
import { readTtmlTime, type TimeBase, timeBaseOf } from "./ttml-time.ts";

type Look = Omit<Span, "text">;

type Document = {
  readonly base: TimeBase;
  readonly styles: ReadonlyMap<string, XmlElement>;
  readonly tops: ReadonlySet<string>;
  readonly keepsSpace: boolean;
};

/** Where a paragraph stands: what the elements around it say. Milliseconds. */
type Around = { readonly from: number; readonly to: number; readonly look: Look; readonly region?: string | undefined };

/** TTML, with IMSC 1 and EBU-TT-D: paragraphs with their times, four kinds of look, and whether they stand above. */
export const parseTtml = (text: string): Cue[] => {
  const root = rootOf(text);
  if (root.name !== "tt") throw new SubtitleError(`the root is <${root.name}>, not <tt>`);
  const head = child(root, "head");
  const document: Document = {
    base: timeBaseOf(root),
    styles: byId(childrenNamed(child(head, "styling"), "style")),
    tops: new Set(childrenNamed(child(head, "layout"), "region").filter(isAbove).map(idOf)),
    keepsSpace: root.attributes.get("space") === "preserve",
  };
  const body = child(root, "body");
  const everywhere: Around = { from: 0, to: Number.POSITIVE_INFINITY, look: {} };
  return readableCues(body ? ended(cuesIn(body, everywhere, document)) : []);
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

const idOf = ({ attributes }: XmlElement): string => attributes.get("id") ?? "";
const byId = (elements: readonly XmlElement[]) => new Map(elements.map((element) => [idOf(element), element]));

const isAbove = ({ attributes, children }: XmlElement): boolean => {
  const said = [attributes, ...children.map((each) => each.attributes)];
  const align = said.map((each) => each.get("displayAlign")).find(Boolean);
  if (align !== undefined) return align === "before";
  const top = /^\S+\s+(\d+(?:\.\d+)?)%/.exec(said.map((each) => each.get("origin")).find(Boolean) ?? "")?.[1];
  return top !== undefined && Number(top) < 40;
};

const cuesIn = (element: XmlElement, around: Around, document: Document): Cue[] => {
  const own = within(element, around, document);
  if (element.name !== "p") return element.children.flatMap((each) => cuesIn(each, own, document));
  const isTop = own.region !== undefined && document.tops.has(own.region);
  const lines = linesOf(element, own.look, document);
  return [{ from: own.from, to: own.to, lines, ...(isTop && { isTop }) }];
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

const within = (element: XmlElement, around: Around, document: Document): Around => {
  const time = (name: string) => readTtmlTime(element.attributes.get(name), document.base);
  const from = around.from + (time("begin") ?? 0);
  const [end, duration] = [time("end"), time("dur")];
  const ends = [around.to, end === undefined ? undefined : around.from + end, duration && from + duration];
  return {
    from,
    to: Math.min(...ends.filter((each) => each !== undefined)),
    look: { ...around.look, ...lookOf(element, document) },
    region: element.attributes.get("region") ?? around.region,
  };
};

/** Styles may take others in, and the later one counts. */
const deepestStyle = 8;

const lookOf = ({ attributes }: XmlElement, document: Document, depth = 0): Look => {
  const named = depth < deepestStyle ? (attributes.get("style") ?? "").split(/\s+/).slice(0, mostStyles(depth)) : [];
  const looks = named.map((id) => {
    const style = document.styles.get(id);
    return style ? lookOf(style, document, depth + 1) : {};
  });
  return Object.assign({}, ...looks, lookOfAttributes(attributes));
};

// Few at a depth, so that styles which name each other cost little.
const mostStyles = (depth: number): number => (depth === 0 ? 20 : 3);

const lookOfAttributes = (attributes: ReadonlyMap<string, string> | undefined): Look => {
  const color = colorOf(attributes?.get("color") ?? "");
  return {
    ...switched("italic", /italic|oblique/, attributes?.get("fontStyle")),
    ...switched("bold", /bold/, attributes?.get("fontWeight")),
    ...switched("underline", /(^|\s)underline/, attributes?.get("textDecoration")),
    ...(color !== undefined && { color: color === "#ffffff" ? undefined : color }),
  };
};

/** What says otherwise takes back what is inherited. */
const switched = (name: "italic" | "bold" | "underline", on: RegExp, text: string | undefined): object =>
  text === undefined ? {} : { [name]: on.test(text) ? true : undefined };

const linesOf = (paragraph: XmlElement, look: Look, document: Document): Line[] => {
  const lines: Span[][] = [[]];
  const add = (element: XmlElement, inherited: Look): void => {
    for (const part of element.content) {
      if (typeof part === "string") lines.at(-1)?.push({ text: spaced(part, document), ...inherited });
      else if (part.name === "br") lines.push([]);
      else if (part.name === "span") add(part, { ...inherited, ...lookOf(part, document) });
    }
  };
  add(paragraph, look);
  return lines.map(trimmed).filter((line) => line.length > 0);
};

const spaced = (text: string, { keepsSpace }: Document): string =>
  keepsSpace ? text.replaceAll(/[\r\n]+/g, " ") : text.replaceAll(/\s+/g, " ");

const trimmed = (line: readonly Span[]): Span[] =>
  line
    .map((span, at) => (at === 0 ? { ...span, text: span.text.trimStart() } : span))
    .map((span, at) => (at === line.length - 1 ? { ...span, text: span.text.trimEnd() } : span))
    .filter(({ text }) => text !== "");

export type TtmlOptions = { readonly language?: string | undefined; readonly isImsc?: boolean };

const namespaces = [
  'xmlns="http://www.w3.org/ns/ttml"',
  'xmlns:ttp="http://www.w3.org/ns/ttml#parameter"',
  'xmlns:tts="http://www.w3.org/ns/ttml#styling"',
];

/** TTML that counts media time; as IMSC 1 it says so. */
export const printTtml = (cues: readonly Cue[], { language = "", isImsc = false }: TtmlOptions = {}): string => {
  const profile = isImsc ? ' ttp:profile="http://www.w3.org/ns/ttml/profile/imsc1/text"' : "";
  return `<?xml version="1.0" encoding="UTF-8"?>
<tt ${namespaces.join(" ")} ttp:timeBase="media"${profile} xml:lang="${escapeXml(language).replaceAll('"', "")}">
  <head>
    <styling>
      <style xml:id="plain" tts:fontFamily="proportionalSansSerif" tts:color="white" tts:textAlign="center"/>
    </styling>
    <layout>
      <region xml:id="bottom" tts:origin="10% 70%" tts:extent="80% 20%" tts:displayAlign="after"/>
      <region xml:id="top" tts:origin="10% 10%" tts:extent="80% 20%" tts:displayAlign="before"/>
    </layout>
  </head>
  <body style="plain">
    <div>
${cues.map(paragraph).join("")}    </div>
  </body>
</tt>
`;
};

const paragraph = ({ from, to, lines, isTop }: Cue): string => {
  const times = `begin="${printClock(from, ".")}" end="${printClock(to, ".")}"`;
  const text = lines.map((line) => line.map(printSpan).join("")).join("<br/>");
  return `      <p ${times} region="${isTop ? "top" : "bottom"}">${text}</p>\n`;
};

const printSpan = ({ text, italic, bold, underline, color }: Span): string => {
  const looks = [
    italic && 'tts:fontStyle="italic"',
    bold && 'tts:fontWeight="bold"',
    underline && 'tts:textDecoration="underline"',
    color && `tts:color="${color}"`,
  ].filter(Boolean);
  const plain = escapeXml(text);
  return looks.length === 0 ? plain : `<span ${looks.join(" ")}>${plain}</span>`;
};
