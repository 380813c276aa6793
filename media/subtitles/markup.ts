import { switched } from "./ass.ts";
import { colorOf, colorOfClass } from "./colors.ts";
import type { Cue, Line, Look, Span } from "./cue.ts";

const entities: Readonly<Record<string, string>> = {
  ...{ amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: "\u00a0", lrm: "\u200e", rlm: "\u200f" },
};

/** Tags that are open at a time; further ones change nothing. */
const mostOpen = 100;

/** A tag that begins, such as `<c.loud.yellow>` or `<v Ann>`. */
export type Tag = { readonly name: string; readonly classes: readonly string[]; readonly about: string };

type Reading = {
  /** Tags of other names are text. */
  readonly isKnown?: (tag: string) => boolean;
  /** What styles say of what stands in a tag. */
  readonly styleOf?: (tag: Tag) => Look;
  /** How the text looks outside of all tags. */
  readonly look?: Look;
};

/** The text of a cue in SRT and WebVTT: `<i>`, `<b>`, `<u>`, `<font color>`, `<c.yellow>`, `<v Ann>`, `<lang en>`; other tags are left out. */
export const readMarkup = (
  text: string,
  { isKnown = () => true, styleOf = () => ({}), look = {} }: Reading = {},
): Pick<Cue, "lines" | "isTop"> => {
  let isTop = false;
  const lines: Span[][] = [[]];
  const open: { readonly tag: string; readonly look: Look }[] = [];
  // Tags of ASS, which players read in SRT as well.
  let braced: Look = {};
  for (const [token, slash, tag = "", more = ""] of text.matchAll(
    // A number is taken whole, or each of its beginnings would be tried.
    /<(\/?)([a-z]{1,10}|\d[\d:.]*(?![\d:.]))([^<>]*)>|\n|\{\\[^{}]{0,200}\}|(?:[^<{\n]|\{(?!\\))+|[<{]/gi,
  )) {
    if (token === "\n") lines.push([]);
    else if (token.startsWith("{\\")) {
      isTop ||= /\\an?[789](?!\d)/.test(token);
      braced = switched(braced, token, {}, new Map());
    } else if (tag === "" || !isKnown(tag.toLowerCase()))
      lines.at(-1)?.push({ text: withoutEntities(token), ...look, ...lookOf(open), ...braced });
    else if (slash !== "") close(open, tag.toLowerCase());
    else if (open.length < mostOpen) {
      const known = tagOf(tag.toLowerCase(), more);
      open.push({ tag: known.name, look: { ...lookOfTag(known), ...styleOf(known) } });
    }
  }
  return { lines, ...(isTop && { isTop }) };
};

/** Classes stand directly behind the name, and everything else behind a space. */
const tagOf = (name: string, more: string): Tag => {
  const [classes = ""] = more.split(/\s/, 1);
  const about = withoutEntities(more.slice(classes.length).trim()).slice(0, mostAbout);
  return { name, classes: classes.split(".").filter(Boolean).slice(0, mostClasses), about };
};

const mostAbout = 200;
const mostClasses = 20;

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

const lookOfTag = ({ name, classes, about }: Tag): Look => {
  if (name === "i") return { italic: true };
  if (name === "b") return { bold: true };
  if (name === "u") return { underline: true };
  if (name === "v") return about === "" ? {} : { voice: about };
  if (name === "lang") return about === "" ? {} : { language: about };
  const color =
    name === "font"
      ? colorOf(/color\s*=\s*["']?(#?\w{1,20})/i.exec(about)?.[1] ?? "")
      : name === "c"
        ? classes.map(colorOfClass).find(Boolean)
        : undefined;
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

// An empty line would end the cue.
export const printLines = (lines: readonly Line[], print: (span: Span) => string): string =>
  lines
    .map((line) => line.map(print).join(""))
    .filter((line) => line.trim() !== "")
    .join("\n");

export const withTags = ({ text, italic, bold, underline }: Omit<Span, "color">): string =>
  [italic && "i", bold && "b", underline && "u"].reduce<string>(
    (inner, tag) => (tag ? `<${tag}>${inner}</${tag}>` : inner),
    text,
  );

export const escapeXml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
