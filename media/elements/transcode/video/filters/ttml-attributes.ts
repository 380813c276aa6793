import { capabilityError, definitionError } from "../../../../../shared/model/failure.ts";
import { colorOf } from "../../../../subtitles/colors.ts";
import type { SubtitlePayload } from "./subtitle-payload.ts";

type Attributes = NonNullable<SubtitlePayload["attributes"]>;
type Style = Readonly<Record<string, string | number | undefined>>;

/** The canvas on which ffmpeg places texts, and libass's usual size of letters there. */
const canvas = { width: 384, height: 288, letters: 16 };

/** TTML's styling attributes in libass's names. Throws `capability` for one that is not implemented here. */
export const styleOfAttributes = (attributes: Attributes, pictureHeight: number, path: string): Style => {
  const values = new Map(attributes.map(({ name, value }) => [name, value.trim()]));
  const unknown = attributes.findIndex(({ name }) => !Object.hasOwn(styles, name) && !placing.includes(name));
  if (unknown !== -1) {
    throw capabilityError(`${path}[${unknown}]: ${attributes[unknown]?.name} is not implemented`);
  }
  const looks = [...values].map(([name, value]) => {
    const style = styles[name]?.(value, pictureHeight);
    if (!style && styles[name]) throw definitionError(`${path}: ${name} "${value.slice(0, 100)}" cannot be read`);
    return style;
  });
  return Object.assign({}, ...looks, marginsOf(values), alignmentOf(values));
};

/** `&H00BBGGRR` */
const libassColor = (text: string): string | undefined => {
  const [, red, green, blue] = /^#(..)(..)(..)$/.exec(colorOf(text) ?? "") ?? [];
  return red === undefined ? undefined : `&H00${blue}${green}${red}`.toUpperCase();
};

const colored = (field: string, text: string): Style | undefined => {
  const color = libassColor(text);
  return color === undefined ? undefined : { [field]: color };
};

const styles: Readonly<Record<string, (value: string, pictureHeight: number) => Style | undefined>> = {
  "tts:color": (value) => colored("PrimaryColour", value),
  "tts:backgroundColor": (value) => {
    const box = colored("OutlineColour", value);
    return box && { BorderStyle: 3, ...box };
  },
  "tts:fontFamily": (value) => (/^[\w -]{1,60}$/.test(value) ? { FontName: value } : undefined),
  "tts:fontSize": (value) => {
    const percent = /^(\d{1,4}(?:\.\d+)?)%$/.exec(value)?.[1];
    return percent === undefined ? undefined : { FontSize: Math.round((Number(percent) / 100) * canvas.letters) };
  },
  "tts:fontStyle": (value) => ({ Italic: /italic|oblique/.test(value) ? 1 : 0 }),
  "tts:fontWeight": (value) => ({ Bold: value === "bold" ? 1 : 0 }),
  "tts:textOutline": (value, pictureHeight) => {
    if (value === "none") return { Outline: 0 };
    const [, color = "black", pixels] = /^(?:(\S+)\s+)?(\d{1,3}(?:\.\d+)?)px(?:\s+\S+)?$/.exec(value) ?? [];
    const outline = colored("OutlineColour", color);
    if (pixels === undefined || !outline) return undefined;
    return { ...outline, Outline: Math.round((Number(pixels) / pictureHeight) * canvas.height * 100) / 100 };
  },
};

const placing = ["tts:origin", "tts:extent", "tts:position", "tts:textAlign", "tts:displayAlign"];

const pairOf = (value: string | undefined): readonly [number, number] | undefined => {
  const [, x, y] = /^(\d{1,3}(?:\.\d+)?)%\s+(\d{1,3}(?:\.\d+)?)%$/.exec(value ?? "") ?? [];
  return x === undefined ? undefined : [Number(x), Number(y)];
};

/** The region's distance from the picture's sides. */
const marginsOf = (values: ReadonlyMap<string, string>): Style => {
  const [origin, extent] = [pairOf(values.get("tts:origin")), pairOf(values.get("tts:extent"))];
  const isCentered = values.get("tts:position") === "center";
  if (!origin && !extent) return {};
  const [width, height] = extent ?? [100, 100];
  const [left, top] = isCentered ? [(100 - width) / 2, (100 - height) / 2] : (origin ?? [0, 0]);
  const share = (percent: number, side: number) => Math.round((Math.min(100, Math.max(0, percent)) / 100) * side);
  return {
    MarginL: share(left, canvas.width),
    MarginR: share(100 - left - width, canvas.width),
    MarginV: share(isAbove(values) ? top : 100 - top - height, canvas.height),
  };
};

const isAbove = (values: ReadonlyMap<string, string>): boolean => values.get("tts:displayAlign") === "before";

/** SSA's numbers of places, as a forced style needs them: 2 is bottom centre, 6 top centre, 10 the middle. */
const alignmentOf = (values: ReadonlyMap<string, string>): Style => {
  const across = { left: 1, start: 1, right: 3, end: 3 }[values.get("tts:textAlign") ?? ""] ?? 2;
  const up = { before: 4, center: 8 }[values.get("tts:displayAlign") ?? ""] ?? 0;
  return { Alignment: across + up };
};
