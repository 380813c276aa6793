/**
 * A small reader for XML from strangers. It knows elements, attributes, text, CDATA and comments; it refuses document
 * types and every entity but the five of XML itself, so nothing can grow or be fetched. Names lose their prefix.
 */
export type XmlElement = {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly XmlElement[];
  /** Children and the text between them as it is, in their order. */
  readonly content: readonly (string | XmlElement)[];
  /** Own text, without that of children, trimmed. */
  readonly text: string;
  /** Where it begins, counted from 1. */
  readonly line: number;
};

/** What is wrong and at which character. */
export class XmlError extends Error {
  override name = "XmlError";
}

/** It may be well-formed, but it is too deep or too much. */
export class XmlLimitError extends XmlError {}

/** The root element. Throws XmlError for what is not well-formed, XmlLimitError for what is too deep or too much. */
export const parseXml = (source: string): XmlElement => {
  const reader = { source, at: 0, elements: 0, line: 1, counted: 0 };
  skipProlog(reader);
  const root = readElement(reader, 0);
  skipMisc(reader);
  if (reader.at < source.length) fail(reader, "something follows the root element");
  return root;
};

export const childrenNamed = (element: XmlElement | undefined, name: string): XmlElement[] =>
  element?.children.filter((child) => child.name === name) ?? [];

/** The first child along a path of names: `child(root, "AssetList", "Asset")`. */
export const child = (element: XmlElement | undefined, ...path: readonly string[]): XmlElement | undefined =>
  path.reduce<XmlElement | undefined>((at, name) => at?.children.find((each) => each.name === name), element);

/** Text of that child; undefined where it is not there or empty. */
export const childText = (element: XmlElement | undefined, ...path: readonly string[]): string | undefined =>
  child(element, ...path)?.text || undefined;

/** `line` is that of the character at `counted`. */
type Reader = { readonly source: string; at: number; elements: number; line: number; counted: number };

const maxDepth = 64;
const maxElements = 200_000;

const skipProlog = (reader: Reader): void => {
  if (reader.source.startsWith("\ufeff")) reader.at = 1;
  skipMisc(reader);
};

/** White space, comments and processing instructions. */
const skipMisc = (reader: Reader): void => {
  for (;;) {
    take(reader, /\s+/y);
    if (!skipComment(reader) && !skipInstruction(reader)) return;
  }
};

const skipComment = (reader: Reader): boolean => skipUntil(reader, "<!--", "-->");
const skipInstruction = (reader: Reader): boolean => skipUntil(reader, "<?", "?>");

const skipUntil = (reader: Reader, begin: string, end: string): boolean => {
  if (!reader.source.startsWith(begin, reader.at)) return false;
  const found = reader.source.indexOf(end, reader.at + begin.length);
  if (found === -1) fail(reader, `"${begin}" has no end`);
  reader.at = found + end.length;
  return true;
};

const readElement = (reader: Reader, depth: number): XmlElement => {
  if (reader.source.startsWith("<!", reader.at)) fail(reader, "a document type is not allowed");
  const line = lineNow(reader);
  const name = take(reader, /<([A-Za-z_][\w:.-]*)/y)?.[1];
  if (name === undefined) return fail(reader, "an element was expected");
  if (depth >= maxDepth) throw new XmlLimitError(`elements lie more than ${maxDepth} deep (at character ${reader.at})`);
  reader.elements += 1;
  if (reader.elements > maxElements) throw new XmlLimitError(`there are more than ${maxElements} elements`);
  const attributes = readAttributes(reader);
  const head = { name: localName(name), attributes, line };
  if (take(reader, /\s*\/>/y)) return { ...head, children: [], content: [], text: "" };
  if (!take(reader, /\s*>/y)) fail(reader, `<${name}> is not closed`);
  const content = readContent(reader, depth);
  if (take(reader, /<\/([A-Za-z_][\w:.-]*)\s*>/y)?.[1] !== name) fail(reader, `</${name}> was expected`);
  return { ...head, ...content };
};

/** Counted on from where it was asked last: the whole text is gone through once. */
const lineNow = (reader: Reader): number => {
  for (; reader.counted < reader.at; reader.counted += 1) {
    if (reader.source.charCodeAt(reader.counted) === 10) reader.line += 1;
  }
  return reader.line;
};

const readAttributes = (reader: Reader): Map<string, string> => {
  const attributes = new Map<string, string>();
  for (;;) {
    const found = take(reader, /\s+([A-Za-z_][\w:.-]*)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/y);
    if (!found) return attributes;
    const [, name = "", double, single] = found;
    if (/^xmlns(:|$)/.test(name)) continue;
    if (attributes.has(localName(name))) fail(reader, `the attribute ${name} is there twice`);
    attributes.set(localName(name), decodeText(reader, double ?? single ?? ""));
  }
};

const readContent = (reader: Reader, depth: number): Pick<XmlElement, "children" | "content" | "text"> => {
  const content: (string | XmlElement)[] = [];
  for (;;) {
    const plain = take(reader, /[^<]+/y)?.[0];
    if (plain !== undefined) content.push(decodeText(reader, plain));
    else if (reader.source.startsWith("<![CDATA[", reader.at)) content.push(readCdata(reader));
    else if (skipComment(reader) || skipInstruction(reader)) continue;
    else if (reader.at >= reader.source.length) fail(reader, "the document ends within an element");
    else if (reader.source.startsWith("</", reader.at)) return contentOf(content);
    else content.push(readElement(reader, depth + 1));
  }
};

const contentOf = (content: readonly (string | XmlElement)[]): Pick<XmlElement, "children" | "content" | "text"> => ({
  content,
  children: content.filter((each) => typeof each !== "string"),
  text: content
    .filter((each) => typeof each === "string")
    .join("")
    .trim(),
});

const readCdata = (reader: Reader): string => {
  const begin = reader.at + "<![CDATA[".length;
  skipUntil(reader, "<![CDATA[", "]]>");
  return reader.source.slice(begin, reader.at - "]]>".length);
};

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

const decodeText = (reader: Reader, text: string): string =>
  text.includes("&") ? text.replaceAll(/&([^;&\s]{0,40};?)/g, (_, name: string) => decodeEntity(reader, name)) : text;

const decodeEntity = (reader: Reader, reference: string): string => {
  const [, name = "", decimal, hex] = /^(\w+|#(\d{1,7})|#x([0-9a-f]{1,6}));$/i.exec(reference) ?? [];
  const code = decimal !== undefined ? Number(decimal) : Number.parseInt(hex ?? "", 16);
  if (code > 0 && code <= 0x10ffff) return String.fromCodePoint(code);
  if (Object.hasOwn(entities, name)) return entities[name] ?? "";
  return fail(reader, `the entity "&${reference}" is not known`);
};

const localName = (name: string): string => name.slice(name.indexOf(":") + 1);

const take = (reader: Reader, pattern: RegExp): RegExpExecArray | undefined => {
  pattern.lastIndex = reader.at;
  const found = pattern.exec(reader.source) ?? undefined;
  if (found) reader.at = pattern.lastIndex;
  return found;
};

const fail = (reader: Reader, message: string): never => {
  throw new XmlError(`${message} (at character ${reader.at})`);
};
