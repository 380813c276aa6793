import type { Reply } from "../../shared/desktop/ipc.ts";
import type { Release } from "../releases/update-feed.ts";
import type { TrayPicture } from "./tray-icon.ts";

/** The page that sent a message: the part of Electron's event that the app checks. */
export type Sender = {
  /** The frame's own address; undefined if the frame is gone. */
  readonly url: string | undefined;
  readonly isMainFrame: boolean;
};

export type Bounds = { readonly x?: number; readonly y?: number; readonly width: number; readonly height: number };

/** A menu entry; Electron fills in those with a role. */
export type MenuEntry =
  | { readonly separator: true }
  | { readonly role: string }
  | {
      readonly label: string;
      readonly keys?: string;
      readonly isEnabled?: boolean;
      /** One of several choices. */
      readonly isChosen?: boolean;
      readonly click?: () => void;
      readonly entries?: readonly MenuEntry[];
    };

export type Window = {
  load(url: string): void;
  url(): string;
  focus(): void;
  hide(): void;
  send(channel: string, message: unknown): void;
  bounds(): Bounds;
};

export type WindowNeeds = {
  readonly bounds: Bounds | undefined;
  /** Whether a page may be shown inside the window. */
  readonly isOwn: (url: string) => boolean;
  /** Whether a server's certificates, PEM, prove that it may be shown; undefined leaves that to Chromium. */
  readonly mayShow?: (host: string, chain: readonly string[]) => boolean | undefined;
  /** Whether the system's browser may open an address. */
  readonly isForBrowser: (url: string) => boolean;
  /** False keeps the window as it is. */
  readonly mayClose: () => boolean;
  /** A page could not be loaded. */
  readonly onLoadFailed: () => void;
  /** The page's renderer process has died. */
  readonly onGone: (why: string) => void;
};

export type TrayFace = {
  readonly picture: TrayPicture;
  readonly tooltip: string;
  readonly entries: readonly MenuEntry[];
};
export type Tray = { show(face: TrayFace): void };

/** A child process of the app: a coordinator or an agent. */
export type ServiceProcess = {
  post(message: unknown): void;
  kill(): void;
};

export type ServiceListeners = {
  readonly onMessage: (message: unknown) => void;
  readonly onExit: (status: number | null) => void;
};

export type Question = {
  readonly message: string;
  readonly detail: string;
  /** The last one is the safe answer; Esc chooses it. */
  readonly buttons: readonly string[];
};

/** A notification of the system. */
export type Notice = {
  readonly title: string;
  readonly body: string;
  /** If the system shows no buttons, a click opens the window, which has them. */
  readonly actions: readonly { readonly label: string; readonly run: () => void }[];
  readonly onClick: () => void;
};

/** Fetches and installs a version of the app itself. */
export type Updater = {
  /** Fetches what the signed release names, and refuses a file with a different hash. */
  download(feed: string, release: Release): Promise<void>;
  /** Ends the app, installs the new version and starts it. */
  install(): void;
};

/** What the app needs from Electron; tests replace it. */
export type Desktop = {
  readonly version: string;
  /** The language of its user, such as de-AT. */
  readonly locale: string;
  readonly platform: string;
  /** Undefined if this app was not installed by a package that can be updated. */
  readonly updater: Updater | undefined;
  /** True for the first instance; a second one must exit. */
  takeSingleInstance(onSecondStart: () => void): boolean;
  openWindow(needs: WindowNeeds): Window;
  /** Undefined if the desktop has none. */
  openTray(onClick: () => void): Tray | undefined;
  setMenu(entries: readonly MenuEntry[]): void;
  startService(name: ServiceName, ears: ServiceListeners): ServiceProcess;
  handle(channel: string, answer: (sender: Sender, input: unknown) => Promise<Reply>): void;
  openExternal(url: string): void;
  openFolder(folder: string): void;
  /** Selects it in the system's file browser without opening it: a folder can be a program. */
  showInFolder(path: string): void;
  /** The answer's index in `buttons`. */
  ask(question: Question): Promise<number>;
  chooseFolder(title: string): Promise<string | undefined>;
  copiedText(): Promise<string>;
  showProblem(title: string, words: string): void;
  /** Milliseconds since the last mouse move or key; undefined if the system's value cannot be trusted. */
  idleMs(): number | undefined;
  isOnBattery(): boolean | undefined;
  /** Calls back when the computer goes to sleep and when it wakes, until the returned function is called. */
  onSleep(listener: (isAsleep: boolean) => void): () => void;
  /** Keeps the computer from falling asleep; its display may still turn off. */
  keepAwake(isWanted: boolean): void;
  notify(notice: Notice): void;
  setStartAtLogin(isWanted: boolean): void;
  /** Calls back with addresses of the app's own scheme that the system passes on. */
  onAddress(listener: (address: string) => void): void;
  /** Registers a global shortcut; false if another program uses it. */
  onKeys(keys: string, listener: () => void): boolean;
  /** Ends the process without further questions. */
  exit(): void;
};

export const serviceNames = ["coordinator", "agent"] as const;
export type ServiceName = (typeof serviceNames)[number];
