import type { XmlElement } from "../../shared/basics/xml.ts";

/** The document cannot be converted; names the line. */
export class LineError extends Error {
  override name = "LineError";
  constructor(line: number, message: string) {
    super(`line ${line}: ${message}`);
  }
}

/**
 * An element of such a document. Attribute names ignore case and type suffixes. Each attribute that is read is
 * recorded, and `unread` reports the others.
 */
export type CnpsNode = {
  readonly name: string;
  readonly line: number;
  text(name: string): string | undefined;
  integer(name: string): number | undefined;
  number(name: string): number | undefined;
  isOn(name: string): boolean;
  /** Seconds of a time in ticks of 27 MHz; undefined if it is not set, which is written as -1. */
  seconds(name: string): number | undefined;
  /** The child of that name. */
  one(name: string): CnpsNode | undefined;
  /** Numbered children: `Module_0`, `Module_1`, in order. */
  all(prefix: string): CnpsNode[];
  /** The first attribute with a value whose name ends so, here or in a descendant. */
  textEnding(suffix: string): string | undefined;
  fail(message: string): never;
  /** A sentence for each unread attribute; throws LineError for an unread child. */
  unread(): string[];
};

export const openNode = (element: XmlElement): CnpsNode => {
  const { name: own, line, children } = element;
  const opened = new Map<XmlElement, CnpsNode>();
  const { unread: unreadAttributes, names, ...attributes } = readAttributes(element);
  const open = (child: XmlElement): CnpsNode => {
    const known = opened.get(child) ?? openNode(child);
    opened.set(child, known);
    return known;
  };
  return {
    ...{ name: own, line, ...attributes },
    one: (name) => {
      const found = children.filter((child) => child.name.toLowerCase() === name.toLowerCase());
      if (found.length > 1) throw new LineError(line, `<${own}> has more than one <${name}>`);
      return found[0] && open(found[0]);
    },
    all: (prefix) =>
      children
        .flatMap((child) => {
          const [, at] = new RegExp(`^${prefix}_(\\d{1,4})$`, "i").exec(child.name) ?? [];
          return at === undefined ? [] : [{ at: Number(at), child }];
        })
        .sort((a, b) => a.at - b.at)
        .map(({ child }) => open(child)),
    textEnding: (suffix) => {
      const name = names().find((each) => each.endsWith(suffix.toLowerCase()));
      if (name !== undefined) return attributes.text(name);
      for (const child of children) {
        const found = open(child).textEnding(suffix);
        if (found !== undefined) return found;
      }
      return undefined;
    },
    unread: () => {
      const strange = children.find((child) => !opened.has(child));
      if (strange) throw new LineError(strange.line, `<${strange.name}> within <${own}> is not known`);
      return [...unreadAttributes(), ...[...opened.values()].flatMap((child) => child.unread())];
    },
  };
};

const readAttributes = ({ name: element, line, attributes: written }: XmlElement) => {
  const attributes = new Map([...written].map(([name, value]) => [plainName(name), { name, value }]));
  const asked = new Set<string>();
  const fail = (message: string): never => {
    throw new LineError(line, message);
  };
  const text = (name: string): string | undefined => {
    asked.add(name.toLowerCase());
    return attributes.get(name.toLowerCase())?.value || undefined;
  };
  const number = (name: string): number | undefined => {
    const written = text(name);
    if (written === undefined) return undefined;
    const value = Number(written);
    return Number.isFinite(value) ? value : fail(`${name} must be a number, not "${written.slice(0, 100)}"`);
  };
  const integer = (name: string): number | undefined => {
    const value = number(name);
    return value === undefined || Number.isSafeInteger(value) ? value : fail(`${name} must be a whole number`);
  };
  const isOn = (name: string): boolean => (integer(name) ?? 0) !== 0;
  const seconds = (name: string): number | undefined => {
    const ticks = integer(name);
    return ticks === undefined || ticks < 0 ? undefined : ticks / 27_000_000;
  };
  const unread = (): string[] => {
    const left = [...attributes].filter(([name, { value }]) => !asked.has(name) && value !== "");
    return left.map(([, { name }]) => `line ${line}: ${name} of <${element}> has no effect`);
  };
  const names = (): string[] => [...attributes].flatMap(([name, { value }]) => (value === "" ? [] : [name]));
  return { fail, text, number, integer, isOn, seconds, unread, names };
};

/** Without its type suffix, with characters that XML does not allow in names, in lower case. */
const plainName = (name: string): string =>
  name
    .replace(/\.(DWD|QWD|DBL|BIN)$/i, "")
    .replaceAll(/_([0-9a-f]{2})_/gi, (whole, code: string) =>
      Number.parseInt(code, 16) < 0x30 ? String.fromCharCode(Number.parseInt(code, 16)) : whole,
    )
    .toLowerCase();
