import { fileError, sourceError } from "../../shared/model/failure.ts";
import type { FormName } from "../../shared/work/subtitle-forms.ts";
import { type Cue, type CueRange, SubtitleError, TooMuchText } from "./cue.ts";
import { decodeSubtitles, forms, guessWords, type PrintOptions, parseSubtitles } from "./index.ts";
import { lostLetters } from "./lost-letters.ts";
import { lostLooks } from "./lost-looks.ts";
import { seenSubtitles } from "./seen.ts";
import { segmentedWebvtt, type TextFile } from "./segments.ts";
import { printWebvtt } from "./webvtt/print.ts";

/** The bytes of a text, its address for errors, and its name for people. */
export type SubtitleSource = { readonly name: string; readonly label: string; readonly bytes: Uint8Array };

export type Conversion = PrintOptions & {
  /** Nothing: a file without texts is made. */
  readonly source?: SubtitleSource | undefined;
  readonly form: FormName;
  readonly stretch: CueRange;
  /** WebVTT in parts of so many seconds; `pattern` names them with a `%d`. */
  readonly segments?: { readonly seconds: number; readonly total?: number | undefined; readonly pattern: string };
};

/** `text` is that of the file asked for: of segments, their playlist. `told` is what nobody would expect. */
export type Converted = {
  readonly count: number;
  readonly text: string;
  readonly segments: readonly TextFile[];
  readonly told: readonly string[];
};

/** Throws TaskError `source` naming the file where it is no text of a known form, `media` where it is too much. */
export const convertSubtitles = (conversion: Conversion): Converted => {
  const { source, form, stretch, segments, ...options } = conversion;
  const { cues, told } = source
    ? readSubtitleBytes(source, (text) => converted(seenSubtitles(text, source.label, stretch), source, conversion))
    : { cues: [], told: [] };
  if (!segments) return { count: cues.length, text: forms[form].print(cues, options), segments: [], told };
  const { playlist, segments: made } = segmentsOf(cues, { ...segments, streamClock: options.streamClock });
  return { count: cues.length, text: playlist, segments: made, told };
};

type Seen = ReturnType<typeof seenSubtitles>;

const converted = ({ cues, told }: Seen, { label, bytes }: SubtitleSource, { form, isTrack }: Conversion): Seen => ({
  cues,
  told: [
    ...guessWords(bytes).map((words) => `${label}: ${words}`),
    ...[...told, ...lostLooks(cues, form, label, isTrack), ...lostLetters(cues, form, label)],
  ],
});

/** One WebVTT of texts that are segments: what goes on is in each segment that it touches, and counts once. */
export const joinSubtitles = (sources: readonly SubtitleSource[]): string => {
  const cues = new Map<string, Cue>();
  for (const source of sources)
    for (const cue of readSubtitleBytes(source, parseSubtitles)) cues.set(JSON.stringify(cue), cue);
  return printWebvtt([...cues.values()]);
};

/** What `read` finds in a file's text. Throws as `convertSubtitles` does. */
export const readSubtitleBytes = <T>(
  { name, bytes }: Pick<SubtitleSource, "name" | "bytes">,
  read: (text: string) => T,
): T => {
  try {
    return read(decodeSubtitles(bytes));
  } catch (problem) {
    throw asTaskError(name, problem);
  }
};

type Segmenting = NonNullable<Conversion["segments"]> & Pick<Conversion, "streamClock">;

const segmentsOf = (cues: readonly Cue[], { pattern, ...cutting }: Segmenting) => {
  const nameOf = (index: number): string =>
    pattern.replace(/%0?(\d*)d/, (_, digits) => String(index).padStart(Number(digits), "0"));
  try {
    return segmentedWebvtt(cues, { ...cutting, nameOf });
  } catch (problem) {
    throw asTaskError("the subtitles", problem);
  }
};

/** What no node can afford is `media`: waiting for the source does not help. */
const asTaskError = (name: string, problem: unknown): unknown => {
  if (problem instanceof TooMuchText) return fileError(`${name}: ${problem.message}`);
  return problem instanceof SubtitleError ? sourceError(`${name}: ${problem.message}`) : problem;
};
