import { colorOf } from "../colors.ts";
import { type Look, TooMuchText } from "../cue.ts";
import type { Tag } from "../markup.ts";

/** What the styles of a text say of looks (`::cue` in its STYLE blocks). */
export type Styles = {
  readonly ofTag: (tag: Tag) => Look;
  /** Of the cue with that id, outside of all tags. */
  readonly ofCue: (id: string) => Look;
  /** Properties that cues do not keep, and selectors that are not read. */
  readonly unkept: readonly string[];
};

/** A selector of one tag: `c.loud`, `v[voice="Ann"]`, `:lang(en)`, `#id`; everything that it names must be there. */
type Selector = {
  readonly name?: string | undefined;
  readonly classes: readonly string[];
  readonly voice?: string | undefined;
  readonly language?: string | undefined;
  readonly id?: string | undefined;
};

type Rule = {
  readonly selector: Selector;
  readonly look: Look;
  /** Its `!important` declarations outweigh all others. */
  readonly isImportant: boolean;
  /** Where it stands in the text: of two that weigh the same, the later one counts. */
  readonly at: number;
};

const mostCharacters = 500_000;
const mostRules = 5000;

/** The blocks of a text that are styles, as rules. Throws TooMuchText where they are longer than anybody writes. */
export const readStyles = (blocks: readonly string[]): Styles => {
  const text = blocks.flatMap((block) => /^\n*STYLE[ \t]*\n([\s\S]*)$/.exec(block)?.[1] ?? []).join("\n");
  if (text.length > mostCharacters) throw new TooMuchText("its styles are too long");
  const unkept = new Set<string>();
  const rules = rulesOf(withoutComments(text), unkept);
  if (rules.length > mostRules) throw new TooMuchText(`there are more than ${mostRules} styles`);
  const known = indexed(rules);
  const everywhere = known.get("") ?? [];
  const ofCue = rules.filter(({ selector }) => isOfCue(selector));
  return {
    ofTag: (tag) => {
      const keys = [`<${tag.name}`, ...tag.classes.map((each) => `.${each}`)];
      const found = [...everywhere, ...new Set(keys.flatMap((key) => known.get(key) ?? []))];
      return together(found.filter(({ selector }) => !isOfCue(selector) && fits(selector, tag)));
    },
    ofCue: (id) => together(ofCue.filter(({ selector }) => selector.id === undefined || selector.id === id)),
    unkept: [...unkept].slice(0, 10),
  };
};

const withoutComments = (text: string): string => {
  const [first = "", ...others] = text.split("/*");
  const behind = others.map((part) => part.split("*/").slice(1).join("*/"));
  return [first, ...behind].join(" ");
};

const isOfCue = ({ name, classes, voice, language, id }: Selector): boolean =>
  id !== undefined || (name === undefined && classes.length === 0 && voice === undefined && language === undefined);

/** Rules by what a tag must have for them; the ones that need neither name nor class are under "". */
const indexed = (rules: readonly Rule[]): ReadonlyMap<string, Rule[]> =>
  Map.groupBy(rules, ({ selector: { name, classes } }) =>
    classes[0] === undefined ? (name === undefined ? "" : `<${name}`) : `.${classes[0]}`,
  );

const fits = ({ name, classes, voice, language }: Selector, tag: Tag): boolean =>
  (name === undefined || name === tag.name) &&
  classes.every((each) => tag.classes.includes(each)) &&
  (voice === undefined || (tag.name === "v" && tag.about === voice)) &&
  (language === undefined || (tag.name === "lang" && isIn(tag.about, language)));

const isIn = (tag: string, language: string): boolean =>
  `${tag.toLowerCase()}-`.startsWith(`${language.toLowerCase()}-`);

/** The weightier ones come later; those alike are in the order of the text, whichever class of a tag they are found by. */
const together = (rules: readonly Rule[]): Look =>
  Object.assign({}, ...rules.toSorted((a, b) => weightOf(a) - weightOf(b) || a.at - b.at).map(({ look }) => look));

const weightOf = ({ selector, isImportant }: Rule): number => (isImportant ? 10_000_000 : 0) + specificityOf(selector);

const specificityOf = ({ name, classes, voice, language, id }: Selector): number => {
  const said = [voice, language].filter((each) => each !== undefined).length + classes.length;
  return (id === undefined ? 0 : 10_000) + said * 100 + (name === undefined ? 0 : 1);
};

