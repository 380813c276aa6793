import type { Messages } from "@lingui/core";

export type Language = {
  /** Its name in the language itself. */
  readonly name: string;
  /** The locale of numbers and times, if it differs from the language's tag. */
  readonly formats?: string;
  readonly isRightToLeft?: true;
  /** Only for developers: no browser asks for it and no page offers it. */
  readonly isHidden?: true;
  readonly load: () => Promise<{ readonly messages: Messages }>;
};

export const loadEnglish = () => import("./catalogues/en.po");

const loadPseudo = async () => {
  const [{ pseudoMessages }, { messages }] = await Promise.all([import("./pseudo.ts"), loadEnglish()]);
  return { messages: pseudoMessages(messages) };
};

/** The languages of the pages. Adding one is its catalogue and one line here: docs/translating.md. */
export const languages: Readonly<Record<string, Language>> = {
  en: { name: "English", formats: "en-GB", load: loadEnglish },
  de: { name: "Deutsch", load: () => import("./catalogues/de.po") },
  fr: { name: "Français", load: () => import("./catalogues/fr.po") },
  // Accented English in brackets, with the formats of a script that nobody confuses with English.
  "en-XA": { name: "[Ēñĝļîšĥ]", formats: "el", isHidden: true, load: loadPseudo },
};

/** The language that somebody asked for, else the one that was kept, else the first wanted one that there is. */
export const languageFor = ({
  asked,
  kept,
  wanted,
}: {
  readonly asked: string | null;
  readonly kept: string | null;
  readonly wanted: readonly string[];
}): string => {
  const known = [asked, kept].find((each) => each !== null && Object.hasOwn(languages, each));
  if (known) return known;
  for (const each of wanted) {
    const found = Object.keys(languages).find((name) => !languages[name]?.isHidden && isOf(each, name));
    if (found) return found;
  }
  return "en";
};

/** Whether a wanted tag is this language, maybe of a certain country: "de-AT" is "de". */
const isOf = (wanted: string, name: string): boolean =>
  wanted.toLowerCase() === name.toLowerCase() || wanted.toLowerCase().startsWith(`${name.toLowerCase()}-`);
