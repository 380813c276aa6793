import { readFileSync } from "node:fs";
import { join } from "node:path";
import { generateMessageId } from "@lingui/message-utils/generateMessageId";
import { afterEach, expect, test } from "vitest";
import { i18n } from "../../renderer/language/index.ts";
import { faultText, refusalText } from "../../renderer/language/words.ts";
import { AppError } from "../../shared/basics/errors.ts";
import { signInRefusals } from "../../shared/people/refusals.ts";

afterEach(() => i18n.loadAndActivate({ locale: "en", messages: {} }));

const catalogues = join(import.meta.dirname, "../../renderer/language/catalogues");

const speak = (locale: string): void => {
  const text = readFileSync(join(catalogues, `${locale}.po`), "utf8");
  const pairs = text.matchAll(/^msgid (".*")\nmsgstr (".+")$/gm);
  const messages = [...pairs].map(([, id = "", said = ""]) => [generateMessageId(JSON.parse(id)), JSON.parse(said)]);
  i18n.loadAndActivate({ locale, messages: Object.fromEntries(messages) });
};

test.each(["de", "fr"])("refusals of signing in are all told in %s", (locale) => {
  speak(locale);
  const said = Object.values(signInRefusals).map((text) => refusalText(new AppError("NOT_ALLOWED", text)));
  expect(said.filter((text) => Object.values<string>(signInRefusals).includes(text))).toEqual([]);
  const details = [{ path: "password", message: signInRefusals.wrongPassword }];
  const wrong = new AppError("VALIDATION_FAILED", "password: is wrong", { details });
  expect(faultText(wrong, "password")).not.toBe(signInRefusals.wrongPassword);
  expect([faultText(wrong, "name"), faultText(undefined, "name")]).toEqual([undefined, undefined]);
});

test("what else the API says stays as it was said, whatever is in it", () => {
  speak("de");
  for (const text of ['There is no webhook "x"', "{name, plural, one {", "it's '{0}'", "<0>x</0>"])
    expect(refusalText(new Error(text))).toBe(text);
});
