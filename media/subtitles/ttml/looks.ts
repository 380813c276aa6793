import { child, childrenNamed, type XmlElement } from "../../../shared/basics/xml.ts";
import { colorOf } from "../colors.ts";
import type { Look } from "../cue.ts";

/** How a text looks, and whether it is seen at all. What is undefined takes back what is inherited. */
export type TtmlLook = Look & { readonly isHidden?: true | undefined };

/** What the head says of looks and places. */
export type Looks = {
  /** Of any text of which nothing else is said. */
  readonly initial: TtmlLook;
  /** Of an element: its styles and its own attributes. */
  readonly of: (element: XmlElement) => TtmlLook;
  /** What a region's texts inherit from it, and whether it is in the upper part. */
  readonly regions: ReadonlyMap<string, { readonly look: TtmlLook; readonly isTop: boolean }>;
};

export const looksIn = (head: XmlElement | undefined): Looks => {
  const styling = child(head, "styling");
  const styles = new Map(childrenNamed(styling, "style").map((style) => [idOf(style), style]));
  const of = (element: XmlElement): TtmlLook => lookOf(element, styles);
  const regions = childrenNamed(child(head, "layout"), "region").map((region) => {
    const look: TtmlLook = Object.assign(of(region), ...childrenNamed(region, "style").map(of));
    return [idOf(region), { look, isTop: isAbove(region) }] as const;
  });
  const initial: TtmlLook = Object.assign({}, ...childrenNamed(styling, "initial").map(of));
  return { initial, of, regions: new Map(regions) };
};

const idOf = ({ attributes }: XmlElement): string => attributes.get("id") ?? "";

const isAbove = ({ attributes, children }: XmlElement): boolean => {
  const said = [attributes, ...children.map((each) => each.attributes)];
  const align = said.map((each) => each.get("displayAlign")).find(Boolean);
  if (align !== undefined) return align === "before";
  const top = /^\S+\s+(\d+(?:\.\d+)?)%/.exec(said.map((each) => each.get("origin")).find(Boolean) ?? "")?.[1];
  return top !== undefined && Number(top) < 40;
};

/** Styles may take others in, and the later one counts. */
const deepestStyle = 8;

const lookOf = ({ attributes }: XmlElement, styles: ReadonlyMap<string, XmlElement>, depth = 0): TtmlLook => {
  const named = depth < deepestStyle ? (attributes.get("style") ?? "").split(/\s+/).slice(0, mostStyles(depth)) : [];
  const looks = named.map((id) => {
    const style = styles.get(id);
    return style ? lookOf(style, styles, depth + 1) : {};
  });
  return Object.assign({}, ...looks, lookOfAttributes(attributes));
};

// Few at a depth, so that styles which name each other cost little.
const mostStyles = (depth: number): number => (depth === 0 ? 20 : 3);

const lookOfAttributes = (attributes: ReadonlyMap<string, string>): TtmlLook => {
  const color = colorOf(attributes.get("color") ?? "");
  return {
    ...switched("italic", /italic|oblique/, attributes.get("fontStyle")),
    ...switched("bold", /bold/, attributes.get("fontWeight")),
    ...switched("underline", /(^|\s)underline/, attributes.get("textDecoration")),
    ...switched("isHidden", /hidden/, attributes.get("visibility")),
    ...switched("isHidden", /none/, attributes.get("display")),
    ...(color !== undefined && { color: color === "#ffffff" ? undefined : color }),
  };
};

/** What says otherwise takes back what is inherited. */
const switched = (name: keyof TtmlLook, on: RegExp, text: string | undefined): object =>
  text === undefined ? {} : { [name]: on.test(text) ? true : undefined };
