import type { FormName } from "../../shared/work/subtitle-forms.ts";
import { parseAss, printAss } from "./ass.ts";
import { type Cue, SubtitleError, TooMuchText } from "./cue.ts";
import { printPages } from "./dvb/pages.ts";
import { isMcc, parseMcc, printMcc, readMccLines } from "./mcc.ts";
import { type CaptionLine, captionLines, parseScc, printScc, readCaptionLines, sccLag } from "./scc.ts";
import { parseSrt, printSrt } from "./srt.ts";
import { parseStl, printStl, stlStart } from "./stl.ts";
import { printTimedText } from "./timed-text.ts";
import { printTtml } from "./ttml/print.ts";
import { parseTtml } from "./ttml/read.ts";
import { printTtmlTrack } from "./ttml/track.ts";
import { printWebvtt } from "./webvtt/print.ts";
import { parseWebvtt, webvttNotes } from "./webvtt/read.ts";

export type PrintOptions = {
  readonly language?: string | undefined;
  readonly isDrop?: boolean | undefined;
  readonly isTrack?: boolean | undefined;
  /** When it is written: milliseconds since 1970. */
  readonly date?: number | undefined;
  /** Of WebVTT: see printWebvtt. */
  readonly streamClock?: number | undefined;
};

type Form = {
  /** Ends of names, without their dot. */
  readonly extensions: readonly string[];
  readonly parse: (text: string) => Cue[];
  readonly print: (cues: readonly Cue[], options: PrintOptions) => string;
  /** Captions exactly as they are sent, where the form keeps that. */
  readonly lines?: (text: string) => CaptionLine[];
  /** How many milliseconds after a clock its times reach what the clock shows, where they count frames. */
  readonly lag?: (text: string, clockMs: number) => number;
  /** Where its head says that the programme begins, in milliseconds. */
  readonly start?: (text: string) => number;
  /** What it says that no cue keeps, as sentences. */
  readonly notes?: (text: string) => string[];
  /** Its characters are bytes, not text. */
  readonly isBinary?: true;
};

/** Reads and writes each form of subtitles. A new form is a file, a line here and its name in shared/work/subtitle-forms.ts. */
export const forms = {
  webvtt: { extensions: ["vtt", "webvtt"], parse: parseWebvtt, print: printWebvtt, notes: webvttNotes },
  srt: { extensions: ["srt"], parse: parseSrt, print: printSrt },
  ttml: {
    extensions: ["ttml", "dfxp", "xml"],
    parse: parseTtml,
    print: (cues, { language }) => printTtml(cues, { language }),
  },
  imsc1: {
    extensions: ["ttml", "xml"],
    parse: parseTtml,
    print: (cues, { language }) => printTtml(cues, { language, isImsc: true }),
  },
  ass: { extensions: ["ass", "ssa"], parse: parseAss, print: printAss },
  scc: {
    extensions: ["scc"],
    parse: parseScc,
    print: (cues, { isDrop = false, isTrack = false }) => printScc(cues, { isDrop, isTrack }),
    lines: readCaptionLines,
    lag: sccLag,
  },
  mcc: { extensions: ["mcc"], parse: parseMcc, print: (cues) => printMcc(cues), lines: readMccLines },
  timed_text: { extensions: [], parse: () => [], print: (cues) => printTimedText(cues), isBinary: true },
  ttml_track: {
    extensions: [],
    parse: () => [],
    print: (cues, { language }) => printTtmlTrack(cues, { language }),
    isBinary: true,
  },
  /** For those who draw them. */
  pages: { extensions: [], parse: () => [], print: (cues) => printPages(cues) },
  stl: {
    extensions: ["stl"],
    parse: parseStl,
    print: (cues, options?: PrintOptions) => printStl(cues, options),
    start: stlStart,
    isBinary: true,
  },
} as const satisfies Record<FormName, Form>;

const stlHead = /^\d{3}STL\d\d\.01/;

