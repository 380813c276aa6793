import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { _electron, type ElectronApplication, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildApp } from "../../electron/build.ts";
import { openSettings } from "../../electron/desktop/settings.ts";
import { findElectron } from "../../electron/start/electron-binary.ts";
import { hasDisplay } from "../../electron/start/start-plan.ts";
import type { Bridge } from "../../shared/desktop/ipc.ts";
import type { LendingAction } from "../../shared/lending/lending.ts";
import { until } from "../helpers/processes/farm-processes.ts";

/** The built app in a real Electron. Where it cannot run, each test is skipped with the reason in its name. */
const binary = findElectron(process.env);
const missing =
  "missing" in binary ? binary.missing : hasDisplay(process.platform, process.env) ? undefined : "there is no display";
const why = missing === undefined ? "" : ` (SKIPPED: ${missing})`;
if (missing !== undefined) console.warn(`\nTHE DESKTOP APP WAS NOT TRIED IN A REAL ELECTRON: ${missing}\n`);

describe.skipIf(missing !== undefined)(`in a real Electron${why}`, () => {
  const folder = mkdtempSync(join(tmpdir(), "mediafarm-e2e-"));
  let app: ElectronApplication;
  let page: Page;

  beforeAll(async () => {
    await buildApp();
    openSettings(join(folder, "user-data")).change({ farm: { mode: "farm", port: 0 }, onClose: "quit" });
    app = await _electron.launch({
      executablePath: "path" in binary ? binary.path : "",
      args: [join(import.meta.dirname, "../../electron/dist/main.js"), `--user-data-dir=${join(folder, "user-data")}`],
      env: {
        ...(process.env as Record<string, string>), // what is undefined is not in it
        HOME: folder,
        XDG_CONFIG_HOME: join(folder, "config"),
        MEDIAFARM_DATA: join(folder, "data"),
      },
    });
    page = await app.firstWindow();
    await page.waitForURL(/^http:\/\/127\.0\.0\.1:\d+\//);
  });
  afterAll(async () => {
    await app?.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  const inPage = (name: "getComputer" | "press", press: LendingAction | null = null) =>
    page.evaluate(
      async ([channel, given]) => {
        // The page's own global, which this program does not have.
        const { mediafarm } = globalThis as unknown as { mediafarm: Bridge };
        return channel === "getComputer" ? mediafarm.getComputer({}) : mediafarm.press({ press: given });
      },
      [name, press] as const,
    );

  test(`the window shows the farm's page, which has no Node${why}`, async () => {
    expect(await page.evaluate(() => [typeof process, typeof require])).toEqual(["undefined", "undefined"]);
  });

  test(`the page stops and starts lending over the bridge${why}`, async () => {
    await until("a lend state", async () => (await inPage("getComputer")).report !== null);
    expect(await inPage("press", { do: "stop", until: null })).toMatchObject({ press: { do: "stop" } });
    await until("the stop", async () => (await inPage("getComputer")).state === "stopped");
    expect(await inPage("press", null)).toMatchObject({ press: null });
  });

  test(`the page cannot leave the farm's origin or open windows${why}`, async () => {
    const before = page.url();
    await page.evaluate('location.href = "file:///etc/passwd"; open("file:///etc/passwd"); undefined');
    await page.evaluate("new Promise((resolve) => requestAnimationFrame(resolve))");
    expect([page.url(), app.windows().length]).toEqual([before, 1]);
  });

  test(`quitting ends the farm${why}`, async () => {
    const url = page.url();
    await app.close();
    await expect(fetch(url)).rejects.toThrow();
    expect(existsSync(join(folder, "user-data/logs/coordinator.log"))).toBe(true);
  });
});
