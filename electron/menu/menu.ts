import type { Computer } from "../../shared/desktop/ipc.ts";
import type { LendingAction, LendMode } from "../../shared/lending/lending.ts";
import { pauseButtons } from "../../shared/lending/pause-buttons.ts";
import type { MenuEntry } from "../desktop/desktop.ts";

/** What both menus do. */
export type Actions = {
  readonly openDashboard: () => void;
  readonly openInBrowser: () => void;
  readonly press: (press: LendingAction | null) => void;
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
export const trayMenu = (computer: Computer, actions: Actions): MenuEntry[] => [
  { label: computer.title, isEnabled: false },
  { label: computer.words, isEnabled: false },
  line,
  ...lendingEntries(computer, actions),
  ...updateEntries(computer, actions),
  { label: "Open Dashboard", click: actions.openDashboard },
  line,
  { label: "Quit Mediafarm", click: actions.quit },
];

/** The window's menu, with everything that the tray offers: some desktops have no tray. */
export const windowMenu = (computer: Computer, actions: Actions): MenuEntry[] => [
  {
    label: "Mediafarm",
    entries: [
      { label: `Version ${computer.version}`, isEnabled: false },
      ...updateEntries(computer, actions),
      line,
      { label: "Open Dashboard", keys: "CmdOrCtrl+Shift+D", click: actions.openDashboard },
      { label: "Open Dashboard in the Browser", click: actions.openInBrowser },
      line,
      ...(computer.mode === "node"
        ? [{ label: "Leave the Farm…", click: actions.leaveFarm }]
        : [{ label: "Join a Farm by the Copied Token…", click: actions.joinFarm }]),
      {
        label: "Start at Login",
        isChosen: computer.startAtLogin,
        click: () => actions.setStartAtLogin(!computer.startAtLogin),
      },
      line,
      { label: "Quit Mediafarm", keys: "CmdOrCtrl+Q", click: actions.quit },
    ],
  },
  {
    label: "This Computer",
    entries: [
      { label: computer.title, isEnabled: false },
      { label: computer.words, isEnabled: false },
      line,
      ...lendingEntries(computer, actions),
      ...computer.roots.map((root) => ({ label: `Open ${root}`, click: () => actions.openFolder(root) })),
      { label: "Let Jobs Use a Folder…", click: actions.addRoot },
      { label: "Open Data Folder", click: () => actions.openFolder(computer.dataFolder) },
    ],
  },
  { role: "editMenu" },
  { role: "viewMenu" },
  { role: "windowMenu" },
];

const lendingEntries = ({ mode, rules, press, state }: Computer, actions: Actions): MenuEntry[] => {
  if (mode === "none") return [];
  const { press: give, now } = actions;
  const isStopped = press?.do === "stop";
  const canLendNow = state === "inUse" || state === "busy" || state === "outOfHours" || state === "soon";
  return [
    isStopped
      ? { label: "Start Lending", keys: lendingKeys, click: () => give(null) }
      : { label: "Stop Lending", keys: lendingKeys, click: () => give(pauseButtons.stop()) },
    { label: "Stop for 1 Hour", click: () => give(pauseButtons.stopForHour(now())) },
    { label: "Stop Until Tomorrow", click: () => give(pauseButtons.stopUntilTomorrow(now())) },
    ...(state === "soon" ? [{ label: "Not Now", click: () => give(pauseButtons.skip()) }] : []),
    ...(canLendNow ? [{ label: "Lend for 1 Hour", click: () => give(pauseButtons.lendForHour(now())) }] : []),
    line,
    ...modes.map(([lend, label]) => ({ label, isChosen: rules.lend === lend, click: () => actions.setMode(lend) })),
    line,
  ];
};

const modes: readonly (readonly [LendMode, string])[] = [
  ["always", "Lend Always"],
  ["idle", "Lend When I’m Away"],
  ["hours", "Lend by Hours"],
  ["never", "Never Lend"],
];

const updateEntries = ({ update }: Computer, { installUpdate }: Actions): MenuEntry[] =>
  update?.step === "waiting" ? [{ label: `Restart for Version ${update.version}`, click: installUpdate }] : [];
