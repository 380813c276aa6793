import type { Cue, Line, Span } from "./cue.ts";

type Look = Omit<Span, "text">;

/** The colours that WebVTT knows by name. */
const named: Readonly<Record<string, string>> = {
  ...{ white: "#ffffff", lime: "#00ff00", cyan: "#00ffff", red: "#ff0000", yellow: "#ffff00" },
  ...{ magenta: "#ff00ff", blue: "#0000ff", black: "#000000" },
};
const nameOf = new Map(Object.entries(named).map(([name, color]) => [color, name]));
const otherNames: Readonly<Record<string, string>> = { green: "#008000", gray: "#808080", orange: "#ffa500" };

/** `#rrggbb` of a colour's name or number, without its opacity; undefined for anything else. */
export const colorOf = (text: string): string | undefined => {
  const word = text.trim().toLowerCase();
  return named[word] ?? otherNames[word] ?? /^(#[0-9a-f]{6})(?:[0-9a-f]{2})?$/.exec(word)?.[1];
};

const entities: Readonly<Record<string, string>> = {
  ...{ amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: "\u00a0", lrm: "\u200e", rlm: "\u200f" },
};

/** Tags that are open at a time; further ones change nothing. */
const mostOpen = 100;

/** The text of a cue in SRT and WebVTT: `<i>`, `<b>`, `<u>`, `<font color>`, `<c.yellow>`; other tags are left out. */
export const readMarkup = (
  text: string,
  isKnown: (tag: string) => boolean = () => true,
): Pick<Cue, "lines" | "isTop"> => {
  const isTop = /\{\\an?[789]\}/.test(text);
  const plain = text.replaceAll(/\{\\[^{}]{0,200}\}/g, "");
  const lines: Span[][] = [[]];
  const open: { readonly tag: string; readonly look: Look }[] = [];
  for (const [token, slash, tag = "", more = ""] of plain.matchAll(
    // A number is taken whole, or each of its beginnings would be tried.
    /<(\/?)([a-z]{1,10}|\d[\d:.]*(?![\d:.]))([^<>]*)>|\n|[^<\n]+|</gi,
  )) {
    if (token === "\n") lines.push([]);
    else if (tag === "" || !isKnown(tag.toLowerCase()))
      lines.at(-1)?.push({ text: withoutEntities(token), ...lookOf(open) });
    else if (slash !== "") close(open, tag.toLowerCase());
    else if (open.length < mostOpen) open.push({ tag: tag.toLowerCase(), look: lookOfTag(tag.toLowerCase(), more) });
  }
  return { lines, ...(isTop && { isTop }) };
};

const withoutEntities = (text: string): string =>
  text.replaceAll(
    /&(?:([a-z]{2,4})|#(\d{1,7})|#x([0-9a-f]{1,6}));/gi,
    (whole, name?: string, ten?: string, hex?: string) => {
      if (name !== undefined) return Object.hasOwn(entities, name) ? (entities[name] ?? "") : whole;
      return characterOf(ten === undefined ? Number.parseInt(hex ?? "", 16) : Number(ten)) ?? whole;
    },
  );

/** Undefined for a number that is no character, or one that nobody sees. */
const characterOf = (code: number): string | undefined =>
  code >= 32 && code <= 0x10_ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : undefined;

const lookOf = (open: readonly { readonly look: Look }[]): Look =>
  Object.assign({}, ...open.slice(-20).map(({ look }) => look));

const close = (open: { readonly tag: string }[], tag: string): void => {
  const at = open.findLastIndex((each) => each.tag === tag);
  if (at !== -1) open.splice(at, 1);
};

const lookOfTag = (tag: string, more: string): Look => {
  if (tag === "i") return { italic: true };
  if (tag === "b") return { bold: true };
  if (tag === "u") return { underline: true };
  const words = tag === "font" ? [/color\s*=\s*["']?([#\w]{1,20})/i.exec(more)?.[1] ?? ""] : more.split(".");
  const color = /^(font|c)$/.test(tag) ? words.map(colorOf).find(Boolean) : undefined;
  return color === undefined ? {} : { color };
};

/** Tags of SRT: what else stands in angle brackets there is text. */
export const isSrtTag = (tag: string): boolean => /^([ibusc]|font|span|ruby|rt|v|lang|\d[\d:.]*)$/.test(tag);

/** Lines as SRT has them. */
export const printSrtMarkup = (lines: readonly Line[]): string =>
  printLines(lines, ({ color, ...span }) => {
    const text = withTags({ ...span, text: span.text });
    return color === undefined ? text : `<font color="${color}">${text}</font>`;
  });

/** Lines as WebVTT has them; only colours that have a name there are kept. */
export const printVttMarkup = (lines: readonly Line[]): string =>
  printLines(lines, ({ color, ...span }) => {
    const text = withTags({ ...span, text: escapeXml(span.text) });
    const name = color === undefined ? undefined : nameOf.get(color);
    return name === undefined ? text : `<c.${name}>${text}</c>`;
  });

// An empty line would end the cue.
const printLines = (lines: readonly Line[], print: (span: Span) => string): string =>
  lines
    .map((line) => line.map(print).join(""))
    .filter((line) => line.trim() !== "")
    .join("\n");

const withTags = ({ text, italic, bold, underline }: Omit<Span, "color">): string =>
  [italic && "i", bold && "b", underline && "u"].reduce<string>(
    (inner, tag) => (tag ? `<${tag}>${inner}</${tag}>` : inner),
    text,
  );

export const escapeXml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
