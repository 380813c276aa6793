import { AppError, messageOf } from "../shared/basics/errors.ts";
import type { Computer, FoundFarm } from "../shared/desktop/ipc.ts";
import { pauseButtons } from "../shared/lending/pause-buttons.ts";
import { readDeepLink } from "./addresses/deep-link.ts";
import { bindBridge } from "./bridge/bind-bridge.ts";
import { bridgeHandlers } from "./bridge/handlers.ts";
import { defaultMediaFolder } from "./desktop/default-folders.ts";
import type { Desktop, Tray } from "./desktop/desktop.ts";
import type { Settings } from "./desktop/settings.ts";
import { createUpdates } from "./desktop/updates.ts";
import { createLender, type Lender, type LenderNeeds } from "./lending/lender.ts";
import { createActions } from "./menu/actions.ts";
import { type Actions, lendingKeys, windowMenu } from "./menu/menu.ts";
import { menuActions } from "./menu/menu-actions.ts";
import { createNotices } from "./menu/notices.ts";
import { showInTray } from "./menu/tray.ts";
import { createMainWindow } from "./window/main-window.ts";

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
  const { desktop, settings, clock, logBug } = needs;
  const inWords = problemTeller(needs);
  const farms = foundFarms(needs.findFarms);
  let quitting: Promise<void> | undefined;
  const isQuitting = () => quitting !== undefined;
  const quit = (): Promise<void> => {
    quitting ??= (async () => {
      front.keepBounds();
      updates.stop();
      farms.stop();
      await lender.stop();
      settings.change({ isRunning: false });
      desktop.exit();
    })();
    return quitting;
  };

  const lender = createLender({ ...needs, onChange: () => screen.show() });
  const mediaFolder = defaultMediaFolder(needs.home);
  const front = createMainWindow({ clock, desktop, settings, lender, mediaFolder, isQuitting, quit, logBug });
  const onMoved = (): void => {
    front.startOver();
    screen.show();
  };
  const own = createActions({ desktop, settings, lender, onMoved });
  const updates = createUpdates({
    ...{ desktop, clock, fetch: needs.fetch, running: lender.running, drain: lender.drain, onProblem: logBug },
    source: () => updateSource(settings.get(), needs.updateKey),
    onChange: () => screen.show(),
  });
  const computer = (): Computer => ({ ...lender.computer(), update: updates.state() });
  const actions = menuActions({ ...needs, lender, front, own, updates, inWords, quit, onChange: () => screen.show() });
  const screen = createScreen({ desktop, lender, front, updates, actions, computer, isQuitting });

  const start = (): boolean => {
    if (!desktop.takeSingleInstance(front.show)) return false;
    noteCrash(needs);
    const can = { desktop, settings, lender, actions: own, computer, installUpdate: updates.install };
    const handlers = bridgeHandlers({ ...can, listFarms: farms.list });
    bindBridge({ desktop, farmUrl: lender.farmUrl, isNewPage: front.isNewPage, handlers, onBug: logBug });
    screen.openTray();
    if (settings.problem) desktop.showProblem("Mediafarm", settings.problem);
    desktop.onAddress((address) => {
      const link = readDeepLink(address);
      if (link?.open === "page") front.goTo(link.hash);
      if (link?.open === "join") inWords(() => own.joinFarm(link.joinToken))();
    });
    desktop.onKeys(lendingKeys, () => actions.press(settings.get().press?.do === "stop" ? null : pauseButtons.stop()));
    front.open();
    inWords(lender.start)();
    updates.start();
    screen.show();
    return true;
  };

  return { start, showWindow: front.show, quit };
};

/** Tells the person if what they chose in a menu could not be done. */
const problemTeller =
  ({ desktop, logBug }: Pick<AppNeeds, "desktop" | "logBug">) =>
  (act: () => unknown) =>
  (): void => {
    const tell = (problem: unknown): void => {
      if (!(problem instanceof AppError)) logBug(problem);
      desktop.showProblem("Mediafarm", messageOf(problem));
    };
    (async () => act())().catch(tell);
  };

/** Listening begins when somebody asks for the farms of this network. */
const foundFarms = (find: AppNeeds["findFarms"]) => {
  let farms: ReturnType<AppNeeds["findFarms"]> | undefined;
  return {
    list: (): readonly FoundFarm[] => {
      farms ??= find();
      return farms.found();
    },
    stop: () => farms?.stop(),
  };
};

const updateSource = ({ updateFeed: feed }: Settings, publicKey: string | undefined) =>
  feed !== null && publicKey !== undefined ? { feed, publicKey } : undefined;

/** Reports if the previous run did not end cleanly; by then the agent has cleaned up after it. */
const noteCrash = ({ settings, logBug }: Pick<AppNeeds, "settings" | "logBug">): void => {
  if (settings.get().isRunning) {
    logBug(new Error("The app ended without being asked to. Verified work is reported, the rest starts again."));
  }
  settings.change({ isRunning: true });
};

type ScreenNeeds = {
  readonly desktop: Desktop;
  readonly lender: Pick<Lender, "isWorking">;
  readonly front: ReturnType<typeof createMainWindow>;
  readonly updates: Pick<ReturnType<typeof createUpdates>, "look">;
  readonly actions: Actions;
  readonly computer: () => Computer;
  readonly isQuitting: () => boolean;
};

/** All that people see: tray, menu, notices, and the window's page. */
const createScreen = ({ desktop, lender, front, updates, actions, computer, isQuitting }: ScreenNeeds) => {
  const tellOwner = createNotices({ desktop, actions });
  let tray: Tray | undefined;
  let shown = "";
  return {
    openTray: (): void => {
      tray = desktop.openTray(front.show);
    },
    /** Updates what has changed; the rest stays as it is. */
    show: (): void => {
      if (isQuitting()) return;
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
    },
  };
};
