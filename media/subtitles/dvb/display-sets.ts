import type { Bitmap, Color } from "./bitmap.ts";
import { type Depth, lineBlock } from "./run-lengths.ts";

/** How pages are described to receivers. */
export type PageStyle = {
  readonly pageId: number;
  readonly depth: Depth;
  /** The picture that places count in. */
  readonly canvas: { readonly width: number; readonly height: number };
  /** Receivers are told of the canvas; without that it is one of 720 x 576. */
  readonly tellsCanvas: boolean;
  /** The region is as wide as the canvas. */
  readonly isFullWidth?: boolean | undefined;
  /** So is the bitmap in it. */
  readonly isFullObject?: boolean | undefined;
  /** The region is filled with the clear colour before the bitmap is drawn. */
  readonly isFilled?: boolean | undefined;
  /** At its end a page keeps its region, empty. */
  readonly keepsRegion?: boolean | undefined;
  /** At its end a page gets a bitmap that is clear. */
  readonly sendsClear?: boolean | undefined;
};

const types = { page: 0x10, region: 0x11, colors: 0x12, object: 0x13, display: 0x14, end: 0x80 };

/** The segments of a page (ETSI EN 300 743, 7.2) that is seen for so many seconds at most. `version` counts the pages. */
export const displaySet = (bitmap: Bitmap, style: PageStyle, version: number, seconds: number): number[] => {
  const shown = style.isFullObject ? widened(bitmap, style.canvas.width) : bitmap;
  const [left, width] = style.isFullWidth ? [0, style.canvas.width] : [shown.left, shown.width];
  const region = { left, top: shown.top, width, height: shown.height };
  return [
    ...head(style, version),
    ...segment(types.page, style, pageOf(version, seconds, region)),
    ...segment(types.region, style, regionOf(region, style, version, { left: shown.left - left })),
    ...segment(types.colors, style, colorsOf(bitmap.colors, style.depth, version)),
    ...segment(types.object, style, objectOf(shown, style.depth, version)),
    ...segment(types.end, style, []),
  ];
};

/** The segments that end a page. */
export const clearSet = (last: Bitmap | undefined, style: PageStyle, version: number): number[] => {
  const region = last && {
    left: style.isFullWidth ? 0 : last.left,
    top: last.top,
    width: last.width,
    height: last.height,
  };
  const isKept = region && (style.keepsRegion || style.sendsClear);
  if (!isKept)
    return [
      ...head(style, version),
      ...segment(types.page, style, pageOf(version, 0)),
      ...segment(types.end, style, []),
    ];
  const wide = style.isFullWidth ? { ...region, width: style.canvas.width } : region;
  const clear = { left: 0, top: 0, width: 2, height: 2, pixels: new Uint8Array(4), colors: [] };
  return [
    ...head(style, version),
    ...segment(types.page, style, pageOf(version, 0, wide)),
    ...segment(
      types.region,
      style,
      regionOf(wide, { ...style, isFilled: true }, version, style.sendsClear ? { left: 0 } : undefined),
    ),
    ...(style.sendsClear ? segment(types.object, style, objectOf(clear, style.depth, version)) : []),
    ...segment(types.end, style, []),
  ];
};

const widened = (bitmap: Bitmap, width: number): Bitmap => {
  const pixels = new Uint8Array(width * bitmap.height);
  for (let y = 0; y < bitmap.height; y += 1)
    pixels.set(bitmap.pixels.subarray(y * bitmap.width, (y + 1) * bitmap.width), y * width + bitmap.left);
  return { ...bitmap, left: 0, width, pixels };
};

const u16 = (value: number): number[] => [(value >> 8) & 0xff, value & 0xff];

const segment = (type: number, { pageId }: PageStyle, data: readonly number[]): number[] => [
  ...[0x0f, type, ...u16(pageId), ...u16(data.length)],
  ...data,
];

const head = (style: PageStyle, version: number): number[] =>
  style.tellsCanvas
    ? segment(types.display, style, [
        ((version & 15) << 4) | 0x07,
        ...u16(style.canvas.width - 1),
        ...u16(style.canvas.height - 1),
      ])
    : [];

type Region = { readonly left: number; readonly top: number; readonly width: number; readonly height: number };

/** Each page begins anew, so that receivers may tune in at any of them; one that ends nothing but itself need not. */
const pageOf = (version: number, seconds: number, region?: Region): number[] => [
  ...[Math.min(255, Math.max(1, Math.ceil(seconds) + 2)), ((version & 15) << 4) | (region ? 0x0b : 0x03)],
  ...(region ? [0, 0xff, ...u16(region.left), ...u16(region.top)] : []),
];

const regionOf = (
  { width, height }: Region,
  { depth, isFilled }: PageStyle,
  version: number,
  object: { readonly left: number } | undefined,
): number[] => {
  const code = { 2: 1, 4: 2, 8: 3 }[depth];
  return [
    ...[0, ((version & 15) << 4) | (isFilled ? 0x0f : 0x07), ...u16(width), ...u16(height)],
    ...[(code << 5) | (code << 2) | 0x03, 0, 0, 0x03],
    ...(object ? [0, 0, ...u16(object.left & 0x0fff), 0xf0, 0] : []),
  ];
};

/** Of each depth the flag that an entry is for it. */
const depthFlags: Readonly<Record<Depth, number>> = { 2: 0x80, 4: 0x40, 8: 0x20 };

const colorsOf = (colors: readonly Color[], depth: Depth, version: number): number[] => [
  ...[0, ((version & 15) << 4) | 0x0f],
  ...[0, depthFlags[depth] | 0x1f, 0, 128, 128, 255],
  ...colors.flatMap((color, at) => [at + 1, depthFlags[depth] | 0x1f, ...ycc(color)]),
];

/** Y, Cr, Cb by ITU-R BT.601, and how clear it is. */
const ycc = ([red, green, blue, opacity]: Color): number[] => {
  const luma = (0.299 * red + 0.587 * green + 0.114 * blue) / 255;
  const part = (value: number, unit: number): number =>
    Math.max(1, Math.min(254, Math.round(128 + (224 * (value / 255 - luma)) / unit)));
  return [Math.max(16, Math.min(235, Math.round(16 + 219 * luma))), part(red, 1.402), part(blue, 1.772), 255 - opacity];
};

const objectOf = ({ width, height, pixels }: Bitmap, depth: Depth, version: number): number[] => {
  const lines = Array.from({ length: height }, (_, y) => lineBlock(pixels.subarray(y * width, (y + 1) * width), depth));
  const [top, bottom] = [0, 1].map((field) => lines.filter((_, y) => y % 2 === field).flat());
  const data = [...(top ?? []), ...(bottom ?? [])];
  const isOdd = data.length % 2 === 1;
  return [
    ...[0, 0, ((version & 15) << 4) | 0x01, ...u16(top?.length ?? 0), ...u16(bottom?.length ?? 0)],
    ...[...data, ...(isOdd ? [0] : [])],
  ];
};
