import { type Cue, readableCues, type Span, SubtitleError, TooMuchText } from "./cue.ts";

/** Advanced SubStation Alpha: texts and times, with the looks that other forms have too; drawings are left out. */
export const parseAss = (text: string): Cue[] => {
  const lines = text.split(/\r\n|\r|\n/);
  const begin = lines.findIndex((line) => /^\s*\[events\]/i.test(line));
  if (begin === -1) throw new SubtitleError("there is no section [Events]");
  const height = Number(/^PlayResY:\s*(\d+)/m.exec(text)?.[1] ?? 288);
  const styles = stylesIn(lines.slice(0, begin));
  let fields: string[] = [];
  const cues: Cue[] = [];
  for (const line of lines.slice(begin + 1)) {
    const [, kind, rest = ""] = /^(Format|Dialogue):\s*(.*)$/.exec(line) ?? [];
    if (kind === "Format") fields = fieldsOf(rest);
    if (kind === "Dialogue") cues.push(...cueOf(rest, fields, { height, styles }));
  }
  return readableCues(cues);
};

/** Real ones have ten. */
const mostFields = 100;

const fieldsOf = (text: string): string[] => {
  const fields = text.split(",").map((name) => name.trim().toLowerCase());
  if (fields.length > mostFields) throw new TooMuchText(`a line Format names more than ${mostFields} fields`);
  return fields;
};

type Look = Omit<Span, "text">;
type Style = { readonly look: Look; readonly isTop: boolean };
type Script = { readonly height: number; readonly styles: ReadonlyMap<string, Style> };

/** Styles by their names: `V4+ Styles`, and those of SSA, whose numbers for places are others. */
const stylesIn = (lines: readonly string[]): ReadonlyMap<string, Style> => {
  const styles = new Map<string, Style>();
  let fields: string[] = [];
  let isOld = false;
  for (const line of lines) {
    const section = /^\s*\[(.*)\]/.exec(line)?.[1];
    if (section !== undefined) isOld = /^v4 styles$/i.test(section);
    const [, kind, rest = ""] = /^(Format|Style):\s*(.*)$/.exec(line) ?? [];
    if (kind === "Format") fields = fieldsOf(rest);
    if (kind !== "Style" || styles.size >= mostStyles) continue;
    const values = rest.split(",");
    const valueIn = (name: string): string => values[fields.indexOf(name)]?.trim() ?? "";
    styles.set(valueIn("name").replace(/^\*/, ""), styleOf(valueIn, isOld));
  }
  return styles;
};

const mostStyles = 10_000;

const styleOf = (valueIn: (name: string) => string, isOld: boolean): Style => {
  const isOn = (name: string) => !/^0?$/.test(valueIn(name));
  const color = styleColor(valueIn("primarycolour"));
  const place = Number(valueIn("alignment"));
  return {
    look: {
      ...(isOn("italic") && { italic: true as const }),
      ...(isOn("bold") && { bold: true as const }),
      ...(isOn("underline") && { underline: true as const }),
      ...(color !== undefined && color !== "#ffffff" && { color }),
    },
    isTop: isOld ? place >= 5 && place <= 7 : place >= 7 && place <= 9,
  };
};

/** `&HAABBGGRR`, or the same number in decimals. */
const styleColor = (text: string): string | undefined => {
  const hex = /^&H([0-9a-f]{1,8})&?$/i.exec(text)?.[1];
  const number = hex === undefined ? Number(/^\d{1,10}$/.exec(text)?.[0] ?? Number.NaN) : Number.parseInt(hex, 16);
  if (!Number.isFinite(number)) return undefined;
  const [, blue, green, red] = /(..)(..)(..)$/.exec(Math.trunc(number).toString(16).padStart(6, "0")) ?? [];
  return `#${red}${green}${blue}`;
};

const cueOf = (rest: string, fields: readonly string[], script: Script): Cue[] => {
  const parts = rest.split(",");
  const values = [...parts.slice(0, fields.length - 1), parts.slice(fields.length - 1).join(",")];
  const valueIn = (name: string): string => values[fields.indexOf(name)]?.trim() ?? "";
  const [from, to] = [readTime(valueIn("start")), readTime(valueIn("end"))];
  if (from === undefined || to === undefined) return [];
  return [{ from, to, ...readText(valueIn("text"), valueIn("style").replace(/^\*/, ""), script) }];
};

