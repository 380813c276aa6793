import { type Cue, readableCues, type Span, SubtitleError, TooMuchText } from "./cue.ts";

/** Advanced SubStation Alpha: texts and times, with the looks that other forms have too; drawings are left out. */
export const parseAss = (text: string): Cue[] => {
  const lines = text.split(/\r\n|\r|\n/);
  const begin = lines.findIndex((line) => /^\s*\[events\]/i.test(line));
  if (begin === -1) throw new SubtitleError("there is no section [Events]");
  const height = Number(/^PlayResY:\s*(\d+)/m.exec(text)?.[1] ?? 288);
  let fields: string[] = [];
  const cues: Cue[] = [];
  for (const line of lines.slice(begin + 1)) {
    const [, kind, rest = ""] = /^(Format|Dialogue):\s*(.*)$/.exec(line) ?? [];
    if (kind === "Format") fields = fieldsOf(rest);
    if (kind === "Dialogue") cues.push(...cueOf(rest, fields, height));
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

const cueOf = (rest: string, fields: readonly string[], height: number): Cue[] => {
  const parts = rest.split(",");
  const values = [...parts.slice(0, fields.length - 1), parts.slice(fields.length - 1).join(",")];
  const valueIn = (name: string): string => values[fields.indexOf(name)]?.trim() ?? "";
  const [from, to] = [readTime(valueIn("start")), readTime(valueIn("end"))];
  if (from === undefined || to === undefined) return [];
  return [{ from, to, ...readText(valueIn("text"), height) }];
};

const readTime = (text: string): number | undefined => {
  const [, hours, minutes, seconds] = /^(\d{1,4}):(\d\d):(\d\d(?:\.\d{1,3})?)$/.exec(text) ?? [];
  if (hours === undefined) return undefined;
  return Math.round((Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000);
};

const switches = { i: "italic", b: "bold", u: "underline" } as const;

const readText = (text: string, height: number): Pick<Cue, "lines" | "isTop"> => {
  const isTop = standsAtTop(text, height);
  const lines: Span[][] = [[]];
  let look: Omit<Span, "text"> = {};
  for (const [token] of text.matchAll(/\{[^{}]*\}|\\[Nnh]|[^{\\]+|[{\\]/g)) {
    if (/^\\[Nn]$/.test(token)) lines.push([]);
    else if (token.startsWith("{") && token.length > 1) look = switched(look, token);
    else lines.at(-1)?.push({ text: token === "\\h" ? " " : token, ...look });
  }
  return { lines, ...(isTop && { isTop }) };
};

/** A text's position decides, which may be in the lower half although it is that of its upper edge; else its alignment. */
const standsAtTop = (text: string, height: number): boolean => {
  const [, down] = /\{[^{}]*\\pos\(\s*[\d.]+\s*,\s*([\d.]+)\s*\)/.exec(text) ?? [];
  return down === undefined ? /\{[^{}]*\\an[789]/.test(text) : Number(down) < height / 2;
};

const switched = (look: Omit<Span, "text">, tags: string): Omit<Span, "text"> => {
  const changed: { italic?: true; bold?: true; underline?: true; color?: string } = { ...look };
  for (const [, letter = "", value = ""] of tags.matchAll(/\\([ibu])(\d+)/g)) {
    const name = switches[letter as keyof typeof switches]; // the pattern has no other letters
    if (value === "0") delete changed[name];
    else changed[name] = true;
  }
  const [, blue, green, red] = /\\1?c&H(..)(..)(..)&/i.exec(tags) ?? [];
  return blue === undefined ? changed : { ...changed, color: `#${red}${green}${blue}`.toLowerCase() };
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
