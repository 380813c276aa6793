import { describe, expect, test } from "vitest";
import { french } from "../../../electron/language/french.ts";
import { german } from "../../../electron/language/german.ts";
import { appLanguageOf, sayIn } from "../../../electron/language/say.ts";
import { appTexts } from "../../../electron/language/texts.ts";
import { trayPicture } from "../../../electron/menu/tray.ts";
import { firstRunPage } from "../../../electron/window/first-run.ts";

const valuesIn = (text: string): string[] => [...text.matchAll(/\{\w+\}/g)].map(([value]) => value).sort();

describe.each(Object.entries({ german, french }))("%s", (_, table) => {
  test.each(appTexts)("keeps the values of %j", (text) => {
    expect(valuesIn(table[text])).toEqual(valuesIn(text));
    expect(table[text].trim()).not.toBe("");
  });
});

test("the system's language is spoken if there is one, else English", () => {
  expect(["de-AT", "fr_CA", "DE", "en-GB", "tlh", "constructor"].map(appLanguageOf)).toEqual([
    "de",
    "fr",
    "de",
    "en",
    "en",
    "en",
  ]);
  expect(sayIn("de-AT")("Lending, {count} tasks", { count: 3 })).toBe("Freigegeben, 3 Tasks laufen");
  expect(sayIn("fr")("Stop Lending")).toBe("Arrêter la mise à disposition");
  expect(sayIn("nl")("Lending, {count} tasks", { count: 3 })).toBe("Lending, 3 tasks");
});

test("the first page says its language, and shows a folder as text", () => {
  const page = decodeURIComponent(firstRunPage("/home/a<b>", "de-DE"));
  expect(page).toContain('<html lang="de">');
  expect(page).toContain("<h1>Willkommen bei Mediafarm</h1>");
  expect(page).toContain("<code>/home/a&#60;b&#62;</code>");
  expect(page).not.toContain("<b>");
});

test("the tray's picture says whether it lends, holds tasks or is off", () => {
  const report = (running: number, isSuspended: boolean) =>
    ({ running: Array.from({ length: running }), standing: { isSuspended } }) as never;
  expect(trayPicture({ state: "lending", report: report(0, false) })).toBe("lending");
  expect(trayPicture({ state: "inUse", report: report(2, true) })).toBe("held");
  expect(trayPicture({ state: "outOfHours", report: report(1, false) })).toBe("lending"); // it finishes
  expect(trayPicture({ state: "inUse", report: report(0, false) })).toBe("off");
  expect(trayPicture({ state: "starting", report: null })).toBe("off");
});