const readTime = (text: string): number | undefined => {
  const [, hours, minutes, seconds] = /^(\d{1,4}):(\d\d):(\d\d(?:\.\d{1,3})?)$/.exec(text) ?? [];
  if (hours === undefined) return undefined;
  return Math.round((Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000);
};

const switches = { i: "italic", b: "bold", u: "underline" } as const;

const readText = (text: string, name: string, { height, styles }: Script): Pick<Cue, "lines" | "isTop"> => {
  const style = styles.get(name) ?? styles.get("Default");
  const isTop = standsAtTop(text, height) ?? style?.isTop ?? false;
  const lines: Span[][] = [[]];
  let look: Look = style?.look ?? {};
  let isDrawing = false;
  for (const [token] of text.matchAll(/\{[^{}]*\}|\\[Nnh]|[^{\\]+|[{\\]/g)) {
    if (token.startsWith("{") && token.length > 1) {
      isDrawing = drawsAfter(token, isDrawing);
      look = switched(look, token, style?.look ?? {}, styles);
    } else if (isDrawing) continue;
    else if (/^\\[Nn]$/.test(token)) lines.push([]);
    else lines.at(-1)?.push({ text: token === "\\h" ? " " : token, ...look });
  }
  return { lines, ...(isTop && { isTop }) };
};

/** `\p1` begins a drawing, whose text is numbers, and `\p0` ends it. */
const drawsAfter = (tags: string, before: boolean): boolean => {
  const scale = [...tags.matchAll(/\\p(\d+)/g)].at(-1)?.[1];
  return scale === undefined ? before : Number(scale) > 0;
};

/**
 * A text's position decides, which may be in the lower half although it is that of its upper edge; else its alignment;
 * undefined where neither is said.
 */
const standsAtTop = (text: string, height: number): boolean | undefined => {
  const [, down] = /\{[^{}]*\\pos\(\s*[\d.]+\s*,\s*([\d.]+)\s*\)/.exec(text) ?? [];
  if (down !== undefined) return Number(down) < height / 2;
  const [, place] = /\{[^{}]*\\an([1-9])/.exec(text) ?? [];
  return place === undefined ? undefined : Number(place) > 6;
};

/** How a text looks behind the tags in braces, such as `{\i1\c&H0000ff&}`; `own` is the look of its style. */
export const switched = (look: Look, tags: string, own: Look, styles: Script["styles"]): Look => {
  let changed: { italic?: true; bold?: true; underline?: true; color?: string } = { ...look };
  for (const [, letter = "", value = "", named, number] of tags.matchAll(
    /\\(?:([ibu])(\d*)(?![a-z])|r([^\\}]*)|1?c(?:(&H[0-9a-f]{1,8})&?)?(?![a-z]))/gi,
  )) {
    const name = switches[letter.toLowerCase() as keyof typeof switches]; // the pattern has no other letters
    if (named !== undefined) changed = { ...(styles.get(named.trim())?.look ?? own) };
    else if (name === undefined) changed = colored(changed, own, styleColor(number ?? "")?.toLowerCase());
    else if (value === "0" || isLight(name, value)) delete changed[name];
    else if (value !== "" || own[name]) changed[name] = true;
    else delete changed[name];
  }
  return changed;
};

/** Weights of letters: 400 is the usual one. */
const isLight = (name: string, value: string): boolean =>
  name === "bold" && Number(value) >= 100 && Number(value) < 600;

const colored = <T extends Look>(look: T, own: Look, color: string | undefined): T => {
  const { color: _before, ...rest } = look;
  const next = color ?? own.color;
  return { ...rest, ...(next !== undefined && next !== "#ffffff" && { color: next }) } as T; // a look but for its colour
};

const head = `[Script Info]
ScriptType: v4.00+
PlayResX: 384
PlayResY: 288
ScaledBorderAndShadow: yes

[V4+ Styles]
Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, Italic, Underline, \
StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, MarginV, Encoding
Style: Default,Arial,16,&H00FFFFFF,&H00FFFFFF,&H00000000,&H00000000,0,0,0,0,100,100,0,0,1,1,0,2,10,10,10,1

[Events]
Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
`;

export const printAss = (cues: readonly Cue[]): string =>
  head +
  cues
    .map(({ from, to, lines, isTop }) => {
      const text = lines.map((line) => line.map(printSpan).join("")).join("\\N");
      return `Dialogue: 0,${printTime(from)},${printTime(to)},Default,,0,0,0,,${isTop ? "{\\an8}" : ""}${text}\n`;
    })
    .join("");

const printTime = (milliseconds: number): string => {
  const hundredths = Math.round(milliseconds / 10);
  const seconds = Math.floor(hundredths / 100);
  const two = (value: number) => String(value).padStart(2, "0");
  const minutes = Math.floor(seconds / 60);
  return `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(seconds % 60)}.${two(hundredths % 100)}`;
};

// Braces would begin a command, and a backslash too.
const printSpan = ({ text, italic, bold, underline, color }: Span): string => {
  const [, red, green, blue] = /^#(..)(..)(..)$/.exec(color ?? "") ?? [];
  const on = [italic && "\\i1", bold && "\\b1", underline && "\\u1", color && `\\c&H${blue}${green}${red}&`].filter(
    Boolean,
  );
  const off = [italic && "\\i0", bold && "\\b0", underline && "\\u0", color && "\\c"].filter(Boolean);
  const plain = text
    .replaceAll("\\", "\u2216")
    .replaceAll("{", "(")
    .replaceAll("}", ")")
    .replaceAll(/[\r\n]/g, " ");
  return on.length === 0 ? plain : `{${on.join("")}}${plain}{${off.join("")}}`;
};
