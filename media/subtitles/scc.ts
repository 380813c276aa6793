import { ratio } from "../../shared/basics/rational.ts";
import { framesToTimecode, timecodeToFrames } from "../formats/timecode.ts";
import { command } from "./cea608.ts";
import { type Cue, readableCues, SubtitleError, TooMuchText } from "./cue.ts";
import { createCaptionDecoder } from "./decode-608.ts";
import { loading, type Pair, twice } from "./pop-on.ts";

/** One pair of bytes is sent with each frame. */
const rate = ratio(30_000, 1001);
const frameMs = 1001 / 30;

/** Pairs that are sent one a frame from this frame on. */
export type CaptionLine = { readonly frame: number; readonly pairs: readonly Pair[] };

const head = "Scenarist_SCC V1.0";
const mostCaptionLines = 200_000;

/** Scenarist's closed captions as they are sent. Throws SubtitleError where the first line is another one. */
export const readCaptionLines = (text: string): CaptionLine[] => {
  if (!text.replace("\ufeff", "").startsWith("Scenarist_SCC")) throw new SubtitleError(`the first line is not ${head}`);
  const lines = text.split(/[\r\n]+/).flatMap((line) => {
    const [, timecode = "", words = ""] = /^\s*(\d\d:\d\d:\d\d[:;.,]\d\d)\s+([0-9a-f][0-9a-f\s]*)$/i.exec(line) ?? [];
    const frame = timecodeToFrames(timecode, rate);
    if (frame === undefined) return [];
    return [{ frame, pairs: (words.match(/[0-9a-f]{4}/gi) ?? []).map((word) => Number.parseInt(word, 16)) }];
  });
  if (lines.length > mostCaptionLines) throw new TooMuchText(`there are more than ${mostCaptionLines} lines`);
  return lines;
};

/**
 * How many milliseconds after a clock this text's timecode reaches what the clock shows: without drop-frame, an hour of it
 * lasts 3603.6 seconds.
 */
export const sccLag = (text: string, clockMs: number): number => {
  const [, mark = ":"] = /^[^\S\r\n]*\d\d:\d\d:\d\d([:;.,])\d\d\s/m.exec(text) ?? [];
  return mark === ":" ? Math.round(clockMs / 1000) : 0;
};

export const parseScc = (text: string): Cue[] => shownBy(readCaptionLines(text));

/** What a decoder of the first channel shows. */
export const shownBy = (lines: readonly CaptionLine[]): Cue[] => {
  const decoder = createCaptionDecoder();
  for (const { frame, pairs } of lines)
    for (const [at, pair] of pairs.entries()) decoder.feed(pair, Math.round((frame + at) * frameMs));
  return readableCues(decoder.cues());
};

export type SccOptions = {
  readonly isDrop?: boolean;
  /** Whole captions stand where they are shown, as samples of a QuickTime track, which take no time to send. */
  readonly isTrack?: boolean;
};

/** Pop-on captions: each is loaded so that it is complete when it is due. */
export const printScc = (cues: readonly Cue[], { isDrop = false, isTrack = false }: SccOptions = {}): string => {
  const lines = (isTrack ? samplesOf(cues) : captionLines(cues)).map(({ frame, pairs }) => {
    const words = pairs.map((pair) => pair.toString(16).padStart(4, "0"));
    return `${framesToTimecode(frame, rate, isDrop)}\t${words.join(" ")}\n`;
  });
  return `${head}\n\n${lines.join("\n")}`;
};

/** A track begins at its start, so something is there at once. A text is erased unless the next one replaces it. */
const samplesOf = (cues: readonly Cue[]): CaptionLine[] => {
  const erasing = (milliseconds: number) => ({ frame: frameOf(milliseconds), pairs: twice(command.eraseShown) });
  const shown = cues.flatMap((cue, index) => {
    const next = cues[index + 1];
    const isReplaced = next !== undefined && frameOf(next.from) <= frameOf(cue.to);
    const sample = { frame: frameOf(cue.from), pairs: [...loading(cue), ...twice(command.show)] };
    return isReplaced ? [sample] : [sample, erasing(cue.to)];
  });
  return shown[0]?.frame === 0 ? shown : [erasing(0), ...shown];
};

/** When which pairs are sent. A text that is shown until the next one replaces it needs no erasing. */
export const captionLines = (cues: readonly Cue[]): CaptionLine[] => {
  const lines: CaptionLine[] = [];
  let free = 0;
  for (const [index, cue] of cues.entries()) {
    const [pairs, due] = [loading(cue), frameOf(cue.from)];
    const shown = Math.max(due, free + pairs.length);
    const before = cues[index - 1];
    const erased = before && frameOf(before.to);
    const begin = shown - pairs.length;
    if (erased !== undefined && erased < begin - 2) {
      lines.push({ frame: Math.max(erased, free), pairs: twice(command.eraseShown) });
    }
    // A decoder goes on loading after it has erased what it shows.
    const at = erased === undefined ? -1 : erased - begin;
    const isWithin = at >= -2 && at < pairs.length && erased !== undefined && erased < shown;
    const split = isWithin ? evenPlace(pairs, Math.max(0, at)) : 0;
    const sent = isWithin ? [...pairs.slice(0, split), ...twice(command.eraseShown), ...pairs.slice(split)] : pairs;
    const first = Math.max(lines.length > 0 ? free : 0, shown - sent.length);
    lines.push({ frame: first, pairs: [...sent, ...twice(command.show)] });
    free = first + sent.length + 2;
  }
  const last = cues.at(-1);
  if (last) lines.push({ frame: Math.max(frameOf(last.to), free), pairs: twice(command.eraseShown) });
  return lines;
};

const frameOf = (milliseconds: number): number => Math.round(milliseconds / frameMs);

// Commands are sent twice: nothing may come between the two.
const evenPlace = (pairs: readonly Pair[], at: number): number => (at > 0 && pairs[at] === pairs[at - 1] ? at + 1 : at);
