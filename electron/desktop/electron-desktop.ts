import { createWriteStream, mkdirSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";
import {
  app,
  clipboard,
  dialog,
  globalShortcut,
  ipcMain,
  Menu,
  type MenuItemConstructorOptions,
  Notification,
  nativeImage,
  powerMonitor,
  powerSaveBlocker,
  shell,
  Tray,
  utilityProcess,
} from "electron";
import { addressIn, scheme } from "../addresses/deep-link.ts";
import { createAppUpdater } from "./app-updater.ts";
import type { Desktop, MenuEntry, Notice, ServiceName, TrayFace } from "./desktop.ts";
import { isIdleTimeReliable } from "./idle-time-support.ts";
import { openWindow } from "./open-window.ts";
import { setLinuxAutostart } from "./start-at-login.ts";
import { type TrayPicture, trayIcons } from "./tray-icon.ts";

/** A service's log is rotated at this size; at most two files are kept. */
const logLimit = 8 * 1024 * 1024;

type Environment = Readonly<Record<string, string | undefined>>;

export type ElectronDesktop = Desktop & { readonly isExiting: () => boolean };

/** Electron as the Desktop. It decides nothing: each line forwards one call. */
export const electronDesktop = (userData: string, env: Environment): ElectronDesktop => {
  let isExiting = false;
  return {
    version: app.getVersion(),
    get locale() {
      return app.getLocale(); // known once the app is ready
    },
    platform: process.platform,
    updater: app.isPackaged ? createAppUpdater(async () => (await import("electron-updater")).autoUpdater) : undefined,
    isExiting: () => isExiting,
    openWindow,
    openTray: (onClick) => openTray(onClick),
    setMenu: (entries) => Menu.setApplicationMenu(menuOf(entries)),
    notify,
    handle: (channel, answer) =>
      ipcMain.handle(channel, ({ senderFrame }, input) =>
        answer({ url: senderFrame?.url, isMainFrame: senderFrame !== null && senderFrame.parent === null }, input),
      ),
    ...services(userData),
    ...otherPrograms,
    ...dialogs,
    ...power(env),
    ...starts(env),
    exit: () => {
      isExiting = true;
      app.quit();
    },
  };
};

const services = (userData: string): Pick<Desktop, "startService"> => ({
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
});

const otherPrograms: Pick<Desktop, "openExternal" | "openFolder" | "showInFolder" | "copiedText"> = {
  openExternal: (url) => void shell.openExternal(url),
  openFolder: (folder) => void shell.openPath(folder),
  showInFolder: (path) => shell.showItemInFolder(path),
  copiedText: () => clipboard.readText(),
};

const dialogs: Pick<Desktop, "ask" | "chooseFolder" | "showProblem"> = {
  ask: async ({ message, detail, buttons }) => {
    const last = buttons.length - 1;
    const { response } = await dialog.showMessageBox({ message, detail, buttons: [...buttons], cancelId: last });
    return response;
  },
  chooseFolder: async (title) => {
    const { filePaths } = await dialog.showOpenDialog({ title, properties: ["openDirectory", "createDirectory"] });
    return filePaths[0];
  },
  showProblem: (title, words) => void dialog.showMessageBox({ type: "warning", message: title, detail: words }),
};

const power = (env: Environment): Pick<Desktop, "idleMs" | "isOnBattery" | "onSleep" | "keepAwake"> => {
  const isIdleTrusted = isIdleTimeReliable(process.platform, env);
  let blocker: number | undefined;
  return {
    idleMs: () => (isIdleTrusted ? powerMonitor.getSystemIdleTime() * 1000 : undefined),
    isOnBattery: () => powerMonitor.isOnBatteryPower(),
    onSleep: (listener) => {
      const [asleep, awake] = [() => listener(true), () => listener(false)];
      powerMonitor.on("suspend", asleep).on("resume", awake);
      return () => powerMonitor.off("suspend", asleep).off("resume", awake);
    },
    keepAwake: (isWanted) => {
      if (isWanted === (blocker !== undefined)) return;
      if (blocker !== undefined) powerSaveBlocker.stop(blocker);
      blocker = isWanted ? powerSaveBlocker.start("prevent-app-suspension") : undefined;
    },
  };
};

/** How people and other programs start the app, or reach it while it runs. */
const starts = (
  env: Environment,
): Pick<Desktop, "takeSingleInstance" | "setStartAtLogin" | "onAddress" | "onKeys"> => ({
  takeSingleInstance: (onSecondStart) => {
    if (!app.requestSingleInstanceLock()) return false;
    app.on("second-instance", onSecondStart);
    return true;
  },
  setStartAtLogin: (isWanted) => {
    if (process.platform !== "linux") return app.setLoginItemSettings({ openAtLogin: isWanted, args: ["--hidden"] });
    // An AppImage runs from a folder that is gone at the next login; this variable names its own file.
    setLinuxAutostart(app.getPath("appData"), env.APPIMAGE ?? process.execPath, isWanted);
  },
  onAddress: (listener) => {
    app.setAsDefaultProtocolClient(scheme);
    const hear = (address: string | undefined): void => {
      if (address !== undefined) listener(address);
    };
    app.on("open-url", (_event, address) => hear(address));
    app.on("second-instance", (_event, words) => hear(addressIn(words)));
    hear(addressIn(process.argv));
  },
  onKeys: (keys, listener) => globalShortcut.register(keys, listener),
});

const notify = ({ title, body, actions, onClick }: Notice): void => {
  const buttons = actions.map(({ label }) => ({ type: "button" as const, text: label }));
  const notice = new Notification({ title, body, actions: buttons });
  notice.on("action", (_event, index) => actions[index]?.run());
  notice.on("click", onClick);
  notice.show();
};

const openTray = (onClick: () => void) => {
  try {
    const imageOf = (picture: TrayPicture) => nativeImage.createFromDataURL(trayIcons[picture]);
    const tray = new Tray(imageOf("off"));
    let shown: TrayPicture = "off";
    tray.on("click", onClick);
    return {
      show: ({ picture, tooltip, entries }: TrayFace) => {
        if (picture !== shown) tray.setImage(imageOf(picture));
        shown = picture;
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
  const { label, keys, isEnabled = true, isChosen, click, entries } = entry;
  const kind = isChosen === undefined ? {} : { type: "checkbox" as const, checked: isChosen };
  return { label, accelerator: keys, enabled: isEnabled, click, submenu: entries?.map(itemOf), ...kind };
};

const openLog = (folder: string, name: ServiceName) => {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${name}.log`);
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size > logLimit) renameSync(file, `${file}.1`);
  return createWriteStream(file, { flags: "a", mode: 0o600 });
};
