import { AppError, messageOf } from "../shared/errors.ts";
import type { Computer } from "../shared/ipc.ts";
import { decodeJoinToken } from "../shared/join-token.ts";
import type { Desktop, Tray, Window } from "./desktop.ts";
import { type BridgeHandlers, bindBridge } from "./ipc.ts";
import { createLender, type LenderNeeds } from "./lender.ts";
import { type Deeds, windowMenu } from "./menu.ts";
import { isOfFarm, isWebAddress, isWithin } from "./origin.ts";
import { showInTray } from "./tray.ts";
import { waitingPage } from "./waiting-page.ts";

export type AppNeeds = Omit<LenderNeeds, "desktop" | "onChange"> & {
  readonly desktop: Desktop;
  readonly logBug: (problem: unknown) => void;
};

export type App = {
  /** False where another start has the lock: this one has asked for its window and is to leave. */
  readonly start: () => boolean;
  readonly showWindow: () => void;
  /** Ends the services, then the process. Asking again changes nothing. */
  readonly quit: () => Promise<void>;
};

/** The desktop app: one window, one tray, the services, and what passes between them. */
export const createApp = (needs: AppNeeds): App => {
  const { desktop, settings } = needs;
  let window: Window | undefined;
  let tray: Tray | undefined;
  let shown = "";
  let waitingWords = "";
  let quitting: Promise<void> | undefined;

  const lender = createLender({ ...needs, onChange: () => show() });

  /** Brings all that people see up to what is so; what has not changed is left alone. */
  const show = (): void => {
    if (quitting) return;
    const computer = lender.computer();
    const text = JSON.stringify(computer);
    if (text !== shown) {
      shown = text;
      showInTray(tray, computer, deeds);
      desktop.setMenu(windowMenu(computer, deeds));
      if (window && isOfFarm(window.url(), lender.farmUrl())) window.send("mediafarm:computer", computer);
    }
    showPage(computer);
  };

  const showPage = (computer: Computer): void => {
    const url = lender.farmUrl();
    if (!window) return;
    const isThere = isOfFarm(window.url(), url);
    if (url !== undefined && lender.isReady()) {
      waitingWords = "";
      if (!isThere) window.load(url);
      return;
    }
    // A page that is open keeps its place: it knows by itself that its farm is away.
    if (isThere || waitingWords === computer.words) return;
    waitingWords = computer.words;
    window.load(waitingPage(computer.words));
  };

  const openWindow = (): void => {
    waitingWords = "";
    window = desktop.openWindow({
      bounds: settings.get().bounds,
      isOwn: (url) => isOfFarm(url, lender.farmUrl()),
      isForBrowser: isWebAddress,
      mayClose,
      onLoadFailed: () => window?.load(waitingPage(lender.computer().words)),
    });
    show();
  };

  const showWindow = (): void => {
    if (window) window.focus();
    else openWindow();
  };

  const mayClose = (): boolean => {
    if (window) settings.change({ bounds: window.bounds() });
    if (quitting) return true;
    const { onClose } = settings.get();
    if (onClose === "background") window?.hide();
    else if (onClose === "quit") void quit();
    else void askOnClose();
    return false;
  };

  const askOnClose = async (): Promise<void> => {
    const choice = await desktop.ask({
      message: "Go on lending without the window?",
      detail: "Start Mediafarm again to see the window. The answer is remembered.",
      buttons: ["Go On Lending", "Quit Mediafarm", "Cancel"],
    });
    if (choice > 1) return;
    settings.change({ onClose: choice === 0 ? "background" : "quit" });
    if (choice === 0) window?.hide();
    else await quit();
  };

  const quit = (): Promise<void> => {
    quitting ??= (async () => {
      if (window) settings.change({ bounds: window.bounds() });
      await lender.stop();
      desktop.exit();
    })();
    return quitting;
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

  const moveTo = async (farm: Parameters<typeof lender.moveTo>[0]): Promise<void> => {
    await lender.moveTo(farm);
    waitingWords = "";
    show();
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

  const handlers: BridgeHandlers = {
    getComputer: () => lender.computer(),
    setLending: async ({ isLending }) => {
      await lender.setLending(isLending);
      return lender.computer();
    },
    setSlots: async ({ slots }) => {
      await lender.setSlots(slots);
      return lender.computer();
    },
    addRoot,
    removeRoot: async ({ root }) => {
      await lender.setRoots((settings.get().roots ?? []).filter((each) => each !== root));
      return lender.computer();
    },
    openFolder: ({ folder }) => {
      openFolder(folder);
      return {};
    },
    openInBrowser: () => {
      openInBrowser();
      return {};
    },
    joinFarm: ({ joinToken }) => joinFarm(joinToken),
    leaveFarm,
  };

  /** What a person asked of a menu and could not be done is told to that person. */
  const inWords = (deed: () => unknown) => (): void => {
    const tell = (problem: unknown): void => {
      if (!(problem instanceof AppError)) needs.logBug(problem);
      desktop.showProblem("Mediafarm", messageOf(problem));
    };
    (async () => deed())().catch(tell);
  };

  const deeds: Deeds = {
    openDashboard: showWindow,
    openInBrowser: inWords(openInBrowser),
    setLending: (isLending) => inWords(() => lender.setLending(isLending))(),
    openFolder: (folder) => inWords(() => openFolder(folder))(),
    addRoot: inWords(addRoot),
    joinFarm: inWords(async () => joinFarm(await desktop.copiedText())),
    leaveFarm: inWords(leaveFarm),
    quit: () => void quit(),
  };

  const start = (): boolean => {
    if (!desktop.takeSingleInstance(showWindow)) return false;
    bindBridge({ desktop, farmUrl: lender.farmUrl, handlers, onBug: needs.logBug });
    tray = desktop.openTray(showWindow);
    if (settings.problem) desktop.showProblem("Mediafarm", settings.problem);
    openWindow();
    inWords(lender.start)();
    show();
    return true;
  };

  return { start, showWindow, quit };
};
