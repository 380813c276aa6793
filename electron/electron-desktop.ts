import { createWriteStream, mkdirSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";
import {
  app,
  clipboard,
  dialog,
  ipcMain,
  Menu,
  type MenuItemConstructorOptions,
  nativeImage,
  shell,
  Tray,
  utilityProcess,
} from "electron";
import type { Desktop, MenuEntry, ServiceName } from "./desktop.ts";
import { trayIcon } from "./tray-icon.ts";
import { openWindow } from "./windows.ts";

/** A service's log is put aside when it has grown to this, so that two of them are the most that is kept. */
const logLimit = 8 * 1024 * 1024;

export type ElectronDesktop = Desktop & { readonly isExiting: () => boolean };

/** The Desktop as Electron has it. Nothing is decided here: each line hands one wish on. */
export const electronDesktop = (userData: string): ElectronDesktop => {
  let isExiting = false;
  return {
    version: app.getVersion(),
    platform: process.platform,
    isExiting: () => isExiting,
    takeSingleInstance: (onSecondStart) => {
      if (!app.requestSingleInstanceLock()) return false;
      app.on("second-instance", onSecondStart);
      return true;
    },
    openWindow,
    openTray: (onClick) => openTray(onClick),
    setMenu: (entries) => Menu.setApplicationMenu(menuOf(entries)),
    startService: (name, { onMessage, onExit }) => {
      const child = utilityProcess.fork(join(import.meta.dirname, `${name}-process.js`), [], {
        serviceName: `Mediafarm ${name}`,
        stdio: ["ignore", "ignore", "pipe"],
      });
      child.stderr?.pipe(openLog(join(userData, "logs"), name));
      child.on("message", onMessage);
      child.on("exit", onExit);
      return { post: (message) => child.postMessage(message), kill: () => child.kill() };
    },
    handle: (channel, answer) =>
      ipcMain.handle(channel, ({ senderFrame }, input) =>
        answer({ url: senderFrame?.url, isMainFrame: senderFrame !== null && senderFrame.parent === null }, input),
      ),
    openExternal: (url) => void shell.openExternal(url),
    openFolder: (folder) => void shell.openPath(folder),
    showInFolder: (path) => shell.showItemInFolder(path),
    ask: async ({ message, detail, buttons }) => {
      const last = buttons.length - 1;
      const { response } = await dialog.showMessageBox({ message, detail, buttons: [...buttons], cancelId: last });
      return response;
    },
    chooseFolder: async (title) => {
      const { filePaths } = await dialog.showOpenDialog({ title, properties: ["openDirectory", "createDirectory"] });
      return filePaths[0];
    },
    copiedText: () => clipboard.readText(),
    showProblem: (title, words) => void dialog.showMessageBox({ type: "warning", message: title, detail: words }),
    exit: () => {
      isExiting = true;
      app.quit();
    },
  };
};

const openTray = (onClick: () => void) => {
  try {
    const tray = new Tray(nativeImage.createFromDataURL(trayIcon));
    tray.on("click", onClick);
    return {
      show: ({ tooltip, entries }: { readonly tooltip: string; readonly entries: readonly MenuEntry[] }) => {
        tray.setToolTip(tooltip);
        tray.setContextMenu(menuOf(entries));
      },
    };
  } catch {
    return undefined; // some desktops have none; the window's menu offers the same
  }
};

const menuOf = (entries: readonly MenuEntry[]): Menu => Menu.buildFromTemplate(entries.map(itemOf));

const itemOf = (entry: MenuEntry): MenuItemConstructorOptions => {
  if ("separator" in entry) return { type: "separator" };
  // The roles of menu.ts are Electron's own; its list of them is no type that plain Node could check.
  if ("role" in entry) return { role: entry.role as MenuItemConstructorOptions["role"] };
  const { label, keys, isEnabled = true, click, entries } = entry;
  return { label, accelerator: keys, enabled: isEnabled, click, submenu: entries?.map(itemOf) };
};

const openLog = (folder: string, name: ServiceName) => {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${name}.log`);
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size > logLimit) renameSync(file, `${file}.1`);
  return createWriteStream(file, { flags: "a", mode: 0o600 });
};
