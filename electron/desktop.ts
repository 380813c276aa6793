import type { Reply } from "../shared/ipc.ts";
import type { Release } from "./update-feed.ts";

/** A page that asks: only what the app's checks need of Electron's event. */
export type Sender = {
  /** The frame's own address; undefined where the frame is gone. */
  readonly url: string | undefined;
  readonly isMainFrame: boolean;
};

export type Bounds = { readonly x?: number; readonly y?: number; readonly width: number; readonly height: number };

/** An entry of a menu; a role is one that Electron fills in itself. */
export type MenuEntry =
  | { readonly separator: true }
  | { readonly role: string }
  | {
      readonly label: string;
      readonly keys?: string;
      readonly isEnabled?: boolean;
      /** One of several of which one is chosen. */
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
  /** Whether an address may be handed to the system's browser. */
  readonly isForBrowser: (url: string) => boolean;
  /** False keeps the window as it is. */
  readonly mayClose: () => boolean;
  /** A page could not be fetched. */
  readonly onLoadFailed: () => void;
  /** The process that draws the page has died. */
  readonly onGone: (why: string) => void;
};

export type Tray = { show(face: { readonly tooltip: string; readonly entries: readonly MenuEntry[] }): void };

/** A child process of the app: a coordinator or an agent. */
export type ServiceProcess = {
  post(message: unknown): void;
  kill(): void;
};

export type ServiceEars = {
  readonly onMessage: (message: unknown) => void;
  readonly onExit: (status: number | null) => void;
};

export type Question = {
  readonly message: string;
  readonly detail: string;
  /** The last one is the safe answer, which Esc gives. */
  readonly buttons: readonly string[];
};

/** What the system shows for a moment, outside of the window. */
export type Notice = {
  readonly title: string;
  readonly body: string;
  /** Where the system shows no buttons, a click opens the window, which has them. */
  readonly actions: readonly { readonly label: string; readonly run: () => void }[];
  readonly onClick: () => void;
};

/** Fetches and installs a version of the app itself. */
export type Updater = {
  /** Fetches what the signed release names, and refuses a file whose hash is another. */
  download(feed: string, release: Release): Promise<void>;
  /** Ends the app, puts the new version in its place and starts that. */
  install(): void;
};

/** The few things the app asks of Electron; tests answer in its place. */
export type Desktop = {
  readonly version: string;
  readonly platform: string;
  /** Undefined where this app was not installed by a package that can be replaced. */
  readonly updater: Updater | undefined;
  /** True for the first start; a second one is to leave. */
  takeSingleInstance(onSecondStart: () => void): boolean;
  openWindow(needs: WindowNeeds): Window;
  /** Undefined where the desktop has none. */
  openTray(onClick: () => void): Tray | undefined;
  setMenu(entries: readonly MenuEntry[]): void;
  startService(name: ServiceName, ears: ServiceEars): ServiceProcess;
  handle(channel: string, answer: (sender: Sender, input: unknown) => Promise<Reply>): void;
  openExternal(url: string): void;
  openFolder(folder: string): void;
  /** Selects it in the system's file browser, and opens nothing: a folder can be a program. */
  showInFolder(path: string): void;
  /** The answer's index in `buttons`. */
  ask(question: Question): Promise<number>;
  chooseFolder(title: string): Promise<string | undefined>;
  copiedText(): Promise<string>;
  showProblem(title: string, words: string): void;
  /** Milliseconds since the last mouse move or key; undefined where the system's word cannot be trusted. */
  idleMs(): number | undefined;
  isOnBattery(): boolean | undefined;
  /** Calls back when the computer goes to sleep and when it wakes. */
  onSleep(listener: (isAsleep: boolean) => void): void;
  /** Keeps the computer from sleeping by itself; its display may still go dark. */
  keepAwake(isWanted: boolean): void;
  notify(notice: Notice): void;
  setStartAtLogin(isWanted: boolean): void;
  /** Calls back with addresses of the app's own scheme that the system hands over. */
  onAddress(listener: (address: string) => void): void;
  /** Keys that work in every program; false where another program has them. */
  onKeys(keys: string, listener: () => void): boolean;
  /** Ends the process without asking anybody again. */
  exit(): void;
};

export const serviceNames = ["coordinator", "agent"] as const;
export type ServiceName = (typeof serviceNames)[number];
