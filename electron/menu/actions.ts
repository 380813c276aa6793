import { AppError } from "../../shared/basics/errors.ts";
import { decodeJoinToken } from "../../shared/credentials/join-token.ts";
import { isWithin } from "../addresses/farm-address.ts";
import type { Desktop } from "../desktop/desktop.ts";
import type { Settings, SettingsStore } from "../desktop/settings.ts";
import { sayIn } from "../language/say.ts";
import type { Lender } from "../lending/lender.ts";

export type ActionsNeeds = {
  readonly desktop: Pick<
    Desktop,
    "ask" | "locale" | "chooseFolder" | "openFolder" | "showInFolder" | "openExternal" | "setStartAtLogin"
  >;
  readonly settings: SettingsStore;
  readonly lender: Lender;
  readonly onMoved: () => void;
};

/** Actions from a menu or a page, with the questions that are asked first. */
export const createActions = (needs: ActionsNeeds) => ({
  ...resourceActions(needs),
  ...farmActions(needs),
  ...openActions(needs),
  setStartAtLogin: (isWanted: boolean): void => {
    needs.desktop.setStartAtLogin(isWanted);
    needs.settings.change({ startAtLogin: isWanted });
  },
});

/** Folders and slots. Others restart the agent, which is asked first where it would discard work. */
const resourceActions = ({ desktop, settings, lender }: ActionsNeeds) => {
  const mayRestart = async (): Promise<boolean> => {
    const running = lender.running();
    if (running === 0) return true;
    const say = sayIn(desktop.locale);
    const choice = await desktop.ask({
      message:
        running === 1
          ? say("1 task runs here. Change this now?")
          : say("{count} tasks run here. Change this now?", { count: running }),
      detail: say("The agent restarts. Running tasks start again from the beginning on other computers."),
      buttons: [say("Change Now"), say("Cancel")],
    });
    return choice === 0;
  };
  const setRoots = async (roots: readonly string[]): Promise<void> => {
    if (await mayRestart()) await lender.setRoots(roots);
  };
  return {
    addRoot: async (): Promise<void> => {
      const folder = await desktop.chooseFolder(sayIn(desktop.locale)("Choose a folder that jobs may read and write"));
      const { roots = [] } = settings.get();
      if (folder !== undefined && !roots.includes(folder)) await setRoots([...roots, folder]);
    },
    removeRoot: (root: string): Promise<void> => setRoots((settings.get().roots ?? []).filter((each) => each !== root)),
    setSlots: async (slots: number): Promise<void> => {
      const isTold = settings.get().farm.mode === "farm" && slots > 0;
      if (isTold || (await mayRestart())) await lender.setSlots(slots);
    },
  };
};

/** Which farm this computer belongs to. */
const farmActions = ({ desktop, settings, lender, onMoved }: ActionsNeeds) => {
  const moveTo = async (farm: Settings["farm"]): Promise<void> => {
    await lender.moveTo(farm);
    onMoved();
  };
  return {
    startFarm: (): Promise<void> => moveTo({ mode: "farm", port: 8700 }),
    joinFarm: async (joinToken: string): Promise<void> => {
      const { host } = new URL(decodeJoinToken(joinToken).url);
      const { farm, roots = [] } = settings.get();
      const say = sayIn(desktop.locale);
      const own =
        farm.mode === "farm" ? ` ${say("The farm on this computer stops; its jobs stay here and wait.")}` : "";
      const folders = roots.join(", ") || say("a folder Mediafarm in your home folder");
      const choice = await desktop.ask({
        message: say("Lend this computer to the farm at {host}?", { host }),
        detail: `${say("Its jobs may read and write {folders}.", { folders })}${own}`,
        buttons: [say("Join"), say("Cancel")],
      });
      if (choice === 0) await moveTo({ mode: "node", joinToken: joinToken.trim() });
    },
    leaveFarm: async (): Promise<void> => {
      const say = sayIn(desktop.locale);
      const choice = await desktop.ask({
        message: say("Leave the farm?"),
        detail: say(
          "Tasks that run here end, and the farm starts them on other computers. The farm on this computer starts.",
        ),
        buttons: [say("Leave"), say("Cancel")],
      });
      if (choice === 0) await moveTo({ mode: "farm", port: 8700 });
    },
  };
};

const openActions = ({ desktop, lender }: ActionsNeeds) => ({
  openFolder: (folder: string): void => {
    const { dataFolder, roots } = lender.computer();
    const known = [dataFolder, ...roots];
    if (!isWithin(folder, known)) {
      throw new AppError("NOT_ALLOWED", `${folder} is not one of the folders that jobs may use`);
    }
    if (known.includes(folder)) desktop.openFolder(folder);
    else desktop.showInFolder(folder);
  },
  openInBrowser: (): void => {
    const url = lender.farmUrl();
    if (url === undefined) throw new AppError("UNAVAILABLE", "The farm is not ready yet");
    desktop.openExternal(new URL("/", url).href); // the address itself may hold a sign-in that works once, for the window
  },
});

export type OwnActions = ReturnType<typeof createActions>;
