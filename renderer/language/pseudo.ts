import type { Messages } from "@lingui/core";

const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
const accented = "åƀçðéƒĝĥîĵķļɱñôþǫŕšţûṽŵẋýžÅƁÇÐÉƑĜĤÎĴĶĻṀÑÔÞǪŔŠŢÛṼŴẊÝŽ";
const accents = new Map([...plain].map((letter, at) => [letter, [...accented][at] ?? letter]));

const inAccents = (text: string): string => [...text].map((letter) => accents.get(letter) ?? letter).join("");

/** Tags of elements inside a text stay as they are. */
export const pseudoText = (text: string): string =>
  text
    .split(/(<\/?\w+\/?>)/)
    .map((part, at) => (at % 2 === 0 ? inAccents(part) : part))
    .join("");

/** One part of a compiled message: a text, a value by its name, or a choice such as a plural with a text for each form. */
type Token = string | readonly [name: string, kind?: string, forms?: unknown];

const pseudoToken = (token: Token): Token => {
  if (typeof token === "string") return pseudoText(token);
  const [name, kind, forms] = token;
  if (forms === null || typeof forms !== "object") return token;
  const made = Object.entries(forms).map(([form, text]) => [form, inForm(text)]);
  return [name, kind ?? "", Object.fromEntries(made)];
};

/** The text of one form: an array of tokens, a text alone, or an offset, which is a number. */
const inForm = (form: unknown): unknown => {
  if (Array.isArray(form)) return form.map((token: Token) => pseudoToken(token));
  return typeof form === "string" ? pseudoText(form) : form;
};

const lengthOf = (tokens: readonly Token[]): number =>
  tokens.reduce((sum, token) => sum + (typeof token === "string" ? token.length : 8), 0);

/** A message as pseudo-language: accented, 40 % longer, and in brackets that show where it begins and ends. */
const pseudo = (message: string | readonly Token[]): Token[] => {
  const tokens = typeof message === "string" ? [message] : message;
  return ["⟦", ...tokens.map(pseudoToken), `${"·".repeat(Math.ceil(lengthOf(tokens) * 0.4))}⟧`];
};

/** A catalogue of pseudo-language: a text that stays plain English on a page cannot be translated. */
export const pseudoMessages = (messages: Messages): Messages =>
  Object.fromEntries(Object.entries(messages).map(([id, message]) => [id, pseudo(message as Token[])])) as Messages; // compiled as `Token` says
