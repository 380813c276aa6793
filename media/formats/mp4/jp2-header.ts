import { bitDepthOf, colorSpaceOf, hasAlpha } from "../pixel-format.ts";

/** What readers of JPEG 2000 in QuickTime and MP4 need beside the stream: its colours are nowhere else. */
export type Jp2Header = {
  readonly width: number;
  readonly height: number;
  readonly components: number;
  readonly bits: number;
  /** 16: red, green and blue; 17: grey; 18: luminance and colour differences (ISO/IEC 15444-1, I.5.3.3). */
  readonly colorSpace: number;
};

/** The header for pictures of a format, in ffmpeg's names; undefined where its list of colours has none for it. */
export const jp2HeaderOf = (format: string, { width, height }: { width: number; height: number }) => {
  const bits = bitDepthOf(format);
  if (bits === undefined || /^xyz/.test(format)) return undefined;
  const isRgb = colorSpaceOf(format) === "RGB";
  const header: Jp2Header = { width, height, bits, components: hasAlpha(format) ? 4 : 3, colorSpace: isRgb ? 16 : 18 };
  return header;
};

/** The boxes within `jp2h`: `ihdr` and `colr` (ISO/IEC 15444-1, I.5.3), without the box around them. */
export const jp2Boxes = ({ width, height, components, bits, colorSpace }: Jp2Header): Uint8Array => {
  const made = new DataView(new ArrayBuffer(22 + 15));
  made.setUint32(0, 22);
  made.setUint32(4, textOf("ihdr"));
  made.setUint32(8, height);
  made.setUint32(12, width);
  made.setUint16(16, components);
  // Bits of a component less one, always unsigned; 7 is the only compression; its colours are known.
  made.setUint8(18, bits - 1);
  made.setUint8(19, 7);
  made.setUint32(22, 15);
  made.setUint32(26, textOf("colr"));
  // By a number of the standard's list.
  made.setUint8(30, 1);
  made.setUint32(33, colorSpace);
  return new Uint8Array(made.buffer);
};

const textOf = (name: string): number => [...name].reduce((sum, letter) => sum * 256 + letter.charCodeAt(0), 0);
