import { definitionError } from "../../../../../shared/model/failure.ts";

/** A colour in ffmpeg's syntax: a name, `#rrggbb` or `#rrggbbaa`, each optionally with `@opacity`. */
export const colorOf = (text: string, path: string): string => {
  if (/^([a-z]+|(#|0x)[0-9a-f]{6}([0-9a-f]{2})?)(@(0x[0-9a-f]{2}|[01](\.\d+)?|\.\d+))?$/i.test(text)) return text;
  throw definitionError(`${path} "${text}" is not a colour such as white, #ff8800 or black@0.5`);
};

const names: Readonly<Record<string, string>> = {
  ...{ black: "000000", white: "ffffff", red: "ff0000", green: "008000", blue: "0000ff", yellow: "ffff00" },
  ...{ cyan: "00ffff", magenta: "ff00ff", gray: "808080", grey: "808080" },
};

/** Red, green, blue and opacity of a colour, each 0 to 255. Throws TaskError for a name that only ffmpeg knows. */
export const numbersOf = (text: string, path: string): readonly [number, number, number, number] => {
  const [name = "", given] = colorOf(text, path).toLowerCase().split("@");
  const hex = names[name] ?? /^(?:#|0x)([0-9a-f]{6}(?:[0-9a-f]{2})?)$/.exec(name)?.[1];
  const [, red, green, blue, own = "ff"] = /^(..)(..)(..)(..)?$/.exec(hex ?? "") ?? [];
  if (!red || !green || !blue)
    throw definitionError(`${path} "${text}" is not one of ${Object.keys(names).join(", ")} or #rrggbb`);
  const [r = 0, g = 0, b = 0, opaque = 255] = [red, green, blue, own].map((digits) => Number.parseInt(digits, 16));
  return [r, g, b, given === undefined ? opaque : opacityOf(given)];
};

const opacityOf = (text: string): number =>
  text.startsWith("0x") ? Number.parseInt(text, 16) : Math.round(Math.min(1, Number(text)) * 255);

export const hexOf = (number: number): string => number.toString(16).padStart(2, "0");
