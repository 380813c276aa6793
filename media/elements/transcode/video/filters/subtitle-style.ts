import { defined } from "../../../../../shared/basics/defined.ts";
import { definitionError } from "../../../../../shared/model/failure.ts";
import type { Size } from "../picture/picture.ts";
import { hexOf } from "./colors.ts";
import { type PrintedPreset, printedColor } from "./printed-color.ts";
import type { SubtitlePayload } from "./subtitle-payload.ts";
import { styleOfAttributes } from "./ttml-attributes.ts";

/** The canvas on which ffmpeg places texts without one of their own. */
const canvas = { width: 384, height: 288 };

/** The style of texts for libass: `FontName=…,MarginV=…`. The job's own libass style comes last. */
export const subtitleStyle = (wanted: SubtitlePayload, picture: Size, hasFonts: boolean, path: string): string => {
  const { x_offset, y_offset, font_size, background_color, option_string, imprint_style, attributes, lut_preset } =
    wanted;
  const background = background_color && boxColor(background_color, `${path}.background_color`);
  const fields: Readonly<Record<string, string | number | undefined>> = {
    ...(imprint_style === "closed_caption" && captionLook),
    // Letters are white by themselves, which would be as bright as a picture of high dynamic range can be.
    ...(lut_preset && imprint_style !== "closed_caption" && { PrimaryColour: "&H00FFFFFF" }),
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
  const own = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${typeof value === "string" ? inPreset(value, lut_preset) : value}`],
  );
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
const boxColor = (text: string, path: string): string => styled(printedColor(text, undefined, path));

const styled = (color: string): string => {
  const [, red, green, blue, opacity = "ff"] = /^0x(..)(..)(..)(..)$/.exec(color) ?? [];
  return `&H${hexOf(255 - Number.parseInt(opacity, 16))}${blue}${green}${red}`.toUpperCase();
};

/** A style's colour by the preset; what is no colour stays. */
const inPreset = (value: string, preset: PrintedPreset | undefined): string => {
  const [, clear = "", blue, green, red] = /^&H(..)(..)(..)(..)$/i.exec(value) ?? [];
  if (preset === undefined || red === undefined) return value;
  const opacity = hexOf(255 - Number.parseInt(clear, 16));
  return styled(printedColor(`0x${red}${green}${blue}${opacity}`, preset, ""));
};

/** `force_style='Alignment=2,FontSize=15'`, and nothing else. */
const givenStyle = (text: string | undefined, path: string): string[] => {
  if (text === undefined || text.trim() === "") return [];
  const inner = /^\s*force_style=(['"]?)([^'"]*)\1\s*$/.exec(text)?.[2];
  const fields = inner?.split(",").map((field) => field.trim()) ?? [""];
  const wrong = fields.find((field) => !/^[A-Za-z]{2,20}=[A-Za-z0-9&. #_-]{1,60}$/.test(field));
  if (wrong === undefined) return fields;
  throw definitionError(`${path}: only force_style='Name=value,…' is allowed, not "${wrong || text}"`);
};
