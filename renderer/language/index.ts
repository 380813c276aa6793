import { setupI18n } from "@lingui/core";
import { languageFor, languages, loadEnglish } from "./languages.ts";

/**
 * The language of this page. It is loaded before any module that has texts is evaluated, since all of them import this
 * one: texts may stand in tables at the top of a file. Another choice reloads the page.
 */
export const i18n = setupI18n();

const key = "mediafarm.language";
const inBrowser = typeof document !== "undefined";

/** The choice stored in this browser; null: the browser's own language. */
export const keptLanguage = (): string | null => (inBrowser ? localStorage.getItem(key) : null);

export const chooseLanguage = (name: string | null): void => {
  sessionStorage.removeItem(key);
  if (name === null) localStorage.removeItem(key);
  else localStorage.setItem(key, name);
  location.reload();
};

/** `?lang=` in the address applies to the tab. It is removed, because the router would read it as its own. */
const askedLanguage = (): string | null => {
  const address = new URL(location.href);
  const asked = address.searchParams.get("lang");
  if (asked !== null) {
    sessionStorage.setItem(key, asked);
    address.searchParams.delete("lang");
    history.replaceState(history.state, "", address);
  }
  return sessionStorage.getItem(key);
};

/** Its name in the table of languages, which is its tag. */
export const language: string = inBrowser
  ? languageFor({
      asked: askedLanguage(),
      kept: keptLanguage(),
      wanted: navigator.languages,
    })
  : "en";

const { formats = language, isRightToLeft, load } = languages[language] ?? {};

/** The locale of numbers and times. */
export const locale: string = formats;

// Tests have no catalogue: their texts are those of the sources. English is better than no page.
const { messages } = inBrowser && load ? await load().catch(loadEnglish) : { messages: {} };
i18n.loadAndActivate({ locale: language, locales: locale, messages });
if (inBrowser) {
  document.documentElement.lang = language;
  document.documentElement.dir = isRightToLeft ? "rtl" : "ltr";
}
