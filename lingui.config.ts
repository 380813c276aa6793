import { defineConfig } from "@lingui/cli";
import babel from "@lingui/cli/api/extractors/babel";
import { formatter } from "@lingui/format-po";
import { generateMessageId } from "@lingui/message-utils/generateMessageId";
import { languages } from "./renderer/language/languages.ts";

/** Texts of tables in `shared/`, which pages show and which know nothing of translations. */
const tables = {
  match: (file: string) => file.endsWith("/language/tables.ts"),
  extract: async (
    file: string,
    _code: string,
    found: (text: { id: string; message: string; origin: [string, number] }) => void,
  ) => {
    const { tableTexts } = await import("./renderer/language/tables.ts");
    for (const text of tableTexts()) found({ id: generateMessageId(text), message: text, origin: [file, 1] });
  },
};

/** Where texts of the pages are found, and where translators put theirs; docs/translating.md explains it. */
export default defineConfig({
  sourceLocale: "en",
  locales: Object.keys(languages).filter((name) => !languages[name]?.isHidden),
  // What nobody has translated yet is English.
  fallbackLocales: { default: "en" },
  catalogs: [
    {
      path: "renderer/language/catalogues/{locale}",
      include: ["renderer/**/*.ts", "renderer/**/*.tsx"],
      exclude: ["renderer/dist/**"],
    },
  ],
  // The language is loaded before any module that has texts: all of them import it.
  runtimeConfigModule: { i18n: ["#language", "i18n"] },
  format: formatter({ lineNumbers: false }),
  orderBy: "message",
  extractors: [tables, babel],
});
