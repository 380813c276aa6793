import { z } from "zod";

/** Whether this computer takes work from its farm, as people read it. */
export const lendings = ["starting", "lending", "paused", "unreachable", "stopped"] as const;
export type Lending = (typeof lendings)[number];

/** This computer as the window, the tray and the pages show it. */
export const computer = z.strictObject({
  version: z.string(),
  platform: z.string(),
  /** farm: the coordinator runs here · node: the farm runs elsewhere, and this computer joined it. */
  mode: z.enum(["farm", "node"]),
  lending: z.enum(lendings),
  /** What is so, why, and what can be done, in one or two sentences. */
  words: z.string(),
  /** What pausing does to the work that runs here; it differs between the two modes. */
  pauseWords: z.string(),
  /** Tasks that run here now; unknown on a computer that joined a farm. */
  running: z.number().int().nullable(),
  /** The node's number in its farm, once the agent has connected. */
  nodeId: z.number().int().nullable(),
  /** Folders that jobs may read and write. */
  roots: z.array(z.string()),
  slots: z.number().int().nullable(),
  dataFolder: z.string(),
});
export type Computer = z.output<typeof computer>;

type Channel<Input extends z.ZodType = z.ZodType, Output extends z.ZodType = z.ZodType> = {
  readonly input: Input;
  readonly returns: Output;
};
const channel = <Input extends z.ZodType, Output extends z.ZodType>(input: Input, returns: Output) =>
  ({ input, returns }) satisfies Channel;

const nothing = z.strictObject({});

/**
 * What pages may ask of the desktop app: one line a question. What widens the farm's reach over this computer (a folder,
 * another farm) is confirmed by its user in a dialog that no page can answer.
 */
export const ipc = {
  getComputer: channel(nothing, computer),
  setLending: channel(z.strictObject({ isLending: z.boolean() }), computer),
  /** 0 leaves the number to the agent. */
  setSlots: channel(z.strictObject({ slots: z.number().int().min(0).max(1024) }), computer),
  addRoot: channel(nothing, computer),
  removeRoot: channel(z.strictObject({ root: z.string().max(4000) }), computer),
  /** One of the roots, the data folder, or a folder below them. */
  openFolder: channel(z.strictObject({ folder: z.string().max(4000) }), nothing),
  openInBrowser: channel(nothing, nothing),
  joinFarm: channel(z.strictObject({ joinToken: z.string().max(4000) }), computer),
  leaveFarm: channel(nothing, computer),
} as const;

export type Ipc = typeof ipc;
export type ChannelName = keyof Ipc;
export type AskedOf<N extends ChannelName> = z.output<Ipc[N]["input"]>;
export type AnswerOf<N extends ChannelName> = z.output<Ipc[N]["returns"]>;

/** The app's answer travels as data: Electron would put its own words around an error that was thrown. */
export type Reply = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly message: string };

/** `window.mediafarm` in the desktop app; absent in a browser. Rejects with an Error in words where the app refuses. */
export type Bridge = {
  readonly [N in ChannelName]: (input: z.input<Ipc[N]["input"]>) => Promise<AnswerOf<N>>;
} & {
  /** Calls back at every change of this computer until the function returned is called. */
  readonly onComputer: (listener: (computer: Computer) => void) => () => void;
};
