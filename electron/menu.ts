import type { Computer } from "../shared/ipc.ts";
import type { MenuEntry } from "./desktop.ts";
import { stateWords } from "./words.ts";

/** What both menus do. */
export type Deeds = {
  readonly openDashboard: () => void;
  readonly openInBrowser: () => void;
  readonly setLending: (isLending: boolean) => void;
  readonly openFolder: (folder: string) => void;
  readonly addRoot: () => void;
  readonly joinFarm: () => void;
  readonly leaveFarm: () => void;
  readonly quit: () => void;
};

const line: MenuEntry = { separator: true };

/** The tray's menu: the state in words first, then what one wants of it most. */
export const trayMenu = (computer: Computer, deeds: Deeds): MenuEntry[] => [
  { label: stateWords[computer.lending], isEnabled: false },
  { label: computer.words, isEnabled: false },
  line,
  ...lendingEntries(computer, deeds),
  { label: "Open Dashboard", click: deeds.openDashboard },
  line,
  { label: "Quit Mediafarm", click: deeds.quit },
];

/** The window's menu offers all that the tray does: some desktops have no tray. */
export const windowMenu = (computer: Computer, deeds: Deeds): MenuEntry[] => [
  {
    label: "Mediafarm",
    entries: [
      { label: `Version ${computer.version}`, isEnabled: false },
      line,
      { label: "Open Dashboard", keys: "CmdOrCtrl+Shift+D", click: deeds.openDashboard },
      { label: "Open Dashboard in the Browser", click: deeds.openInBrowser },
      line,
      computer.mode === "farm"
        ? { label: "Join Another Farm by the Copied Token…", click: deeds.joinFarm }
        : { label: "Leave the Farm…", click: deeds.leaveFarm },
      line,
      { label: "Quit Mediafarm", keys: "CmdOrCtrl+Q", click: deeds.quit },
    ],
  },
  {
    label: "This Computer",
    entries: [
      { label: computer.words, isEnabled: false },
      line,
      ...lendingEntries(computer, deeds),
      { label: computer.pauseWords, isEnabled: false },
      line,
      ...computer.roots.map((root) => ({ label: `Open ${root}`, click: () => deeds.openFolder(root) })),
      { label: "Let Jobs Use a Folder…", click: deeds.addRoot },
      { label: "Open Data Folder", click: () => deeds.openFolder(computer.dataFolder) },
    ],
  },
  { role: "editMenu" },
  { role: "viewMenu" },
  { role: "windowMenu" },
];

const lendingEntries = ({ lending }: Computer, { setLending }: Deeds): MenuEntry[] => [
  lending === "paused"
    ? { label: "Resume Lending", keys: "CmdOrCtrl+Alt+L", click: () => setLending(true) }
    : { label: "Pause Lending", keys: "CmdOrCtrl+Alt+L", click: () => setLending(false) },
];
