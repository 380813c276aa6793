/** Characters of CEA-608 that stand elsewhere than in ASCII. */
const basicExceptions: Readonly<Record<string, number>> = {
  ...{ á: 0x2a, é: 0x5c, í: 0x5e, ó: 0x5f, ú: 0x60, ç: 0x7b, "÷": 0x7c, Ñ: 0x7d, ñ: 0x7e, "█": 0x7f },
};
const notInBasic = "*\\^_`{|}~\u007f";

/** Two bytes, the first being 0x11: `®` is 0x1130. */
const special = ["®", "°", "½", "¿", "™", "¢", "£", "♪", "à", "\u00a0", "è", "â", "ê", "î", "ô", "û"];

/** Two bytes, the first being 0x12 or 0x13. Each replaces the plain character before it. */
const extended: readonly (readonly [number, string, string])[] = [
  [0x1220, "ÁÉÓÚÜü‘¡*’—©℠•“”ÀÂÇÈÊËëÎÏïÔÙùÛ«»", 'AEOUUu\'!+\'-cs.""AACEEEeIIiOUuU""'],
  [0x1320, "ÃãÍÌìÒòÕõ{}\\^_|~ÄäÖöß¥¤¦ÅåØø┌┐└┘", "AaIIiOoOo()/--!-AaOosYo!AaOo++++"],
];

/** A character as pairs of bytes, or as the single byte of a basic one; undefined where CEA-608 has none. */
export type Code = { readonly basic: number } | { readonly pair: number; readonly instead?: number };

const codes = new Map<string, Code>([
  ...Array.from({ length: 0x60 }, (_, at): [string, Code] => [
    String.fromCharCode(0x20 + at),
    { basic: 0x20 + at },
  ]).filter(([character]) => !notInBasic.includes(character)),
  ...Object.entries(basicExceptions).map(([character, basic]): [string, Code] => [character, { basic }]),
  ...special.map((character, at): [string, Code] => [character, { pair: 0x1130 + at }]),
  ...extended.flatMap(([first, all, plain]) =>
    [...all].map((character, at): [string, Code] => [
      character,
      { pair: first + at, instead: plain.codePointAt(at) ?? 0x20 },
    ]),
  ),
]);

const characters = new Map<string, string>([...codes].map(([character, code]) => [JSON.stringify(code), character]));

export const codeOf = (character: string): Code | undefined => codes.get(character);

export const basicCharacter = (byte: number): string | undefined => characters.get(JSON.stringify({ basic: byte }));

/** What a pair shows, and whether the character before it goes. */
export const pairedCharacter = (pair: number): { readonly text: string; readonly replaces: boolean } | undefined => {
  for (const [character, code] of codes)
    if ("pair" in code && code.pair === pair) return { text: character, replaces: code.instead !== undefined };
  return undefined;
};

/** Commands of the first channel. */
export const command = {
  ...{ resumeLoading: 0x1420, backspace: 0x1421, rollUp2: 0x1425, rollUp4: 0x1427, paintOn: 0x1429 },
  ...{ eraseShown: 0x142c, carriageReturn: 0x142d, eraseHidden: 0x142e, show: 0x142f },
} as const;

/** First bytes of the commands that choose a row; each stands for two rows. */
const rowBytes = [0x11, 0x11, 0x12, 0x12, 0x15, 0x15, 0x16, 0x16, 0x17, 0x17, 0x10, 0x13, 0x13, 0x14, 0x14];

/** The command that begins a text in this row, 1 to 15, at a column that is a multiple of four. */
export const rowCommand = (row: number, column: number): number => {
  const isSecond = row === 11 ? false : row < 11 ? row % 2 === 0 : row % 2 === 1;
  const indent = Math.min(28, Math.max(0, column - (column % 4)));
  return ((rowBytes[row - 1] ?? 0x14) << 8) | 0x50 | (isSecond ? 0x20 : 0) | ((indent / 4) << 1);
};

/** The row that a command chooses; undefined for another command. */
export const rowOf = (pair: number): number | undefined => {
  const [first, second] = [pair >> 8, pair & 0xff];
  if (second < 0x40 || second > 0x7f) return undefined;
  const rows = rowBytes.flatMap((byte, at) => (byte === first ? [at + 1] : []));
  return rows.length === 1 ? rows[0] : rows[(second & 0x20) === 0 ? 0 : 1];
};

/** Colours in the order of their codes. */
const colors = ["#ffffff", "#00ff00", "#0000ff", "#00ffff", "#ff0000", "#ffff00", "#ff00ff"];

export const isCaptionColor = (color: string): boolean => colors.includes(color);

/** How letters look; without a colour they are white. */
export type Look = { readonly italic?: true; readonly underline?: true; readonly color?: string };

/** The look that a code within a row (0x1120 to 0x112f) or one that chooses a row sets; undefined for other pairs. */
export const lookAfter = (pair: number, before: Look): Look | undefined => {
  const [first, second] = [pair >> 8, pair & 0xff];
  const isWithin = first === 0x11 && second >= 0x20 && second < 0x30;
  if (!isWithin && rowOf(pair) === undefined) return undefined;
  const [kind, underline] = [(second & 0x1f) >> 1, (second & 1) === 1 && { underline: true as const }];
  if (kind === 7) return { ...(isWithin && colored(before.color)), italic: true, ...underline };
  return { ...colored(kind < 7 ? colors[kind] : undefined), ...underline };
};

const colored = (color: string | undefined): Look => (color === undefined || color === colors[0] ? {} : { color });

/** The codes within a row that lead from one look to another. Each takes the place of a space. */
export const looksBetween = (before: Look, after: Look): number[] => {
  const [from, to] = [nearest(before.color), nearest(after.color)];
  const isSame = from === to && !before.italic === !after.italic && !before.underline === !after.underline;
  if (isSame) return [];
  const line = after.underline ? 1 : 0;
  const color = 0x1120 + to * 2;
  if (!after.italic) return [color + line];
  return from === to ? [0x112e + line] : [color, 0x112e + line];
};

/** The number of the colour that is most alike; black would be seen by nobody. */
const nearest = (color: string | undefined): number => {
  const parts = /^#(..)(..)(..)$/.exec(color ?? "")?.slice(1) ?? [];
  const values = parts.map((part) => Number.parseInt(part, 16));
  const most = Math.max(...values);
  if (values.length < 3 || most < 32) return 0;
  const bits = values.map((value) => (value > most / 2 ? "ff" : "00"));
  return Math.max(0, colors.indexOf(`#${bits.join("")}`));
};

/** The byte with its eighth bit set so that the number of ones is odd. */
export const withParity = (byte: number): number => {
  let ones = 0;
  for (let rest = byte & 0x7f; rest > 0; rest >>= 1) ones += rest & 1;
  return ones % 2 === 0 ? (byte & 0x7f) | 0x80 : byte & 0x7f;
};
