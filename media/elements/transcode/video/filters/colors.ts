import { definitionError } from "../../../../../shared/model/failure.ts";

/** A colour in ffmpeg's syntax: a name, `#rrggbb` or `#rrggbbaa`, each optionally with `@opacity`. */
export const colorOf = (text: string, path: string): string => {
  if (/^([a-z]+|(#|0x)[0-9a-f]{6}([0-9a-f]{2})?)(@(0x[0-9a-f]{2}|[01](\.\d+)?|\.\d+))?$/i.test(text)) return text;
  throw definitionError(`${path} "${text}" is not a colour such as white, #ff8800 or black@0.5`);
};
