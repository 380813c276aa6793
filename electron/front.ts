import type { Computer } from "../shared/ipc.ts";
import type { Desktop, Window } from "./desktop.ts";
import type { Lender } from "./lender.ts";
import { isOfFarm, isWebAddress } from "./origin.ts";
import type { SettingsStore } from "./settings.ts";
import { waitingPage } from "./waiting-page.ts";

type FrontNeeds = {
  readonly desktop: Pick<Desktop, "openWindow" | "ask">;
  readonly settings: SettingsStore;
  readonly lender: Pick<Lender, "computer" | "farmUrl" | "isReady">;
  readonly isQuitting: () => boolean;
  readonly quit: () => Promise<void>;
};

/** The one window: which page it shows, and what closing it means. */
export const createFront = ({ desktop, settings, lender, isQuitting, quit }: FrontNeeds) => {
  let window: Window | undefined;
  let waitingWords = "";

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

  const open = (): void => {
    waitingWords = "";
    window = desktop.openWindow({
      bounds: settings.get().bounds,
      isOwn: (url) => isOfFarm(url, lender.farmUrl()),
      isForBrowser: isWebAddress,
      mayClose,
      onLoadFailed: () => window?.load(waitingPage(lender.computer().words)),
    });
    showPage(lender.computer());
  };

  const keepBounds = (): void => {
    if (window) settings.change({ bounds: window.bounds() });
  };

  const mayClose = (): boolean => {
    keepBounds();
    if (isQuitting()) return true;
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

  return {
    open,
    /** Opens the window, or brings it to the front. */
    show: (): void => {
      if (window) window.focus();
      else open();
    },
    showPage,
    /** Tells the farm's page, and no other, how this computer stands. */
    tell: (computer: Computer): void => {
      if (window && isOfFarm(window.url(), lender.farmUrl())) window.send("mediafarm:computer", computer);
    },
    keepBounds,
    /** What the window says while it waits is out of date. */
    startOver: (): void => {
      waitingWords = "";
    },
  };
};
