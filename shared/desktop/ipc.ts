import { z } from "zod";
import { lendingAction, lendingReport, lendingRules, lendStates } from "../lending/lending.ts";

/** How this computer stands: by what its owner allows, and before that by whether it can take part at all. */
export const computerStates = ["new", "starting", "unreachable", "failed", "paused", ...lendStates] as const;
export type ComputerState = (typeof computerStates)[number];

/** A newer version of the app, and how far it has come. */
export const update = z.strictObject({
  version: z.string(),
  step: z.enum(["downloading", "waiting", "installing"]),
});
export type Update = z.output<typeof update>;

/** What the app tells its user by the system: before work starts, when the disk is nearly full, when it does not run. */
export const appNotices = ["soon", "diskLow", "failed"] as const satisfies readonly ComputerState[];
export type AppNotice = (typeof appNotices)[number];

/** This computer as the window, the tray and the pages show it. */
export const computer = z.strictObject({
  version: z.string(),
  platform: z.string(),
  name: z.string(),
  /** none: nobody has chosen yet · farm: the coordinator runs here · node: the farm runs elsewhere. */
  mode: z.enum(["none", "farm", "node"]),
  /** Host and port of the farm; null while there is none. */
  farm: z.string().nullable(),
  state: z.enum(computerStates),
  /** What is so, in a few words. */
  title: z.string(),
  /** Why, and what happens next, in one or two sentences. */
  words: z.string(),
  rules: lendingRules,
  press: lendingAction.nullable(),
  /** What the agent tells; null while it does not run. */
  report: lendingReport.nullable(),
  /** The node's number in its farm, once the agent has connected. */
  nodeId: z.number().int().nullable(),
  /** Folders that jobs may read and write. */
  roots: z.array(z.string()),
  slots: z.number().int().nullable(),
  dataFolder: z.string(),
  startAtLogin: z.boolean(),
  notices: z.array(z.enum(appNotices)),
  update: update.nullable(),
});
export type Computer = z.output<typeof computer>;

/** A farm that makes itself known in this network. */
export const foundFarm = z.strictObject({ name: z.string(), address: z.string() });
export type FoundFarm = z.output<typeof foundFarm>;

type Channel<Input extends z.ZodType = z.ZodType, Output extends z.ZodType = z.ZodType> = {
  readonly input: Input;
  readonly returns: Output;
};
const channel = <Input extends z.ZodType, Output extends z.ZodType>(input: Input, returns: Output) =>
  ({ input, returns }) satisfies Channel;

const nothing = z.strictObject({});

/**
 * What pages may ask of the desktop app: one line a question. What widens a farm's reach over this computer (a folder,
 * another farm) is confirmed by its user in a dialog that no page can answer; a page of somebody else's farm changes
 * nothing at all without that.
 */
export const ipc = {
  getComputer: channel(nothing, computer),
  setRules: channel(z.strictObject({ rules: lendingRules }), computer),
  /** null: what was pressed before holds no more. */
  press: channel(z.strictObject({ press: lendingAction.nullable() }), computer),
  /** 0 leaves the number to the agent. */
  setSlots: channel(z.strictObject({ slots: z.number().int().min(0).max(1024) }), computer),
  addRoot: channel(nothing, computer),
  removeRoot: channel(z.strictObject({ root: z.string().max(4000) }), computer),
  setStartAtLogin: channel(z.strictObject({ isWanted: z.boolean() }), computer),
  setNotices: channel(z.strictObject({ notices: z.array(z.enum(appNotices)).max(appNotices.length) }), computer),
  /** One of the roots, the data folder, or a folder below them. */
  openFolder: channel(z.strictObject({ folder: z.string().max(4000) }), nothing),
  openInBrowser: channel(nothing, nothing),
  /** Farms that are heard in this network. */
  listFarms: channel(nothing, z.array(foundFarm)),
  startFarm: channel(nothing, computer),
  joinFarm: channel(z.strictObject({ joinToken: z.string().max(4000) }), computer),
  leaveFarm: channel(nothing, computer),
  /** As soon as no task runs here. */
  installUpdate: channel(nothing, computer),
} as const;

export type Ipc = typeof ipc;
export type ChannelName = keyof Ipc;
export type IpcRequestOf<N extends ChannelName> = z.output<Ipc[N]["input"]>;
export type IpcResponseOf<N extends ChannelName> = z.output<Ipc[N]["returns"]>;

/** The app's answer travels as data: Electron would put its own words around an error that was thrown. */
export type Reply = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly message: string };

/** `window.mediafarm` in the desktop app; absent in a browser. Rejects with an Error in words where the app refuses. */
export type Bridge = {
  readonly [N in ChannelName]: (input: z.input<Ipc[N]["input"]>) => Promise<IpcResponseOf<N>>;
} & {
  /** Calls back at every change of this computer until the function returned is called. */
  readonly onComputer: (listener: (computer: Computer) => void) => () => void;
  /** Where a file lies that somebody dropped on the window; empty where it lies nowhere. */
  readonly pathOf: (file: File) => string;
};