const rulesOf = (text: string, unkept: Set<string>): Rule[] =>
  text.split("}").flatMap((part, order) => {
    const at = part.indexOf("{");
    if (at === -1) return [];
    const looks = [false, true].flatMap((isImportant) => {
      const declarations = declarationsIn(part.slice(at + 1), isImportant);
      // Blocks that say nothing count among the rules: there may be only so many.
      return isImportant && declarations.length === 0 ? [] : { look: lookOf(declarations, unkept), isImportant };
    });
    const selectors = selectorsIn(part.slice(0, at), unkept);
    return looks.flatMap((look) => selectors.map((selector) => ({ selector, ...look, at: order })));
  });

const longestSelectors = 2000;

const selectorsIn = (text: string, unkept: Set<string>): Selector[] => {
  if (text.length > longestSelectors) unkept.add("selectors that are too long");
  const read = text.slice(0, longestSelectors);
  return [...read.matchAll(/::cue(?![\w-])(?:\(((?:[^()"']|"[^"\n]*"|'[^'\n]*'|\([^()]*\))*)\))?/g)].flatMap(
    ([whole, inner = ""]) => {
      const selector = selectorOf(inner.trim());
      if (!selector) unkept.add(whole.slice(0, 40));
      return selector ?? [];
    },
  );
};

/** A name of CSS, in which any character may be written as a number. */
const word = String.raw`(?:[\w-]|\\(?:[0-9a-f]{1,6}\s?|.)|[\u0080-\uffff])+`;

const partOfSelector = [
  String.raw`\.(${word})|#(${word})`,
  String.raw`\[\s*(voice|lang)\s*=\s*(?:"([^"]*)"|'([^']*)'|([\w-]+))\s*\]`,
  String.raw`:lang\(\s*["']?([\w-]+)["']?\s*\)`,
].join("|");

const selectorOf = (text: string): Selector | undefined => {
  const [name = ""] = /^(?:[a-z]{1,10}|\*)/i.exec(text) ?? [];
  const selector: { -readonly [Key in keyof Selector]: Selector[Key] } & { classes: string[] } = { classes: [] };
  if (name !== "" && name !== "*") selector.name = name.toLowerCase();
  const parts = new RegExp(partOfSelector, "gy");
  parts.lastIndex = name.length;
  let end = name.length;
  for (let found = parts.exec(text); found; found = parts.exec(text)) {
    end = parts.lastIndex;
    const [, ofClass, id, what, double, single, bare, language] = found;
    if (ofClass !== undefined) selector.classes.push(unescaped(ofClass));
    else if (id !== undefined) selector.id = unescaped(id);
    else if (what === "voice") selector.voice = double ?? single ?? bare;
    else selector.language = language ?? double ?? single ?? bare;
  }
  return end === text.length ? selector : undefined;
};

const unescaped = (text: string): string =>
  text.replaceAll(/\\(?:([0-9a-f]{1,6})\s?|(.))/gi, (_whole, hex: string | undefined, other: string | undefined) =>
    hex === undefined ? (other ?? "") : String.fromCodePoint(Math.min(0x10_ffff, Number.parseInt(hex, 16))),
  );

const important = /!\s*important\s*$/i;

const declarationsIn = (text: string, isImportant: boolean): string[] =>
  text.split(";").filter((declaration) => declaration.trim() !== "" && important.test(declaration) === isImportant);

/** What declarations say together. */
const lookOf = (declarations: readonly string[], unkept: Set<string>): Look =>
  Object.assign(
    {},
    ...declarations.map((declaration) => {
      const at = declaration.indexOf(":");
      const property = declaration.slice(0, at).trim().toLowerCase();
      const value = declaration
        .slice(at + 1)
        .replace(important, "")
        .trim();
      if (at === -1 || property === "") return {};
      const said = Object.hasOwn(properties, property) ? properties[property]?.(value) : undefined;
      if (!said) unkept.add(property.slice(0, 40));
      return said ?? {};
    }),
  );

/** What a value says; what is undefined takes back what is inherited. */
const properties: Readonly<Record<string, (value: string) => object | undefined>> = {
  color: (value) => {
    const color = colorOf(value);
    return color === undefined ? undefined : { color: color === "#ffffff" ? undefined : color };
  },
  "font-style": (value) => ({ italic: /^(italic|oblique)/i.test(value) ? true : undefined }),
  "font-weight": (value) => ({ bold: /^(bold|bolder|[6-9]\d\d)$/i.test(value) ? true : undefined }),
  "text-decoration": (value) => ({ underline: /\bunderline\b/i.test(value) ? true : undefined }),
  "text-decoration-line": (value) => ({ underline: /\bunderline\b/i.test(value) ? true : undefined }),
};
