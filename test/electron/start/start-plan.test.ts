import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { findElectron } from "../../../electron/start/electron-binary.ts";
import {
  browserCommand,
  hasDisplay,
  isWorthFetching,
  planStart,
  reachWords,
  type StartFacts,
} from "../../../electron/start/start-plan.ts";

const good: StartFacts = {
  platform: "linux",
  hasDisplay: true,
  isRoot: false,
  wantsBrowser: false,
  binary: { path: "/electron" },
};
const missing = { missing: "Electron's program has not been fetched" };

test.each<[string, Partial<StartFacts>, string, string]>([
  ["program and display", {}, "electron", "Electron's program and a display are available"],
  ["no program", { binary: missing }, "browser", missing.missing],
  ["no display", { hasDisplay: false }, "browser", "there is no display (neither DISPLAY nor WAYLAND_DISPLAY is set)"],
  [
    "neither",
    { hasDisplay: false, binary: missing },
    "browser",
    "there is no display (neither DISPLAY nor WAYLAND_DISPLAY is set)",
  ],
  ["root on Linux", { isRoot: true }, "browser", "the desktop app's sandbox does not run as root"],
  ["root on macOS", { isRoot: true, platform: "darwin" }, "electron", "Electron's program and a display are available"],
  ["asked for the browser", { wantsBrowser: true }, "browser", "--browser was given"],
])("%s", (_, facts, start, why) => {
  expect(planStart({ ...good, ...facts })).toMatchObject({ start, why });
});

test("the program is fetched only where it would run", () => {
  expect(isWorthFetching(good)).toBe(true);
  for (const facts of [{ hasDisplay: false }, { isRoot: true }, { wantsBrowser: true }]) {
    expect(isWorthFetching({ ...good, ...facts })).toBe(false);
  }
});

test("only Linux tells of a display by variables", () => {
  expect(hasDisplay("linux", {})).toBe(false);
  expect(hasDisplay("linux", { DISPLAY: ":0" })).toBe(true);
  expect(hasDisplay("linux", { WAYLAND_DISPLAY: "wayland-0" })).toBe(true);
  expect(hasDisplay("darwin", {})).toBe(true);
  expect(hasDisplay("win32", {})).toBe(true);
});

test("a farm without a display that only its machine reaches says how to reach it from elsewhere", () => {
  const words = reachWords("http://127.0.0.1:8712/", "rack-7", false);
  expect(words).toContain("ssh -N -L 8712:127.0.0.1:8712 rack-7");
  expect(words).toContain("npm start -- --host 0.0.0.0");
  expect(reachWords("http://127.0.0.1:8712/", "rack-7", true)).toBeUndefined();
  expect(reachWords("https://rack-7:8712/", "rack-7", false)).toBeUndefined();
});

test("each system has its own way to open an address", () => {
  const url = "http://127.0.0.1:8700/?a=1&b=2";
  expect(browserCommand("linux", url)).toEqual({ program: "xdg-open", words: [url] });
  expect(browserCommand("darwin", url)).toEqual({ program: "open", words: [url] });
  expect(browserCommand("win32", url)).toEqual({
    program: "cmd",
    words: ["/c", "start", '""', "http://127.0.0.1:8700/?a=1^&b=2"],
  });
});

test("Electron's program is looked for without loading its package", () => {
  const folder = mkdtempSync(join(tmpdir(), "mediafarm-electron-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  expect(findElectron({}, folder)).toEqual(missing);
  expect(findElectron({ ELECTRON_OVERRIDE_DIST_PATH: folder }, folder)).toHaveProperty("missing");

  writeFileSync(join(folder, "path.txt"), "app");
  expect(findElectron({}, folder)).toEqual(missing);
  mkdirSync(join(folder, "dist"));
  writeFileSync(join(folder, "dist/app"), "");
  expect(findElectron({}, folder)).toEqual({ path: join(folder, "dist/app") });
  expect(findElectron({ ELECTRON_OVERRIDE_DIST_PATH: join(folder, "dist") }, folder)).toEqual({
    path: join(folder, "dist/app"),
  });
});
