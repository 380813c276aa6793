import { bitDepthOf, chromaOf, colorSpaceOf } from "../../../../media/formats/pixel-format.ts";
import { ffmpeg } from "../../../helpers/media/media-tools.ts";

/** Three numbers on the scale of eight bits: red, green and blue, or Y, Cb and Cr. */
export type Numbers = readonly [number, number, number];

/** Red's and blue's share of brightness: ITU-R BT.601 and BT.709, table of signal formats. */
const shares = { bt601: { red: 0.299, blue: 0.114 }, bt709: { red: 0.2126, blue: 0.0722 } } as const;
export type Matrix = keyof typeof shares;

/** Y, Cb and Cr of a colour of full range: ITU-R BT.601 and BT.709 for video, ITU-T T.871 for full range. */
export const codedAs = ([red, green, blue]: Numbers, matrix: Matrix, isFull: boolean): Numbers => {
  const share = shares[matrix];
  const y = share.red * red + (1 - share.red - share.blue) * green + share.blue * blue;
  const [cb, cr] = [(blue - y) / (2 * (1 - share.blue)), (red - y) / (2 * (1 - share.red))];
  return isFull ? [y, 128 + cb, 128 + cr] : [16 + (y * 219) / 255, 128 + (cb * 224) / 255, 128 + (cr * 224) / 255];
};

/** Where the (upper) bytes of the three numbers lie in packed formats. */
const packed: Readonly<Record<string, readonly number[]>> = {
  ...{ rgb24: [0, 1, 2], rgb48be: [0, 2, 4], rgb48le: [1, 3, 5], uyvy422: [1, 0, 2], yuyv422: [0, 1, 3] },
};
const planes: Readonly<Record<string, readonly [number, number, number]>> = { gbr: [2, 0, 1], yuv: [0, 1, 2] };
const side = 16;
const chromaSizes: Readonly<Record<string, number>> = { CS_420: 4, CS_422: 2, CS_411: 4, CS_440: 2, CS_410: 16 };

/** The numbers in the middle of the first picture as they are stored: nothing is converted. */
export const numbersIn = async (path: string, pixelFormat: string): Promise<Numbers> => {
  const chosen = ["-frames:v", "1", "-vf", `crop=${side}:${side}`, "-pix_fmt", pixelFormat, "-f", "rawvideo", "-"];
  const bytes = await ffmpeg(["-v", "error", "-i", path, ...chosen]);
  const order = packed[pixelFormat];
  if (order) return threeOf(order, (at) => bytes[at] ?? Number.NaN);
  const depth = bitDepthOf(pixelFormat) ?? 8;
  const width = depth > 8 ? 2 : 1;
  const luma = side * side;
  const chroma = luma / (chromaSizes[chromaOf(pixelFormat) ?? ""] ?? 1);
  const starts = [0, luma, luma + chroma];
  const read = (plane: number) => {
    const at = (starts[plane] ?? 0) * width;
    return width === 1 ? (bytes[at] ?? Number.NaN) : bytes.readUInt16LE(at) / 2 ** (depth - 8);
  };
  return threeOf((colorSpaceOf(pixelFormat) === "RGB" ? planes.gbr : planes.yuv) ?? [], read);
};

const threeOf = (order: readonly number[], read: (at: number) => number): Numbers => {
  const [first = 0, second = 0, third = 0] = order;
  return [read(first), read(second), read(third)];
};

/** The largest of three differences. */
export const farthest = (one: Numbers, other: Numbers): number =>
  Math.max(...one.map((value, at) => Math.abs(value - (other[at] ?? Number.NaN))));
