import type { ChannelName, Computer, FoundFarm } from "../shared/ipc.ts";
import type { LendingRules, Press } from "../shared/lending.ts";
import type { OwnDeeds } from "./deeds.ts";
import type { Desktop } from "./desktop.ts";
import type { BridgeHandlers } from "./ipc.ts";
import type { Lender } from "./lender.ts";
import type { SettingsStore } from "./settings.ts";

type HandlerNeeds = {
  readonly desktop: Pick<Desktop, "ask">;
  readonly settings: SettingsStore;
  readonly lender: Lender;
  readonly deeds: OwnDeeds;
  readonly computer: () => Computer;
  readonly listFarms: () => readonly FoundFarm[];
  readonly installUpdate: () => void;
};

/**
 * The bridge's requests, each answered with this computer's new state. The page of a farm that runs elsewhere is
 * somebody else's program: its requests are confirmed by this computer's user.
 */
export const bridgeHandlers = (needs: HandlerNeeds): BridgeHandlers => {
  const { desktop, settings, lender, deeds, computer } = needs;

  const isAllowed = async (what: string): Promise<boolean> => {
    if (settings.get().farm.mode !== "node") return true;
    const choice = await desktop.ask({
      message: `${what}?`,
      detail: `The page of the farm at ${computer().farm} asks for this. In the tray and the menus no confirmation is needed.`,
      buttons: ["Allow", "Cancel"],
    });
    return choice === 0;
  };
  const after = async (deed: () => unknown): Promise<Computer> => {
    await deed();
    return computer();
  };
  const asked = async (what: string, deed: () => unknown): Promise<Computer> =>
    (await isAllowed(what)) ? after(deed) : computer();

  return {
    getComputer: computer,
    setRules: ({ rules }) => asked(rulesInWords(rules), () => lender.setRules(rules)),
    press: ({ press }) => asked(pressInWords(press), () => lender.press(press)),
    setSlots: ({ slots }) => asked(slotsInWords(slots), () => deeds.setSlots(slots)),
    addRoot: () => after(deeds.addRoot), // its own dialog asks
    removeRoot: ({ root }) => asked(`Keep jobs out of ${root}`, () => deeds.removeRoot(root)),
    setStartAtLogin: ({ isWanted }) =>
      asked(isWanted ? "Start Mediafarm at login" : "Start Mediafarm by hand only", () =>
        deeds.setStartAtLogin(isWanted),
      ),
    setNotices: ({ notices }) =>
      asked("Change what this computer tells you", () => settings.change({ notices: [...new Set(notices)] })),
    openFolder: ({ folder }) => {
      deeds.openFolder(folder);
      return {};
    },
    openInBrowser: () => {
      deeds.openInBrowser();
      return {};
    },
    listFarms: () => [...needs.listFarms()],
    startFarm: () => after(deeds.startFarm),
    joinFarm: ({ joinToken }) => after(() => deeds.joinFarm(joinToken)),
    leaveFarm: () => after(deeds.leaveFarm),
    installUpdate: () => asked("Restart Mediafarm for an update", needs.installUpdate),
  };
};

/** Requests that a page may make before a farm was chosen. */
export const beforeFarm: ReadonlySet<ChannelName> = new Set(["getComputer", "listFarms", "startFarm", "joinFarm"]);

const modeWords = {
  always: "Lend this computer always",
  idle: "Lend this computer when nobody uses it",
  hours: "Lend this computer by its week plan",
  never: "Never lend this computer",
} as const;
const returnWords = {
  suspend: "suspend running tasks",
  finish: "let running tasks finish",
  requeue: "give running tasks back at once",
} as const;

const rulesInWords = ({ lend, onReturn }: LendingRules): string =>
  `${modeWords[lend]}, and ${returnWords[onReturn]} when lending stops`;

const pressInWords = (press: Press | null): string =>
  press === null || press.do === "lend" ? "Start lending" : "Stop lending";

const slotsInWords = (slots: number): string =>
  slots === 0 ? "Let the agent choose the number of slots" : `Let ${slots} tasks run here at a time`;
