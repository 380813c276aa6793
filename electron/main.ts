import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { app } from "electron";
import { systemClock } from "../shared/basics/system-clock.ts";
import { createApp } from "./app.ts";
import { defaultDataFolder } from "./desktop/default-folders.ts";
import { electronDesktop } from "./desktop/electron-desktop.ts";
import { openSettings } from "./desktop/settings.ts";
import { findFarms } from "./start/find-farms.ts";

/** The studio's public key is in the package; without it no update is accepted. */
const readUpdateKey = (resources: string | undefined): string | undefined => {
  const file = join(resources ?? "", "update-key.pem");
  return resources !== undefined && existsSync(file) ? readFileSync(file, "utf8") : undefined;
};

/** The desktop app's main process: passes Electron's events to the app and decides nothing. */
app.setName("Mediafarm");
// Set here, because a clone would be called "Electron"; Chromium's own switch still takes precedence.
if (!app.commandLine.hasSwitch("user-data-dir")) {
  app.setPath("userData", join(app.getPath("appData"), "mediafarm", "desktop"));
}
const userData = app.getPath("userData");
const home = homedir();
const desktop = electronDesktop(userData, process.env);
const mediafarm = createApp({
  desktop,
  clock: systemClock,
  settings: openSettings(userData),
  home,
  dataFolder: process.env.MEDIAFARM_DATA ?? defaultDataFolder(home),
  resourcesDir: app.isPackaged ? join(process.resourcesPath, "tools") : undefined,
  fetch,
  logBug: console.error,
  findFarms: () => findFarms(console.error),
  updateKey: readUpdateKey(process.resourcesPath),
});

app.enableSandbox();
app.on("before-quit", (event) => {
  if (desktop.isExiting()) return;
  event.preventDefault();
  void mediafarm.quit();
});
app.on("activate", () => mediafarm.showWindow());
app.on("window-all-closed", () => {}); // lending goes on without a window
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => void mediafarm.quit());

// Not awaited: Electron becomes ready only after this module has been evaluated.
void app.whenReady().then(() => {
  if (!mediafarm.start()) app.exit(0);
});
