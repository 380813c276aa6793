import { AppError, messageOf } from "../shared/errors.ts";
import { bridgeHandlers, createDeeds } from "./deeds.ts";
import type { Desktop, Tray } from "./desktop.ts";
import { createFront } from "./front.ts";
import { bindBridge } from "./ipc.ts";
import { createLender, type LenderNeeds } from "./lender.ts";
import { type Deeds, windowMenu } from "./menu.ts";
import { showInTray } from "./tray.ts";

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
  let tray: Tray | undefined;
  let shown = "";
  let quitting: Promise<void> | undefined;

  const quit = (): Promise<void> => {
    quitting ??= (async () => {
      front.keepBounds();
      await lender.stop();
      desktop.exit();
    })();
    return quitting;
  };

  const lender = createLender({ ...needs, onChange: () => show() });
  const front = createFront({ desktop, settings, lender, isQuitting: () => quitting !== undefined, quit });
  const onMoved = (): void => {
    front.startOver();
    show();
  };
  const own = createDeeds({ desktop, settings, lender, onMoved });

  /** Brings all that people see up to what is so; what has not changed is left alone. */
  const show = (): void => {
    if (quitting) return;
    const computer = lender.computer();
    const text = JSON.stringify(computer);
    if (text !== shown) {
      shown = text;
      showInTray(tray, computer, deeds);
      desktop.setMenu(windowMenu(computer, deeds));
      front.tell(computer);
    }
    front.showPage(computer);
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
    openDashboard: front.show,
    openInBrowser: inWords(own.openInBrowser),
    setLending: (isLending) => inWords(() => lender.setLending(isLending))(),
    openFolder: (folder) => inWords(() => own.openFolder(folder))(),
    addRoot: inWords(own.addRoot),
    joinFarm: inWords(async () => own.joinFarm(await desktop.copiedText())),
    leaveFarm: inWords(own.leaveFarm),
    quit: () => void quit(),
  };

  const start = (): boolean => {
    if (!desktop.takeSingleInstance(front.show)) return false;
    const handlers = bridgeHandlers({ desktop, settings, lender, onMoved }, own);
    bindBridge({ desktop, farmUrl: lender.farmUrl, handlers, onBug: needs.logBug });
    tray = desktop.openTray(front.show);
    if (settings.problem) desktop.showProblem("Mediafarm", settings.problem);
    front.open();
    inWords(lender.start)();
    show();
    return true;
  };

  return { start, showWindow: front.show, quit };
};
