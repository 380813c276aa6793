import { t } from "@lingui/core/macro";
import { generateMessageId } from "@lingui/message-utils/generateMessageId";
import { AppError, messageOf } from "../../shared/basics/errors.ts";
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

/** Why something was refused: sentences of `shared/people/refusals.ts` are translated, all others stay as they were said. */
export const refusalText = (problem: unknown): string => refusalWords(messageOf(problem));

/** What is wrong with one field of a request; undefined: nothing. */
export const faultText = (problem: unknown, field: string): string | undefined => {
  const found = problem instanceof AppError ? problem.details.find(({ path }) => path === field) : undefined;
  return found && refusalWords(found.message);
};

/** Such a sentence, where the answer to a question holds it. */
export const refusalWords = (text: string): string =>
  i18n.messages[generateMessageId(text)] === undefined ? text : translated(text);

/** A state's word: on its own, and inside a sentence. */
export const stateWord = (state: StateName): string => translated(states[state].word);
export const stateWordInside = (state: StateName): string => translated(states[state].word.toLowerCase());
export const stateMeans = (state: StateName): string => translated(states[state].means);

/** How jobs ended that did not complete. */
export type Ends = { readonly failed: boolean; readonly stopped: boolean };

/** The button that runs again what did not complete: what a person stopped did not fail. */
export const retryWord = ({ failed, stopped }: Ends): string => {
  if (!stopped) return t`Retry failed`;
  return failed ? t`Retry` : t`Retry stopped`;
};
