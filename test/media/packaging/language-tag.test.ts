import { expect, test } from "vitest";
import { languageTag } from "../../../media/packaging/language-tag.ts";

test.each([
  ["eng", "en"],
  ["ger", "de"],
  ["gsw", "gsw"],
  ["und", "und"],
  ["en-gb", "en-GB"],
  ["not a language", "not a language"],
])("%s is written as %s", (language, tag) => {
  expect(languageTag(language)).toBe(tag);
});
