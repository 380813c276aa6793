import type { Computer } from "../../shared/desktop/ipc.ts";
import type { LendingAction, LendMode } from "../../shared/lending/lending.ts";
import { pauseButtons } from "../../shared/lending/pause-buttons.ts";
import type { MenuEntry } from "../desktop/desktop.ts";
import type { Say } from "../language/say.ts";
import type { AppText } from "../language/texts.ts";

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
  /** Says what stands in menus, in the user's language. */
  readonly say: Say;
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
  { label: actions.say("Open Dashboard"), click: actions.openDashboard },
  line,
  { label: actions.say("Quit Mediafarm"), click: actions.quit },
];

/** The window's menu, with everything that the tray offers: some desktops have no tray. */
export const windowMenu = (computer: Computer, actions: Actions): MenuEntry[] => [
  {
    label: "Mediafarm",
    entries: [
      { label: actions.say("Version {version}", { version: computer.version }), isEnabled: false },
      ...updateEntries(computer, actions),
      line,
      { label: actions.say("Open Dashboard"), keys: "CmdOrCtrl+Shift+D", click: actions.openDashboard },
      { label: actions.say("Open Dashboard in the Browser"), click: actions.openInBrowser },
      line,
      ...(computer.mode === "node"
        ? [{ label: actions.say("Leave the Farm…"), click: actions.leaveFarm }]
        : [{ label: actions.say("Join a Farm by the Copied Token…"), click: actions.joinFarm }]),
      {
        label: actions.say("Start at Login"),
        isChosen: computer.startAtLogin,
        click: () => actions.setStartAtLogin(!computer.startAtLogin),
      },
      line,
      { label: actions.say("Quit Mediafarm"), keys: "CmdOrCtrl+Q", click: actions.quit },
    ],
  },
  {
    label: actions.say("This Computer"),
    entries: [
      { label: computer.title, isEnabled: false },
      { label: computer.words, isEnabled: false },
      line,
      ...lendingEntries(computer, actions),
      ...computer.roots.map((root) => ({
        label: actions.say("Open {folder}", { folder: root }),
        click: () => actions.openFolder(root),
      })),
      { label: actions.say("Let Jobs Use a Folder…"), click: actions.addRoot },
      { label: actions.say("Open Data Folder"), click: () => actions.openFolder(computer.dataFolder) },
    ],
  },
  { role: "editMenu" },
  { role: "viewMenu" },
  { role: "windowMenu" },
];

const lendingEntries = ({ mode, rules, press, state }: Computer, actions: Actions): MenuEntry[] => {
  if (mode === "none") return [];
  const { press: give, now, say } = actions;
  const isStopped = press?.do === "stop";
  const canLendNow =
    state === "inUse" || state === "busy" || state === "program" || state === "outOfHours" || state === "soon";
  return [
    isStopped
      ? { label: say("Start Lending"), keys: lendingKeys, click: () => give(null) }
      : { label: say("Stop Lending"), keys: lendingKeys, click: () => give(pauseButtons.stop()) },
    { label: say("Stop for 1 Hour"), click: () => give(pauseButtons.stopForHour(now())) },
    { label: say("Stop Until Tomorrow"), click: () => give(pauseButtons.stopUntilTomorrow(now())) },
    ...(state === "soon" ? [{ label: say("Not Now"), click: () => give(pauseButtons.skip()) }] : []),
    ...(canLendNow ? [{ label: say("Lend for 1 Hour"), click: () => give(pauseButtons.lendForHour(now())) }] : []),
    line,
    ...modes.map(([lend, text]) => ({
      label: say(text),
      isChosen: rules.lend === lend,
      click: () => actions.setMode(lend),
    })),
    line,
  ];
};

const modes: readonly (readonly [LendMode, AppText])[] = [
  ["always", "Lend Always"],
  ["idle", "Lend When I’m Away"],
  ["hours", "Lend by Hours"],
  ["never", "Never Lend"],
];

const updateEntries = ({ update }: Computer, { installUpdate, say }: Actions): MenuEntry[] =>
  update?.step === "waiting"
    ? [{ label: say("Restart for Version {version}", { version: update.version }), click: installUpdate }]
    : [];
