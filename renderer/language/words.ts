import { type StateName, states } from "../../shared/state/labels.ts";
import { i18n } from "./index.ts";

/** A text from a table of `shared/`: such texts are their own keys, which `tables.ts` puts into the catalogue. */
export const translated = (text: string): string => i18n._(text);

/** A state's word: on its own, and inside a sentence. */
export const stateWord = (state: StateName): string => translated(states[state].word);
export const stateWordInside = (state: StateName): string => translated(states[state].word.toLowerCase());
export const stateMeans = (state: StateName): string => translated(states[state].means);
