import type { Clock } from "../../shared/basics/clock.ts";
import type { Computer } from "../../shared/desktop/ipc.ts";
import { isOfFarm, isWebAddress } from "../addresses/farm-address.ts";
import type { Desktop, Window } from "../desktop/desktop.ts";
import type { SettingsStore } from "../desktop/settings.ts";
import { sayIn } from "../language/say.ts";
import type { Lender } from "../lending/lender.ts";
import { mayShow, pinnedFarm } from "../services/farm-certificate.ts";
import { firstRunPage } from "./first-run.ts";
import { waitingPage } from "./waiting-page.ts";

type MainWindowNeeds = {
  readonly desktop: Pick<Desktop, "openWindow" | "ask" | "locale">;
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
export const createMainWindow = (needs: MainWindowNeeds) => {
  const { desktop, clock, settings, lender } = needs;
  const newPage = firstRunPage(needs.mediaFolder, desktop.locale);
  let window: Window | undefined;
  const keepBounds = (): void => {
    if (window) settings.change({ bounds: window.bounds() });
  };
  const mayClose = closing(needs, { keepBounds, hide: () => window?.hide() });
  const pages = createPages(needs, newPage, () => window);

  const open = (): void => {
    pages.startOver();
    window = desktop.openWindow({
      bounds: settings.get().bounds,
      isOwn: (url) => url === newPage || isOfFarm(url, lender.farmUrl()),
      mayShow: (host, chain) => mayShow(host, chain, pinnedFarm(settings.get()), clock.now()),
      isForBrowser: isWebAddress,
      mayClose,
      onLoadFailed: () => window?.load(waitingPage(lender.computer().words, desktop.locale)),
      onGone: pages.revive,
    });
    pages.show(lender.computer());
  };

  const show = (): void => {
    pages.forgiveDeaths();
    if (window) window.focus();
    else open();
  };

  return {
    open,
    /** Opens the window, or brings it to the front. */
    show,
    showPage: pages.show,
    /** Goes to a page of the farm, now or as soon as the farm is available. */
    goTo: (hash: string): void => {
      pages.want(hash);
      show();
      pages.show(lender.computer());
    },
    /** Sends this computer's state to the farm's page, and to no other. */
    tell: (computer: Computer): void => {
      if (window && isOfFarm(window.url(), lender.farmUrl())) window.send("mediafarm:computer", computer);
    },
    isNewPage: (url: string): boolean => settings.get().farm.mode === "none" && url === newPage,
    keepBounds,
    /** The text that the window shows while it waits is out of date. */
    startOver: pages.startOver,
  };
};

/** Which page the window shows: the farm's, the one of a computer without a farm, or why it waits. */
const createPages = (
  { desktop, lender, logBug }: Pick<MainWindowNeeds, "desktop" | "lender" | "logBug">,
  newPage: string,
  window: () => Window | undefined,
) => {
  let waitingWords = "";
  let wantedHash = "";
  let deaths = 0;

  const showFarm = (url: string): void => {
    waitingWords = "";
    if (wantedHash !== "") window()?.load(new URL(wantedHash, url).href);
    else if (!isOfFarm(window()?.url() ?? "", url)) window()?.load(url);
    wantedHash = "";
  };

  /** An open page stays: it notices by itself that its farm is away. */
  const showWaiting = (url: string | undefined, words: string): void => {
    if (isOfFarm(window()?.url() ?? "", url) || waitingWords === words) return;
    waitingWords = words;
    window()?.load(waitingPage(words, desktop.locale));
  };

  const show = ({ mode, words }: Pick<Computer, "mode" | "words">): void => {
    const url = lender.farmUrl();
    if (mode !== "none" && url !== undefined && lender.isReady()) showFarm(url);
    else if (mode !== "none") showWaiting(url, words);
    else if (window()?.url() !== newPage) window()?.load(newPage);
  };

  return {
    show,
    want: (hash: string): void => {
      wantedHash = hash;
    },
    startOver: (): void => {
      waitingWords = "";
    },
    forgiveDeaths: (): void => {
      deaths = 0;
    },
    /** The farm works without its page; a page that keeps crashing is not reloaded for ever. */
    revive: (why: string): void => {
      deaths += 1;
      logBug(new Error(`The window's page ended: ${why}`));
      waitingWords = "";
      if (deaths <= mostDeaths) show(lender.computer());
      else
        window()?.load(
          waitingPage(
            sayIn(desktop.locale)("The page ended several times. Open it again from the menu."),
            desktop.locale,
          ),
        );
    },
  };
};

/** Whether the window closes when somebody asks for it: hiding it lets this computer go on lending. */
const closing = (
  { desktop, settings, isQuitting, quit }: Pick<MainWindowNeeds, "desktop" | "settings" | "isQuitting" | "quit">,
  { keepBounds, hide }: { readonly keepBounds: () => void; readonly hide: () => void },
): (() => boolean) => {
  const askOnClose = async (): Promise<void> => {
    const say = sayIn(desktop.locale);
    const choice = await desktop.ask({
      message: say("Keep lending without the window?"),
      detail: say("Start Mediafarm again to show the window. Your answer is remembered."),
      buttons: [say("Go On Lending"), say("Quit Mediafarm"), say("Cancel")],
    });
    if (choice > 1) return;
    settings.change({ onClose: choice === 0 ? "background" : "quit" });
    if (choice === 0) hide();
    else await quit();
  };
  return () => {
    keepBounds();
    if (isQuitting()) return true;
    const { onClose } = settings.get();
    if (onClose === "background") hide();
    else if (onClose === "quit") void quit();
    else void askOnClose();
    return false;
  };
};
