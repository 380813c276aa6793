import type { FormName } from "../../shared/work/subtitle-forms.ts";
import type { Cue } from "./cue.ts";
import { isCut, isUnknown } from "./pop-on.ts";
import { isLackedBy, isUnseen, tableFor } from "./stl-letters.ts";

/** What texts lose of their letters in forms that have few of them, as sentences for the result. */
export const lostLetters = (cues: readonly Cue[], form: FormName, name: string): string[] => {
  const isCaption = form === "scc" || form === "mcc";
  if (!isCaption && form !== "stl") return [];
  const table = isCaption ? undefined : tableFor(cues);
  const isLost = (letter: string) => (table ? isLackedBy(table, letter) : !isUnseen(letter) && isUnknown(letter));
  const lost = cues.map(({ lines }) => lines.flat().flatMap(({ text }) => [...text.normalize("NFC")].filter(isLost)));
  const count = lost.filter((letters) => letters.length > 0).length;
  const some = [...new Set(lost.flat())].slice(0, mostTold).join(" ");
  const cut = isCaption ? cues.filter(isCut).length : 0;
  return [
    ...(count > 0 ? [`${name}: ${form} has no such letters as ${some}, which ${textsOf(count)} lost`] : []),
    ...(cut > 0
      ? [`${name}: ${form} shows four rows of 32 letters, and ${textsOf(cut)} had more, which is cut off`]
      : []),
  ];
};

const mostTold = 8;
const textsOf = (count: number): string => (count === 1 ? "1 text" : `${count} texts`);