/** The form of a text by how it begins; what begins with nothing special is SRT. */
export const formOf = (text: string): FormName => {
  const begin = text.slice(0, 2000).replace("\ufeff", "").trimStart();
  if (begin.startsWith("WEBVTT")) return "webvtt";
  if (begin.startsWith("Scenarist_SCC")) return "scc";
  if (isMcc(begin)) return "mcc";
  if (stlHead.test(begin)) return "stl";
  if (begin.startsWith("<")) return "ttml";
  return /^\[script info\]/i.test(begin) ? "ass" : "srt";
};

/** A file's bytes as text. */
export const decodeSubtitles = (bytes: Uint8Array): string => {
  if (isStl(bytes)) return charactersOf(bytes);
  return new TextDecoder(encodingOf(bytes) ?? guessed).decode(bytes);
};

/** What is to be told of a file whose letters are guessed. */
export const guessWords = (bytes: Uint8Array): string[] =>
  isStl(bytes) || encodingOf(bytes) !== undefined ? [] : [`its letters are not UTF-8, and are read as ${guessed}`];

/** The code page of the West. */
const guessed = "windows-1252";

const isStl = (bytes: Uint8Array): boolean => stlHead.test(charactersOf(bytes.subarray(0, 11)));

/** UTF-16 by its mark or its zeros, else UTF-8 where it is valid, else what an XML says of itself. */
const encodingOf = (bytes: Uint8Array): string | undefined => {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  // The ASCII of a beginning without a mark has a zero in each second byte, which no text in bytes has.
  const zeros = [0, 1].map((odd) => bytes.subarray(0, 64).filter((byte, at) => byte === 0 && at % 2 === odd).length);
  if (zeros.some((count) => count > 8)) return zeros[0] ? "utf-16be" : "utf-16le";
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return "utf-8";
  } catch {
    const said = /^<\?xml[^>]{0,200}encoding=["']([\w.:-]{1,40})["']/.exec(charactersOf(bytes.subarray(0, 300)))?.[1];
    return said !== undefined && isEncoding(said) ? said : undefined;
  }
};

const isEncoding = (label: string): boolean => {
  try {
    return !new TextDecoder(label).encoding.startsWith("utf-");
  } catch {
    return false;
  }
};

const charactersOf = (bytes: Uint8Array): string => {
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; at += 8192) parts.push(String.fromCharCode(...bytes.subarray(at, at + 8192)));
  return parts.join("");
};

/** The cues of a text in the form that it begins like. Throws SubtitleError naming the form. */
export const parseSubtitles = (text: string): Cue[] => {
  const form = formOf(text);
  try {
    return forms[form].parse(text.replace(/^\ufeff/, ""));
  } catch (problem) {
    if (problem instanceof TooMuchText) throw new TooMuchText(`this ${form} is too much: ${problem.message}`);
    if (problem instanceof SubtitleError) throw new SubtitleError(`this is no readable ${form}: ${problem.message}`);
    throw problem;
  }
};

/** The cues of a text that begins with media whose timecode shows this clock, as if the text counted in clock time. */
export const parseOnClock = (text: string, clockMs: number): Cue[] => {
  const lag = lagOf(text, clockMs);
  return parseSubtitles(text).map((cue) => ({ ...cue, from: cue.from - lag, to: cue.to - lag }));
};

/** How many milliseconds after a clock a text's times reach what the clock shows. */
export const lagOf = (text: string, clockMs: number): number => {
  const form: Form = forms[formOf(text)];
  return form.lag?.(text, clockMs) ?? 0;
};

/** Where a text's head says that its programme begins, in milliseconds; 0 where it does not. */
export const ownStartOf = (text: string): number => {
  const form: Form = forms[formOf(text)];
  return form.start?.(text) ?? 0;
};

/** What a text says that no cue keeps, as sentences. */
export const notesOf = (text: string): string[] => {
  const form: Form = forms[formOf(text)];
  return form.notes?.(text) ?? [];
};

/** The pairs of closed captions that a text holds, or those that show its cues. */
export const captionLinesOf = (text: string): CaptionLine[] => {
  const form: Form = forms[formOf(text)];
  return form.lines?.(text) ?? captionLines(parseSubtitles(text));
};
