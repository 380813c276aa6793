/** The colours that WebVTT knows by name. */
const named: Readonly<Record<string, string>> = {
  ...{ white: "#ffffff", lime: "#00ff00", cyan: "#00ffff", red: "#ff0000", yellow: "#ffff00" },
  ...{ magenta: "#ff00ff", blue: "#0000ff", black: "#000000" },
};
const nameOf = new Map(Object.entries(named).map(([name, color]) => [color, name]));
const otherNames: Readonly<Record<string, string>> = { green: "#008000", gray: "#808080", orange: "#ffa500" };

/** Names of CSS and TTML, which no class of WebVTT stands for. */
const longNames: Readonly<Record<string, string>> = {
  ...{ silver: "#c0c0c0", maroon: "#800000", purple: "#800080", fuchsia: "#ff00ff", olive: "#808000" },
  ...{ navy: "#000080", teal: "#008080", aqua: "#00ffff", grey: "#808080", pink: "#ffc0cb", gold: "#ffd700" },
  ...{ brown: "#a52a2a", violet: "#ee82ee", indigo: "#4b0082", salmon: "#fa8072", crimson: "#dc143c" },
};

/** `#rrggbb` of a colour's name or number, without its opacity; undefined for anything else. */
export const colorOf = (text: string): string | undefined => {
  const word = text.trim().toLowerCase();
  const known = [named, otherNames, longNames].find((names) => Object.hasOwn(names, word))?.[word];
  const [, long, short] = /^(?:(#[0-9a-f]{6})(?:[0-9a-f]{2})?|#([0-9a-f]{3})[0-9a-f]?)$/.exec(word) ?? [];
  return known ?? long ?? (short === undefined ? mixed(word) : `#${[...short].map((digit) => digit + digit).join("")}`);
};

/** `rgb(255, 128, 0)` and `rgba(255 128 0 / 50%)`. */
const mixed = (word: string): string | undefined => {
  const parts = /^rgba?\(\s{0,9}(\d{1,3})[\s,]{1,9}(\d{1,3})[\s,]{1,9}(\d{1,3})[\s,/)]/
    .exec(word)
    ?.slice(1)
    .map(Number);
  return parts && `#${parts.map((part) => Math.min(255, part).toString(16).padStart(2, "0")).join("")}`;
};

/** The colour that a class of WebVTT has by its name. */
export const colorOfClass = (word: string): string | undefined =>
  [named, otherNames].find((names) => Object.hasOwn(names, word))?.[word];

/** The name that WebVTT has for a colour. */
export const vttColor = (color: string): string | undefined => nameOf.get(color);

/** The colour with a name that is nearest. */
export const nearestVttColor = (color: string): string => {
  const away = (other: string) => [1, 3, 5].reduce((sum, at) => sum + (part(color, at) - part(other, at)) ** 2, 0);
  return Object.values(named).reduce((best, each) => (away(each) < away(best) ? each : best));
};

const part = (color: string, at: number): number => Number.parseInt(color.slice(at, at + 2), 16);
