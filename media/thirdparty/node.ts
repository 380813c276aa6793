import type { XmlElement } from "../xml.ts";

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
  fail(message: string): never;
  /** A sentence for each unread attribute; throws LineError for an unread child. */
  unread(): string[];
};

export const openNode = (element: XmlElement): CnpsNode => {
  const { line } = element;
  const attributes = new Map([...element.attributes].map(([name, value]) => [plainName(name), { name, value }]));
  const asked = new Set<string>();
  const opened = new Map<XmlElement, CnpsNode>();

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
  const open = (child: XmlElement): CnpsNode => {
    const known = opened.get(child) ?? openNode(child);
    opened.set(child, known);
    return known;
  };

  return {
    name: element.name,
    line,
    text,
    number,
    integer,
    isOn: (name) => (integer(name) ?? 0) !== 0,
    seconds: (name) => {
      const ticks = integer(name);
      return ticks === undefined || ticks < 0 ? undefined : ticks / 27_000_000;
    },
    one: (name) => {
      const found = element.children.filter((child) => child.name.toLowerCase() === name.toLowerCase());
      if (found.length > 1) fail(`<${element.name}> has more than one <${name}>`);
      return found[0] && open(found[0]);
    },
    all: (prefix) =>
      element.children
        .flatMap((child) => {
          const [, at] = new RegExp(`^${prefix}_(\\d{1,4})$`, "i").exec(child.name) ?? [];
          return at === undefined ? [] : [{ at: Number(at), child }];
        })
        .sort((a, b) => a.at - b.at)
        .map(({ child }) => open(child)),
    fail,
    unread: () => {
      const strange = element.children.find((child) => !opened.has(child));
      if (strange) throw new LineError(strange.line, `<${strange.name}> within <${element.name}> is not known`);
      const left = [...attributes].filter(([name, { value }]) => !asked.has(name) && value !== "");
      const own = left.map(([, { name }]) => `line ${line}: ${name} of <${element.name}> has no effect`);
      return [...own, ...[...opened.values()].flatMap((child) => child.unread())];
    },
  };
};

/** Without its type suffix, with characters that XML does not allow in names, in lower case. */
const plainName = (name: string): string =>
  name
    .replace(/\.(DWD|QWD|DBL|BIN)$/i, "")
    .replaceAll(/_([0-9a-f]{2})_/gi, (whole, code: string) =>
      Number.parseInt(code, 16) < 0x30 ? String.fromCharCode(Number.parseInt(code, 16)) : whole,
    )
    .toLowerCase();
