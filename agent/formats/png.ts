import { inflateSync } from "node:zlib";
import type { Drawing } from "../../media/subtitles/dvb/bitmap.ts";

/** The largest picture that is read: twice the size of UHD. */
const mostPixels = 8192 * 4320;

/** A picture of ffmpeg's own encoder: eight bits of red, green, blue and opacity, not predicted. Throws for any other. */
export const readPlainPng = (bytes: Buffer): Drawing => {
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  if (bytes.readUInt16BE(24) !== 0x0806 || bytes[28] !== 0 || width * height > mostPixels)
    throw new Error("this is no picture that was drawn here");
  const row = 4 * width + 1;
  const lines = inflateSync(Buffer.concat(partsOf(bytes, "IDAT")), { maxOutputLength: row * height });
  const rgba = Buffer.alloc(4 * width * height);
  for (let y = 0; y < height; y += 1) {
    if (lines[y * row] !== 0) throw new Error("a line of this picture is predicted");
    lines.copy(rgba, y * 4 * width, y * row + 1, (y + 1) * row);
  }
  return { width, height, rgba };
};

const partsOf = (bytes: Buffer, name: string): Buffer[] => {
  const parts: Buffer[] = [];
  for (let at = 8; at + 12 <= bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    if (bytes.toString("latin1", at + 4, at + 8) === name) parts.push(bytes.subarray(at + 8, at + 8 + length));
    at += 12 + length;
  }
  return parts;
};
