import { setupI18n } from "@lingui/core";
import { describe, expect, test } from "vitest";
import { languageFor } from "../../renderer/language/languages.ts";
import { pseudoMessages } from "../../renderer/language/pseudo.ts";

describe("the pages' language", () => {
  const none = { asked: null, kept: null, wanted: [] };

  test("is the one asked for, else the kept one, else the first wanted one that there is, else English", () => {
    expect(languageFor({ asked: "en-XA", kept: "en", wanted: ["en"] })).toBe("en-XA");
    expect(languageFor({ ...none, kept: "en", wanted: ["fr"] })).toBe("en");
    expect(languageFor({ ...none, wanted: ["tlh", "de-AT", "en"] })).toBe("de");
    expect(languageFor({ ...none, wanted: ["tlh", "en-AU", "de"] })).toBe("en");
    expect(languageFor({ ...none, asked: "tlh", wanted: ["tlh"] })).toBe("en");
  });

  test("is never the pseudo-language unasked, nor one by the name of something else", () => {
    expect(languageFor({ ...none, wanted: ["en-XA"] })).toBe("en");
    expect(languageFor({ ...none, asked: "toString", wanted: [] })).toBe("en");
  });
});

test("the pseudo-language keeps values, tags and plurals, and makes everything else longer and unlike English", () => {
  const said = (message: unknown, values: Record<string, unknown>) => {
    const i18n = setupI18n();
    // Compiled messages, as a catalogue has them.
    i18n.loadAndActivate({ locale: "en", messages: pseudoMessages({ text: message } as never) });
    return i18n._("text", values);
  };
  const jobs = { one: ["#", " job"], other: ["#", " jobs"] };
  expect(said(["Stop <0>it</0> by ", ["name"]], { name: "Mira" })).toMatch(/^⟦Šţôþ <0>îţ<\/0> ƀý Mira·+⟧$/);
  expect(said([["count", "plural", jobs], " wait"], { count: 1 })).toMatch(/^⟦1 ĵôƀ ŵåîţ·+⟧$/);
  expect(said([["count", "plural", jobs], " wait"], { count: 3 })).toMatch(/^⟦3 ĵôƀš ŵåîţ·+⟧$/);
});
