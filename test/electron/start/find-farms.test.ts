import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { announceFarm, isWorthAnnouncing } from "../../../coordinator/announce-farm.ts";
import { isIdleTimeReliable } from "../../../electron/desktop/idle-time-support.ts";
import { autostartEntry, setLinuxAutostart } from "../../../electron/desktop/start-at-login.ts";
import { findFarms } from "../../../electron/start/find-farms.ts";
import { until } from "../../helpers/processes/farm-processes.ts";

test("a farm that announces itself is found by its name and address", async () => {
  const problems: unknown[] = [];
  const name = `Studio ${process.pid}`;
  const silence = await announceFarm({ name, port: 18_700, onProblem: (problem) => problems.push(problem) });
  const farms = findFarms((problem) => problems.push(problem));
  onTestFinished(async () => {
    farms.stop();
    await silence();
  });
  await until("the farm", () => farms.found().some((farm) => farm.name === name));
  expect(farms.found().find((farm) => farm.name === name)?.address).toMatch(/:18700$/);
  expect(problems).toEqual([]);
});

test.each([
  ["127.0.0.1", false],
  ["localhost", false],
  ["::1", false],
  ["0.0.0.0", true],
  ["192.168.1.5", true],
])("a farm at %s is announced: %s", (host, isWorth) => {
  expect(isWorthAnnouncing(host)).toBe(isWorth);
});

test("idle time is not believed under Wayland alone", () => {
  expect([
    isIdleTimeReliable("linux", { XDG_SESSION_TYPE: "x11", DISPLAY: ":0" }),
    isIdleTimeReliable("linux", { XDG_SESSION_TYPE: "wayland" }),
    isIdleTimeReliable("linux", { WAYLAND_DISPLAY: "wayland-0" }),
    isIdleTimeReliable("darwin", {}),
    isIdleTimeReliable("win32", {}),
  ]).toEqual([true, false, false, true, true]);
});

test("Linux desktops start the app at login by a file of their own folder", () => {
  const folder = mkdtempSync(join(tmpdir(), "mediafarm-login-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "autostart/mediafarm.desktop");
  setLinuxAutostart(folder, '/opt/100% "Media"/mediafarm', true);
  expect(readFileSync(file, "utf8")).toContain('\nExec="/opt/100%% \\"Media\\"/mediafarm" --hidden\n');
  expect(autostartEntry("/opt/mediafarm")).toMatch(/^\[Desktop Entry\]\nType=Application\n/);
  setLinuxAutostart(folder, "/opt/mediafarm", false);
  expect(() => readFileSync(file)).toThrow("ENOENT");
});
