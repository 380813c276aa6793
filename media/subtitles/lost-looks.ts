import type { FormName } from "../../shared/work/subtitle-forms.ts";
import { isCaptionColor } from "./cea608.ts";
import { vttColor } from "./colors.ts";
import type { Cue, Look } from "./cue.ts";

const all = ["italic", "bold", "underline", "color"] as const;

/** What a form keeps of how texts look. What a track of media cannot hold is in `lostLooks`. */
const keeps: Readonly<Record<FormName, readonly (keyof Look)[]>> = {
  webvtt: [...all, "voice", "language"],
  srt: all,
  ttml: [...all, "language"],
  imsc1: [...all, "language"],
  ttml_track: [...all, "language"],
  ass: all,
  pages: all,
  timed_text: all,
  scc: ["italic", "underline", "color"],
  mcc: ["italic", "underline", "color"],
  stl: ["italic", "underline"],
};

/** In the order in which they are told. */
const words: Readonly<Record<keyof Look, string>> = {
  italic: "italics",
  bold: "bold letters",
  underline: "underlines",
  color: "colours",
  voice: "names of speakers",
  language: "languages of single words",
};

/** Forms that have a few colours and take the nearest one. */
const fewColors: Readonly<Partial<Record<FormName, (color: string) => boolean>>> = {
  scc: isCaptionColor,
  mcc: isCaptionColor,
};

/** What texts lose in a form, as sentences for the result. A track of WebVTT has no styles, so only colours by name. */
export const lostLooks = (cues: readonly Cue[], form: FormName, name: string, isTrack = false): string[] => {
  const countOf = (isLost: (look: Look) => boolean): number =>
    cues.filter(({ lines }) => lines.some((line) => line.some(isLost))).length;
  const kinds = Object.keys(words) as (keyof Look)[]; // Object.keys forgets the names
  const lost = kinds
    .filter((kind) => !keeps[form].includes(kind))
    .map((kind) => [kind, countOf((look) => look[kind] !== undefined)] as const)
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => `${name}: ${form} has no ${words[kind]}, which ${textsOf(count)} had`);
  const has = form === "webvtt" && isTrack ? (color: string) => vttColor(color) !== undefined : fewColors[form];
  const changed = has ? countOf(({ color }) => color !== undefined && !has(color)) : 0;
  if (changed === 0) return lost;
  return [...lost, `${name}: colours of ${textsOf(changed)} became the nearest that ${form} has`];
};

const textsOf = (count: number): string => (count === 1 ? "1 text" : `${count} texts`);
