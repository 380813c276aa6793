import { defined } from "../../../../../shared/basics/defined.ts";
import { definitionError } from "../../../../../shared/model/failure.ts";
import type { Size } from "../picture/picture.ts";
import { colorOf } from "./colors.ts";
import type { SubtitlePayload } from "./subtitle-payload.ts";
import { styleOfAttributes } from "./ttml-attributes.ts";

/** The canvas on which ffmpeg places texts without one of their own. */
const canvas = { width: 384, height: 288 };

const colors: Readonly<Record<string, string>> = {
  ...{ black: "000000", white: "ffffff", red: "ff0000", green: "008000", blue: "0000ff", yellow: "ffff00" },
  ...{ cyan: "00ffff", magenta: "ff00ff", gray: "808080", grey: "808080" },
};

/** The style of texts for libass: `FontName=…,MarginV=…`. The job's own libass style comes last. */
export const subtitleStyle = (
  { x_offset, y_offset, font_size, background_color, option_string, imprint_style, attributes }: SubtitlePayload,
  picture: Size,
  hasFonts: boolean,
  path: string,
): string => {
  const background = background_color && boxColor(background_color, `${path}.background_color`);
  const fields: Readonly<Record<string, string | number | undefined>> = {
    ...(imprint_style === "closed_caption" && captionLook),
    ...(attributes && styleOfAttributes(attributes, picture.height, `${path}.attributes`)),
    ...defined({
      FontName: hasFonts ? undefined : "DejaVu Sans",
      FontSize: font_size === undefined ? undefined : fontSize(font_size, picture, `${path}.font_size`),
      MarginV: margin(y_offset, picture.height, canvas.height, `${path}.y_offset`),
      MarginL: margin(x_offset, picture.width, canvas.width, `${path}.x_offset`),
      BorderStyle: background ? 3 : undefined,
      OutlineColour: background || undefined,
    }),
  };
  const own = Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]));
  return [...own, ...givenStyle(option_string, `${path}.option_string`)].join(",");
};

/** White letters on black, as decoders of captions draw them. */
const captionLook = { BorderStyle: 3, OutlineColour: "&H00000000", PrimaryColour: "&H00FFFFFF", Outline: 2, Shadow: 0 };

const margin = (offset: number | string | undefined, side: number, units: number, path: string) => {
  if (offset === undefined) return undefined;
  const percent = /^(-?\d+(?:\.\d+)?)\s*%$/.exec(String(offset))?.[1];
  const share = percent === undefined ? Number(offset) / side : Number(percent) / 100;
  if (Number.isFinite(share) && share >= 0 && share <= 1) return Math.round(share * units);
  throw definitionError(`${path} "${offset}" is not a place in the picture`);
};

/** Libass's usual size; a percentage is a share of it. */
const usualSize = 16;

const fontSize = (size: string, { height }: Size, path: string): number => {
  const [, number, percent] = /^\s*(\d+(?:\.\d+)?)\s*(%|px)?\s*$/.exec(size) ?? [];
  if (number === undefined) throw definitionError(`${path} "${size}" is not a size in pixels or percent`);
  const units = percent === "%" ? (Number(number) / 100) * usualSize : (Number(number) * canvas.height) / height;
  return Math.max(1, Math.round(units));
};

/** `&HAABBGGRR`, where 00 is opaque, of a colour in the syntax of the other filters. */
const boxColor = (text: string, path: string): string => {
  const [name = "", given] = colorOf(text, path).toLowerCase().split("@");
  const hex = colors[name] ?? /^(?:#|0x)([0-9a-f]{6}(?:[0-9a-f]{2})?)$/.exec(name)?.[1];
  const [, red, green, blue, own = "ff"] = /^(..)(..)(..)(..)?$/.exec(hex ?? "") ?? [];
  if (!red) throw definitionError(`${path} "${text}" is not one of ${Object.keys(colors).join(", ")} or #rrggbb`);
  const opacity = given === undefined ? Number.parseInt(own, 16) : opacityOf(given);
  return `&H${(255 - opacity).toString(16).padStart(2, "0")}${blue}${green}${red}`.toUpperCase();
};

const opacityOf = (text: string): number =>
  text.startsWith("0x") ? Number.parseInt(text, 16) : Math.round(Math.min(1, Number(text)) * 255);

/** `force_style='Alignment=2,FontSize=15'`, and nothing else. */
const givenStyle = (text: string | undefined, path: string): string[] => {
  if (text === undefined || text.trim() === "") return [];
  const inner = /^\s*force_style=(['"]?)([^'"]*)\1\s*$/.exec(text)?.[2];
  const fields = inner?.split(",").map((field) => field.trim()) ?? [""];
  const wrong = fields.find((field) => !/^[A-Za-z]{2,20}=[A-Za-z0-9&. #_-]{1,60}$/.test(field));
  if (wrong === undefined) return fields;
  throw definitionError(`${path}: only force_style='Name=value,…' is allowed, not "${wrong || text}"`);
};
