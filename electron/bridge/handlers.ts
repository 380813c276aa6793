import type { ChannelName, Computer, FoundFarm, IpcRequestOf, IpcResponseOf } from "../../shared/desktop/ipc.ts";
import type { LendingAction, LendingRules } from "../../shared/lending/lending.ts";
import type { Desktop } from "../desktop/desktop.ts";
import type { SettingsStore } from "../desktop/settings.ts";
import type { Lender } from "../lending/lender.ts";
import type { OwnActions } from "../menu/actions.ts";

export type BridgeHandlers = {
  readonly [N in ChannelName]: (input: IpcRequestOf<N>) => Promise<IpcResponseOf<N>> | IpcResponseOf<N>;
};

type HandlerNeeds = {
  readonly desktop: Pick<Desktop, "ask">;
  readonly settings: SettingsStore;
  readonly lender: Lender;
  readonly actions: OwnActions;
  readonly computer: () => Computer;
  readonly listFarms: () => readonly FoundFarm[];
  readonly installUpdate: () => void;
};

/**
 * The bridge's requests, each answered with this computer's new state. The page of a farm that runs elsewhere is
 * somebody else's program: its requests are confirmed by this computer's user.
 */
export const bridgeHandlers = (needs: HandlerNeeds): BridgeHandlers => {
  const { desktop, settings, lender, actions, computer } = needs;

  const isAllowed = async (what: string): Promise<boolean> => {
    if (settings.get().farm.mode !== "node") return true;
    const choice = await desktop.ask({
      message: `${what}?`,
      detail: `The page of the farm at ${computer().farm} asks for this. In the tray and the menus no confirmation is needed.`,
      buttons: ["Allow", "Cancel"],
    });
    return choice === 0;
  };
  const after = async (act: () => unknown): Promise<Computer> => {
    await act();
    return computer();
  };
  const asked = async (what: string, act: () => unknown): Promise<Computer> =>
    (await isAllowed(what)) ? after(act) : computer();

  return {
    getComputer: computer,
    setRules: ({ rules }) => asked(rulesInWords(rules), () => lender.setRules(rules)),
    press: ({ press }) => asked(pressInWords(press), () => lender.press(press)),
    setSlots: ({ slots }) => asked(slotsInWords(slots), () => actions.setSlots(slots)),
    addRoot: () => after(actions.addRoot), // its own dialog asks
    removeRoot: ({ root }) => asked(`Keep jobs out of ${root}`, () => actions.removeRoot(root)),
    setStartAtLogin: ({ isWanted }) =>
      asked(isWanted ? "Start Mediafarm at login" : "Start Mediafarm by hand only", () =>
        actions.setStartAtLogin(isWanted),
      ),
    setNotices: ({ notices }) =>
      asked("Change what this computer tells you", () => settings.change({ notices: [...new Set(notices)] })),
    openFolder: ({ folder }) => {
      actions.openFolder(folder);
      return {};
    },
    openInBrowser: () => {
      actions.openInBrowser();
      return {};
    },
    listFarms: () => [...needs.listFarms()],
    startFarm: () => after(actions.startFarm),
    joinFarm: ({ joinToken }) => after(() => actions.joinFarm(joinToken)),
    leaveFarm: () => after(actions.leaveFarm),
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

const pressInWords = (press: LendingAction | null): string =>
  press === null || press.do === "lend" ? "Start lending" : "Stop lending";

const slotsInWords = (slots: number): string =>
  slots === 0 ? "Let the agent choose the number of slots" : `Let ${slots} tasks run here at a time`;
