import type { Computer } from "../shared/ipc.ts";
import type { LendMode, Press } from "../shared/lending.ts";
import { presses } from "../shared/presses.ts";
import type { MenuEntry } from "./desktop.ts";

/** What both menus do. */
export type Deeds = {
  readonly openDashboard: () => void;
  readonly openInBrowser: () => void;
  readonly press: (press: Press | null) => void;
  readonly setMode: (lend: LendMode) => void;
  readonly openFolder: (folder: string) => void;
  readonly addRoot: () => void;
  readonly setStartAtLogin: (isWanted: boolean) => void;
  readonly joinFarm: () => void;
  readonly leaveFarm: () => void;
  readonly installUpdate: () => void;
  readonly quit: () => void;
  readonly now: () => number;
};

const line: MenuEntry = { separator: true };

/** Stops or starts lending in every program. */
export const lendingKeys = "CmdOrCtrl+Alt+L";

/** The tray's menu: the state in words, then the most common actions. */
export const trayMenu = (computer: Computer, deeds: Deeds): MenuEntry[] => [
  { label: computer.title, isEnabled: false },
  { label: computer.words, isEnabled: false },
  line,
  ...lendingEntries(computer, deeds),
  ...updateEntries(computer, deeds),
  { label: "Open Dashboard", click: deeds.openDashboard },
  line,
  { label: "Quit Mediafarm", click: deeds.quit },
];

/** The window's menu, with everything that the tray offers: some desktops have no tray. */
export const windowMenu = (computer: Computer, deeds: Deeds): MenuEntry[] => [
  {
    label: "Mediafarm",
    entries: [
      { label: `Version ${computer.version}`, isEnabled: false },
      ...updateEntries(computer, deeds),
      line,
      { label: "Open Dashboard", keys: "CmdOrCtrl+Shift+D", click: deeds.openDashboard },
      { label: "Open Dashboard in the Browser", click: deeds.openInBrowser },
      line,
      ...(computer.mode === "node"
        ? [{ label: "Leave the Farm…", click: deeds.leaveFarm }]
        : [{ label: "Join a Farm by the Copied Token…", click: deeds.joinFarm }]),
      {
        label: "Start at Login",
        isChosen: computer.startAtLogin,
        click: () => deeds.setStartAtLogin(!computer.startAtLogin),
      },
      line,
      { label: "Quit Mediafarm", keys: "CmdOrCtrl+Q", click: deeds.quit },
    ],
  },
  {
    label: "This Computer",
    entries: [
      { label: computer.title, isEnabled: false },
      { label: computer.words, isEnabled: false },
      line,
      ...lendingEntries(computer, deeds),
      ...computer.roots.map((root) => ({ label: `Open ${root}`, click: () => deeds.openFolder(root) })),
      { label: "Let Jobs Use a Folder…", click: deeds.addRoot },
      { label: "Open Data Folder", click: () => deeds.openFolder(computer.dataFolder) },
    ],
  },
  { role: "editMenu" },
  { role: "viewMenu" },
  { role: "windowMenu" },
];

const lendingEntries = ({ mode, rules, press, state }: Computer, deeds: Deeds): MenuEntry[] => {
  if (mode === "none") return [];
  const { press: give, now } = deeds;
  const isStopped = press?.do === "stop";
  const canLendNow = state === "inUse" || state === "busy" || state === "outOfHours" || state === "soon";
  return [
    isStopped
      ? { label: "Start Lending", keys: lendingKeys, click: () => give(null) }
      : { label: "Stop Lending", keys: lendingKeys, click: () => give(presses.stop()) },
    { label: "Stop for 1 Hour", click: () => give(presses.stopForHour(now())) },
    { label: "Stop Until Tomorrow", click: () => give(presses.stopUntilTomorrow(now())) },
    ...(state === "soon" ? [{ label: "Not Now", click: () => give(presses.skip()) }] : []),
    ...(canLendNow ? [{ label: "Lend for 1 Hour", click: () => give(presses.lendForHour(now())) }] : []),
    line,
    ...modes.map(([lend, label]) => ({ label, isChosen: rules.lend === lend, click: () => deeds.setMode(lend) })),
    line,
  ];
};

const modes: readonly (readonly [LendMode, string])[] = [
  ["always", "Lend Always"],
  ["idle", "Lend When I’m Away"],
  ["hours", "Lend by Hours"],
  ["never", "Never Lend"],
];

const updateEntries = ({ update }: Computer, { installUpdate }: Deeds): MenuEntry[] =>
  update?.step === "waiting" ? [{ label: `Restart for Version ${update.version}`, click: installUpdate }] : [];
