import { type Cue, type Line, type Span, textOf } from "./cue.ts";
import { box, bytes, letters, printTextTrack, type Sample, u16, u32 } from "./text-track.ts";

/**
 * A file of one track of 3GPP timed text (3GPP TS 26.245, `tx3g`), its bytes as characters. It is written here because
 * ffmpeg's encoder reads angle brackets, braces and backslashes of a text as commands.
 */
export const printTimedText = (cues: readonly Cue[]): string =>
  printTextTrack(samplesOf(cues), { handler: "sbtl", description: description() });

/** Texts one after the other, with empty ones between them; those that overlap end where the next one begins. */
const samplesOf = (cues: readonly Cue[]): Sample[] => {
  let at = 0;
  return cues.flatMap((cue, index) => {
    const to = Math.min(cue.to, cues[index + 1]?.from ?? cue.to);
    if (to <= at) return [];
    const gap = Math.max(0, cue.from - at);
    const lasts = to - at - gap;
    at = to;
    return [...(gap > 0 ? [{ text: u16(0), lasts: gap }] : []), { text: sampleOf(cue.lines), lasts }];
  });
};

const faces = { bold: 1, italic: 2, underline: 4 };
const mostBytes = 65_535;

const sampleOf = (lines: readonly Line[]): Uint8Array => {
  const text = new TextEncoder().encode(lines.map(textOf).join("\n")).subarray(0, mostBytes);
  return bytes([u16(text.length), text, styles(lines)]);
};

const styles = (lines: readonly Line[]): Uint8Array => {
  let at = 0;
  const records = lines.flatMap((line) => {
    const made = line.flatMap((span) => {
      const from = at;
      at += [...span.text].length;
      return isPlain(span) ? [] : [styleOf(span, from, at)];
    });
    at += 1;
    return made;
  });
  return records.length === 0 ? new Uint8Array() : box("styl", [u16(records.length), ...records]);
};

const isPlain = ({ bold, italic, underline, color }: Span): boolean => !(bold || italic || underline || color);

/** The size that players scale to the picture's. */
const fontSize = 18;

const styleOf = (
  { bold, italic, underline, color = "#ffffff" }: Partial<Span>,
  from: number,
  to: number,
): Uint8Array => {
  const face = (bold ? faces.bold : 0) | (italic ? faces.italic : 0) | (underline ? faces.underline : 0);
  const rgb = [1, 3, 5].map((digit) => Number.parseInt(color.slice(digit, digit + 2), 16) || 0);
  return bytes([u16(from), u16(to), u16(1), Uint8Array.of(face, fontSize, ...rgb, 255)]);
};

/** White letters in the middle of the lowest lines. */
const description = (): Uint8Array => {
  const font = bytes([u16(1), Uint8Array.of(10), letters("Sans-Serif")]);
  const justified = Uint8Array.of(1, 0xff);
  const plain = styleOf({}, 0, 0);
  const fonts = box("ftab", [u16(1), font]);
  return box("tx3g", [new Uint8Array(6), u16(1), u32(0), justified, new Uint8Array(12), plain, fonts]);
};
