import type { AlertLanguage } from "../../../shared/outbound/alerts.ts";
import type { AlertTexts } from "./alert-texts.ts";
import { english } from "./english.ts";
import { french } from "./french.ts";
import { german } from "./german.ts";

const languages: Readonly<Record<AlertLanguage, AlertTexts>> = { en: english, de: german, fr: french };

export const alertWords = (language: AlertLanguage): AlertTexts => languages[language];

export type AlertValues = Readonly<Record<string, string | number>>;

/** A text with its values; what has none stays as it is. */
export const filled = (text: string, values: AlertValues): string =>
  text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
