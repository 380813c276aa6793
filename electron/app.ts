import { AppError, messageOf } from "../shared/errors.ts";
import type { Computer, FoundFarm } from "../shared/ipc.ts";
import { presses } from "../shared/presses.ts";
import { createActions } from "./actions.ts";
import { readDeepLink } from "./deep-link.ts";
import { defaultMediaFolder } from "./default-folders.ts";
import type { Desktop, Tray } from "./desktop.ts";
import { createFront } from "./front.ts";
import { bridgeHandlers } from "./handlers.ts";
import { bindBridge } from "./ipc.ts";
import { createLender, type LenderNeeds } from "./lender.ts";
import { type Actions, lendingKeys, windowMenu } from "./menu.ts";
import { createNotices } from "./notices.ts";
import { showInTray } from "./tray.ts";
import { createUpdates } from "./updates.ts";

export type AppNeeds = Omit<LenderNeeds, "desktop" | "onChange"> & {
  readonly desktop: Desktop;
  readonly logBug: (problem: unknown) => void;
  /** Starts listening for farms in this network; returns those found so far. */
  readonly findFarms: () => { readonly found: () => readonly FoundFarm[]; readonly stop: () => void };
  /** The studio's public key for updates, PEM; undefined if this app was packaged without one. */
  readonly updateKey: string | undefined;
};

export type App = {
  /** False if another instance has the lock: it was asked to show its window, and this one must exit. */
  readonly start: () => boolean;
  readonly showWindow: () => void;
  /** Ends the services, then the process. Further calls have no effect. */
  readonly quit: () => Promise<void>;
};

/** The desktop app: one window, one tray, the services, and what passes between them. */
export const createApp = (needs: AppNeeds): App => {
  const { desktop, settings, clock } = needs;
  let tray: Tray | undefined;
  let farms: ReturnType<AppNeeds["findFarms"]> | undefined;
  let shown = "";
  let quitting: Promise<void> | undefined;

  const quit = (): Promise<void> => {
    quitting ??= (async () => {
      front.keepBounds();
      updates.stop();
      farms?.stop();
      await lender.stop();
      settings.change({ isRunning: false });
      desktop.exit();
    })();
    return quitting;
  };

  const lender = createLender({ ...needs, onChange: () => show() });
  const front = createFront({
    clock,
    desktop,
    settings,
    lender,
    mediaFolder: defaultMediaFolder(needs.home),
    isQuitting: () => quitting !== undefined,
    quit,
    logBug: needs.logBug,
  });
  const onMoved = (): void => {
    front.startOver();
    show();
  };
  const own = createActions({ desktop, settings, lender, onMoved });
  const updates = createUpdates({
    desktop,
    clock,
    fetch: needs.fetch,
    source: () => {
      const { updateFeed: feed } = settings.get();
      return feed !== null && needs.updateKey !== undefined ? { feed, publicKey: needs.updateKey } : undefined;
    },
    running: lender.running,
    drain: lender.drain,
    onChange: () => show(),
    onProblem: needs.logBug,
  });
  const computer = (): Computer => ({ ...lender.computer(), update: updates.state() });

  /** Updates everything that people see; what has not changed stays as it is. */
  const show = (): void => {
    if (quitting) return;
    const now = computer();
    const text = JSON.stringify(now);
    if (text !== shown) {
      shown = text;
      showInTray(tray, now, actions);
      desktop.setMenu(windowMenu(now, actions));
      desktop.keepAwake(lender.isWorking());
      front.tell(now);
      tellOwner(now);
      updates.look();
    }
    front.showPage(now);
  };

  /** Tells the person if what they chose in a menu could not be done. */
  const inWords = (act: () => unknown) => (): void => {
    const tell = (problem: unknown): void => {
      if (!(problem instanceof AppError)) needs.logBug(problem);
      desktop.showProblem("Mediafarm", messageOf(problem));
    };
    (async () => act())().catch(tell);
  };

  const actions: Actions = {
    openDashboard: front.show,
    openInBrowser: inWords(own.openInBrowser),
    press: (press) => inWords(() => lender.press(press))(),
    setMode: (lend) => inWords(() => lender.setRules({ ...settings.get().lending, lend }))(),
    openFolder: (folder) => inWords(() => own.openFolder(folder))(),
    addRoot: inWords(own.addRoot),
    setStartAtLogin: (isWanted) =>
      inWords(() => {
        own.setStartAtLogin(isWanted);
        show();
      })(),
    joinFarm: inWords(async () => own.joinFarm(await desktop.copiedText())),
    leaveFarm: inWords(own.leaveFarm),
    installUpdate: updates.install,
    quit: () => void quit(),
    now: clock.now,
  };
  const tellOwner = createNotices({ desktop, actions });

  const openAddress = (address: string): void => {
    const link = readDeepLink(address);
    if (link?.open === "page") front.goTo(link.hash);
    if (link?.open === "join") inWords(() => own.joinFarm(link.joinToken))();
  };

  const toggleLending = (): void => actions.press(settings.get().press?.do === "stop" ? null : presses.stop());

  const listFarms = (): readonly FoundFarm[] => {
    farms ??= needs.findFarms();
    return farms.found();
  };

  /** Reports if the previous run did not end cleanly; by then the agent has cleaned up after it. */
  const noteCrash = (): void => {
    if (settings.get().isRunning) {
      needs.logBug(
        new Error("The app ended without being asked to. Verified work is reported, the rest starts again."),
      );
    }
    settings.change({ isRunning: true });
  };

  const start = (): boolean => {
    if (!desktop.takeSingleInstance(front.show)) return false;
    noteCrash();
    const { installUpdate } = actions;
    const handlers = bridgeHandlers({ desktop, settings, lender, actions: own, computer, listFarms, installUpdate });
    bindBridge({ desktop, farmUrl: lender.farmUrl, isNewPage: front.isNewPage, handlers, onBug: needs.logBug });
    tray = desktop.openTray(front.show);
    if (settings.problem) desktop.showProblem("Mediafarm", settings.problem);
    desktop.onAddress(openAddress);
    desktop.onKeys(lendingKeys, toggleLending);
    front.open();
    inWords(lender.start)();
    updates.start();
    show();
    return true;
  };

  return { start, showWindow: front.show, quit };
};
