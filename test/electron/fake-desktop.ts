import type {
  Bounds,
  Desktop,
  MenuEntry,
  Notice,
  Question,
  Sender,
  ServiceListeners,
  ServiceName,
  Window,
  WindowNeeds,
} from "../../electron/desktop/desktop.ts";
import type { TrayPicture } from "../../electron/desktop/tray-icon.ts";
import type { Release } from "../../electron/releases/update-feed.ts";
import type { ServiceMessage } from "../../electron/services/service-messages.ts";
import type { Reply } from "../../shared/desktop/ipc.ts";

export type FakeService = {
  readonly name: ServiceName;
  readonly said: unknown[];
  readonly isKilled: () => boolean;
  readonly tell: (message: ServiceMessage) => void;
  readonly exit: (status: number) => void;
};

type FakeWindow = Window & { needs: WindowNeeds; pages: string[]; sent: unknown[]; isHidden: boolean; focused: number };

/** A desktop that does nothing and remembers all. A service ends when it is told to, unless it is stubborn. */
export const createFakeDesktop = (
  options: { readonly isFirst?: boolean; readonly hasTray?: boolean; readonly locale?: string } = {},
) => {
  const { isFirst = true, hasTray = true } = options;
  const windows: FakeWindow[] = [];
  const services: FakeService[] = [];
  const calls: string[] = [];
  const questions: Question[] = [];
  const notices: Notice[] = [];
  const downloads: { feed: string; release: Release }[] = [];
  const channels = new Map<string, (sender: Sender, input: unknown) => Promise<Reply>>();
  const state = {
    answer: 0,
    chosen: undefined as string | undefined,
    copied: "",
    isStubborn: false,
    picture: "off" as TrayPicture,
    tooltip: "",
    tray: [] as readonly MenuEntry[],
    menu: [] as readonly MenuEntry[],
    exits: 0,
    idleMs: undefined as number | undefined,
    isOnBattery: false as boolean | undefined,
    isAwake: false,
    startsAtLogin: false,
    installed: 0,
    downloadProblem: undefined as Error | undefined,
    sleep: (_isAsleep: boolean) => {},
    openAddress: (_address: string) => {},
    pressKeys: () => {},
    startAgain: () => {},
  };

  const startService = (name: ServiceName, { onMessage, onExit }: ServiceListeners) => {
    const said: unknown[] = [];
    let isKilled = false;
    services.push({ name, said, isKilled: () => isKilled, tell: onMessage, exit: onExit });
    return {
      post: (message: unknown) => {
        said.push(structuredClone(message));
        const isStop = (message as { type: string }).type === "stop"; // both messages have one
        if (isStop && !state.isStubborn) queueMicrotask(() => onExit(0));
      },
      kill: () => {
        isKilled = true;
        queueMicrotask(() => onExit(null));
      },
    };
  };

  const desktop: Desktop = {
    version: "1.2.3",
    locale: options.locale ?? "en-GB",
    platform: "linux",
    updater: {
      download: async (feed, release) => {
        downloads.push({ feed, release });
        if (state.downloadProblem) throw state.downloadProblem;
      },
      install: () => {
        state.installed += 1;
      },
    },
    takeSingleInstance: (onSecondStart) => {
      state.startAgain = onSecondStart;
      return isFirst;
    },
    openWindow: (needs) => {
      const window: FakeWindow = {
        needs,
        pages: [],
        sent: [],
        isHidden: false,
        focused: 0,
        load: (url) => {
          window.pages.push(url);
        },
        url: () => window.pages.at(-1) ?? "",
        focus: () => {
          window.focused += 1;
        },
        hide: () => {
          window.isHidden = true;
        },
        send: (_channel, message) => {
          window.sent.push(message);
        },
        bounds: (): Bounds => ({ x: 1, y: 2, width: 1000, height: 700 }),
      };
      windows.push(window);
      return window;
    },
    openTray: () =>
      hasTray
        ? {
            show: ({ picture, tooltip, entries }) => {
              state.picture = picture;
              Object.assign(state, { tooltip, tray: entries });
            },
          }
        : undefined,
    setMenu: (entries) => {
      state.menu = entries;
    },
    startService,
    handle: (channel, answer) => {
      channels.set(channel, answer);
    },
    openExternal: (url) => calls.push(`browser ${url}`),
    openFolder: (folder) => calls.push(`open ${folder}`),
    showInFolder: (path) => calls.push(`show ${path}`),
    ask: async (question) => {
      questions.push(question);
      return state.answer;
    },
    chooseFolder: async () => state.chosen,
    copiedText: async () => state.copied,
    showProblem: (_title, words) => {
      calls.push(`problem ${words}`);
    },
    idleMs: () => state.idleMs,
    isOnBattery: () => state.isOnBattery,
    onSleep: (listener) => {
      state.sleep = listener;
      return () => {
        state.sleep = () => {};
      };
    },
    keepAwake: (isWanted) => {
      state.isAwake = isWanted;
    },
    notify: (notice) => {
      notices.push(notice);
    },
    setStartAtLogin: (isWanted) => {
      state.startsAtLogin = isWanted;
    },
    onAddress: (listener) => {
      state.openAddress = listener;
    },
    onKeys: (_keys, listener) => {
      state.pressKeys = listener;
      return true;
    },
    exit: () => {
      state.exits += 1;
    },
  };

  return {
    desktop,
    state,
    windows,
    calls,
    questions,
    notices,
    downloads,
    /** The latest of that name, dead ones too. */
    service: (name: ServiceName): FakeService => {
      const found = services.findLast((each) => each.name === name);
      if (!found) throw new Error(`no ${name} was started`);
      return found;
    },
    countOf: (name: ServiceName): number => services.filter((each) => each.name === name).length,
    /** A page asks over the bridge. */
    ask: (channel: string, input: unknown, sender: Partial<Sender> = {}): Promise<Reply> => {
      const answer = channels.get(`mediafarm:${channel}`);
      if (!answer) throw new Error(`nobody hears ${channel}`);
      return answer({ url: "http://127.0.0.1:8700/jobs", isMainFrame: true, ...sender }, input);
    },
    /** Clicks the entry of that label, wherever it stands. */
    click: (label: string, menu: readonly MenuEntry[] = state.menu): void => {
      const entry = flat(menu).find((each) => "label" in each && each.label === label);
      if (!entry || !("click" in entry) || !entry.click) throw new Error(`no entry "${label}" can be clicked`);
      entry.click();
    },
  };
};

export const labelsOf = (menu: readonly MenuEntry[]): string[] =>
  flat(menu).flatMap((entry) => ("label" in entry ? [entry.label] : []));

const flat = (menu: readonly MenuEntry[]): MenuEntry[] =>
  menu.flatMap((entry) => ("entries" in entry && entry.entries ? [entry, ...flat(entry.entries)] : [entry]));
