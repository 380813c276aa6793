import type { Clock } from "../shared/clock.ts";
import type { Computer } from "../shared/ipc.ts";
import type { Desktop, Window } from "./desktop.ts";
import { mayShow, pinnedFarm } from "./farm-certificate.ts";
import { firstRunPage } from "./first-run.ts";
import type { Lender } from "./lender.ts";
import { isOfFarm, isWebAddress } from "./origin.ts";
import type { SettingsStore } from "./settings.ts";
import { waitingPage } from "./waiting-page.ts";

type FrontNeeds = {
  readonly desktop: Pick<Desktop, "openWindow" | "ask">;
  readonly clock: Pick<Clock, "now">;
  readonly settings: SettingsStore;
  readonly lender: Pick<Lender, "computer" | "farmUrl" | "isReady">;
  readonly mediaFolder: string;
  readonly isQuitting: () => boolean;
  readonly quit: () => Promise<void>;
  readonly logBug: (problem: unknown) => void;
};

/** A page that crashes this often in a row is not reloaded automatically. */
const mostDeaths = 3;

/** The only window: which page it shows, and what closing it does. */
export const createFront = (needs: FrontNeeds) => {
  const { desktop, clock, settings, lender, isQuitting, quit } = needs;
  const newPage = firstRunPage(needs.mediaFolder);
  let window: Window | undefined;
  let waitingWords = "";
  let wantedHash = "";
  let deaths = 0;

  const loadUnlessThere = (page: string): void => {
    if (window?.url() !== page) window?.load(page);
  };

  const showPage = ({ mode, words }: Pick<Computer, "mode" | "words">): void => {
    const url = lender.farmUrl();
    if (mode === "none") loadUnlessThere(newPage);
    else if (url !== undefined && lender.isReady()) showFarm(url);
    else showWaiting(url, words);
  };

  const showFarm = (url: string): void => {
    waitingWords = "";
    if (wantedHash !== "") window?.load(new URL(wantedHash, url).href);
    else if (!isOfFarm(window?.url() ?? "", url)) window?.load(url);
    wantedHash = "";
  };

  /** An open page stays: it notices by itself that its farm is away. */
  const showWaiting = (url: string | undefined, words: string): void => {
    if (isOfFarm(window?.url() ?? "", url) || waitingWords === words) return;
    waitingWords = words;
    window?.load(waitingPage(words));
  };

  /** The farm works without its page; a page that keeps crashing is not reloaded for ever. */
  const revive = (why: string): void => {
    deaths += 1;
    needs.logBug(new Error(`The window's page ended: ${why}`));
    waitingWords = "";
    if (deaths <= mostDeaths) showPage(lender.computer());
    else window?.load(waitingPage("The page ended several times. Open it again from the menu."));
  };

  const open = (): void => {
    waitingWords = "";
    window = desktop.openWindow({
      bounds: settings.get().bounds,
      isOwn: (url) => url === newPage || isOfFarm(url, lender.farmUrl()),
      mayShow: (host, chain) => mayShow(host, chain, pinnedFarm(settings.get()), clock.now()),
      isForBrowser: isWebAddress,
      mayClose,
      onLoadFailed: () => window?.load(waitingPage(lender.computer().words)),
      onGone: revive,
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
      message: "Keep lending without the window?",
      detail: "Start Mediafarm again to show the window. Your answer is remembered.",
      buttons: ["Go On Lending", "Quit Mediafarm", "Cancel"],
    });
    if (choice > 1) return;
    settings.change({ onClose: choice === 0 ? "background" : "quit" });
    if (choice === 0) window?.hide();
    else await quit();
  };

  const show = (): void => {
    deaths = 0;
    if (window) window.focus();
    else open();
  };

  return {
    open,
    /** Opens the window, or brings it to the front. */
    show,
    showPage,
    /** Goes to a page of the farm, now or as soon as the farm is available. */
    goTo: (hash: string): void => {
      wantedHash = hash;
      show();
      showPage(lender.computer());
    },
    /** Sends this computer's state to the farm's page, and to no other. */
    tell: (computer: Computer): void => {
      if (window && isOfFarm(window.url(), lender.farmUrl())) window.send("mediafarm:computer", computer);
    },
    isNewPage: (url: string): boolean => settings.get().farm.mode === "none" && url === newPage,
    keepBounds,
    /** The text that the window shows while it waits is out of date. */
    startOver: (): void => {
      waitingWords = "";
    },
  };
};
