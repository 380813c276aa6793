import { french } from "./french.ts";
import { german } from "./german.ts";
import type { AppText } from "./texts.ts";

export type Say = (text: AppText, values?: Readonly<Record<string, string | number>>) => string;

/** The languages of the app itself, by the first part of their tags; all others hear English. */
const languages: Readonly<Record<string, Readonly<Record<AppText, string>>>> = { de: german, fr: french };

export const appLanguageOf = (locale: string): string => {
  const [tag = ""] = locale.toLowerCase().split(/[-_]/);
  return Object.hasOwn(languages, tag) ? tag : "en";
};

/** Says texts in the language of a locale such as `de-AT`. */
export const sayIn = (locale: string): Say => {
  const table = languages[appLanguageOf(locale)];
  return (text, values = {}) =>
    (table?.[text] ?? text).replaceAll(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
};
