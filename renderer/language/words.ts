import { generateMessageId } from "@lingui/message-utils/generateMessageId";
import { type StateName, states } from "../../shared/model/state-labels.ts";
import { i18n } from "./index.ts";

const ids = new Map<string, string>();

/** A text from a table of `shared/`; `tables.ts` puts such texts into the catalogue. Any other text stays as it is. */
export const translated = (text: string): string => {
  const id = ids.get(text) ?? generateMessageId(text);
  ids.set(text, id);
  const found = i18n._(id, {}, { message: text });
  return found === id ? text : found;
};

/** A state's word: on its own, and inside a sentence. */
export const stateWord = (state: StateName): string => translated(states[state].word);
export const stateWordInside = (state: StateName): string => translated(states[state].word.toLowerCase());
export const stateMeans = (state: StateName): string => translated(states[state].means);
