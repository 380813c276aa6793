import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openSettings } from "../../../electron/desktop/settings.ts";
import { gentleRules } from "../../../shared/lending/lending.ts";

const aFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "mediafarm-settings-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
};

test("without a file there are defaults, and nothing is written", () => {
  const folder = aFolder();
  expect(openSettings(folder).get()).toEqual({
    farm: { mode: "none" },
    lending: { ...gentleRules, onReturn: process.platform === "win32" ? "finish" : "suspend" },
    press: null,
    startAtLogin: false,
    notices: ["soon", "diskLow", "failed"],
    updateFeed: null,
    isRunning: false,
    onClose: "ask",
  });
  expect(existsSync(join(folder, "settings.json"))).toBe(false);
});

test("a change is there at the next start, for its user's eyes only", () => {
  const folder = aFolder();
  openSettings(folder).change({ roots: ["/media"], slots: 2 });
  expect(openSettings(folder).get()).toMatchObject({ roots: ["/media"], slots: 2 });
  expect(statSync(join(folder, "settings.json")).mode & 0o777).toBe(0o600);
});

test.each(["{", "[]", '{"slots":"many"}', '{"unknown":1}'])("a damaged file (%s) is put aside and said", (text) => {
  const folder = aFolder();
  const file = join(folder, "settings.json");
  writeFileSync(file, text);
  const settings = openSettings(folder);
  expect(settings.problem).toContain(`${file}.damaged`);
  expect(settings.get().slots).toBeUndefined();
  expect(readFileSync(`${file}.damaged`, "utf8")).toBe(text);
});

test("a value that the file could not be read with is refused before it is written", () => {
  const settings = openSettings(aFolder());
  expect(() => settings.change({ slots: -1 })).toThrow();
  expect(settings.get().slots).toBeUndefined();
});

test.each([
  [true, null],
  [false, { do: "stop", until: null }],
])("the one word that earlier versions kept for lending (%s) is read as a press", (isLending, press) => {
  const folder = aFolder();
  writeFileSync(join(folder, "settings.json"), JSON.stringify({ isLending, slots: 3 }));
  const settings = openSettings(folder);
  expect([settings.problem, settings.get().press, settings.get().slots]).toEqual([undefined, press, 3]);
});
