import type { AlertKind, AlertLanguage, AlertReason } from "../../../shared/outbound/alerts.ts";
import { english } from "./english.ts";
import { french } from "./french.ts";
import { german } from "./german.ts";

/** What alerts say in one language. Names and numbers stand in braces. */
export type AlertWords = {
  /** Of one thing by its name, of many by their number; and once it, or they, are over. */
  readonly kinds: Readonly<Record<AlertKind, { readonly [K in "one" | "many" | "over" | "allOver"]: string }>>;
  readonly reasons: Readonly<Record<AlertReason, string>>;
} & { readonly [K in "farm" | "coordinator" | "webhook" | "more" | "test" | "testOf" | "works"]: string };

const languages: Readonly<Record<AlertLanguage, AlertWords>> = { en: english, de: german, fr: french };

export const alertWords = (language: AlertLanguage): AlertWords => languages[language];

export type AlertValues = Readonly<Record<string, string | number>>;

/** A text with its values; what has none stays as it is. */
export const filled = (text: string, values: AlertValues): string =>
  text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
