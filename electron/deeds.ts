import { AppError } from "../shared/errors.ts";
import type { Computer } from "../shared/ipc.ts";
import { decodeJoinToken } from "../shared/join-token.ts";
import type { Desktop } from "./desktop.ts";
import type { BridgeHandlers } from "./ipc.ts";
import type { Lender } from "./lender.ts";
import { isWithin } from "./origin.ts";
import type { Settings, SettingsStore } from "./settings.ts";

type DeedsNeeds = {
  readonly desktop: Pick<Desktop, "ask" | "chooseFolder" | "openFolder" | "showInFolder" | "openExternal">;
  readonly settings: SettingsStore;
  readonly lender: Lender;
  readonly onMoved: () => void;
};

/** What people can have done from a menu or a page, with the questions that go before it. */
export const createDeeds = ({ desktop, settings, lender, onMoved }: DeedsNeeds) => {
  const moveTo = async (farm: Settings["farm"]): Promise<void> => {
    await lender.moveTo(farm);
    onMoved();
  };

  const addRoot = async (): Promise<Computer> => {
    const folder = await desktop.chooseFolder("Choose a folder that jobs may read and write");
    const { roots = [] } = settings.get();
    if (folder !== undefined && !roots.includes(folder)) await lender.setRoots([...roots, folder]);
    return lender.computer();
  };

  const joinFarm = async (joinToken: string): Promise<Computer> => {
    const { host } = new URL(decodeJoinToken(joinToken).url);
    const choice = await desktop.ask({
      message: `Lend this computer to the farm at ${host}?`,
      detail: `Its jobs may read and write ${(settings.get().roots ?? []).join(", ")}. The farm on this computer stops; its jobs stay here and wait.`,
      buttons: ["Join", "Cancel"],
    });
    if (choice === 0) await moveTo({ mode: "node", joinToken: joinToken.trim() });
    return lender.computer();
  };

  const leaveFarm = async (): Promise<Computer> => {
    const choice = await desktop.ask({
      message: "Leave the farm?",
      detail: "Tasks that run here end, and the farm starts them on other computers. The farm on this computer starts.",
      buttons: ["Leave", "Cancel"],
    });
    if (choice === 0) await moveTo({ mode: "farm", port: 8700 });
    return lender.computer();
  };

  const openFolder = (folder: string): void => {
    const { dataFolder, roots } = lender.computer();
    const known = [dataFolder, ...roots];
    if (!isWithin(folder, known)) {
      throw new AppError("NOT_ALLOWED", `${folder} is none of the folders that jobs may use`);
    }
    if (known.includes(folder)) desktop.openFolder(folder);
    else desktop.showInFolder(folder);
  };

  const openInBrowser = (): void => {
    const url = lender.farmUrl();
    if (url === undefined) throw new AppError("UNAVAILABLE", "The farm is not ready yet");
    desktop.openExternal(new URL("/", url).href); // the address itself may hold a sign-in that works once, for the window
  };

  return { addRoot, joinFarm, leaveFarm, openFolder, openInBrowser };
};

export type OwnDeeds = ReturnType<typeof createDeeds>;

/** The bridge's questions, each answered with how this computer stands afterwards. */
export const bridgeHandlers = ({ settings, lender }: DeedsNeeds, deeds: OwnDeeds): BridgeHandlers => ({
  getComputer: () => lender.computer(),
  setLending: async ({ isLending }) => {
    await lender.setLending(isLending);
    return lender.computer();
  },
  setSlots: async ({ slots }) => {
    await lender.setSlots(slots);
    return lender.computer();
  },
  addRoot: deeds.addRoot,
  removeRoot: async ({ root }) => {
    await lender.setRoots((settings.get().roots ?? []).filter((each) => each !== root));
    return lender.computer();
  },
  openFolder: ({ folder }) => {
    deeds.openFolder(folder);
    return {};
  },
  openInBrowser: () => {
    deeds.openInBrowser();
    return {};
  },
  joinFarm: ({ joinToken }) => deeds.joinFarm(joinToken),
  leaveFarm: deeds.leaveFarm,
});
