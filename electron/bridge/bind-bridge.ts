import { AppError, messageOf } from "../../shared/basics/errors.ts";
import { type ChannelName, ipc, type Reply } from "../../shared/desktop/ipc.ts";
import { isOfFarm } from "../addresses/farm-address.ts";
import type { Desktop, Sender } from "../desktop/desktop.ts";
import { type BridgeHandlers, beforeFarm } from "./handlers.ts";

export const channelPrefix = "mediafarm:";

type Needs = {
  readonly desktop: Pick<Desktop, "handle">;
  /** The address of the farm's pages; undefined while there is none, and then nobody may ask. */
  readonly farmUrl: () => string | undefined;
  /** Whether an address is the app's own page of a computer that has no farm yet. */
  readonly isNewPage: (url: string) => boolean;
  readonly handlers: BridgeHandlers;
  readonly onBug: (problem: unknown) => void;
};

/** Binds the bridge's table. Every message is checked before a handler sees it: first its sender, then its content. */
export const bindBridge = ({ desktop, farmUrl, isNewPage, handlers, onBug }: Needs): void => {
  // Object.keys forgets that these are the table's names.
  for (const name of Object.keys(ipc) as ChannelName[]) {
    desktop.handle(channelPrefix + name, async (sender, input) => {
      try {
        const isNew = sender.isMainFrame && sender.url !== undefined && isNewPage(sender.url);
        if (!(isNew && beforeFarm.has(name))) checkSender(sender, farmUrl());
        return { ok: true, value: await answer(name, input, handlers) };
      } catch (problem) {
        return refusal(problem, onBug);
      }
    });
  }
};

/** Only the farm's own page in the window's top frame: no inner frame, no other origin, no page without an origin. */
const checkSender = ({ url, isMainFrame }: Sender, farmUrl: string | undefined): void => {
  if (isMainFrame && url !== undefined && isOfFarm(url, farmUrl)) return;
  throw new AppError("NOT_ALLOWED", "Only the farm's own pages may ask the desktop app");
};

const answer = async (name: ChannelName, input: unknown, handlers: BridgeHandlers): Promise<unknown> => {
  const parsed = ipc[name].input.safeParse(input);
  if (!parsed.success) {
    const words = parsed.error.issues.map(({ path, message }) => [path.join("."), message].filter(Boolean).join(": "));
    throw new AppError("VALIDATION_FAILED", `${name} cannot be asked like this: ${words.join("; ")}`);
  }
  // The mapped type ties each handler to its channel; a loop over the table cannot express that.
  const handler = handlers[name] as (input: unknown) => unknown;
  return ipc[name].returns.parse(await handler(parsed.data));
};

const refusal = (problem: unknown, onBug: (problem: unknown) => void): Reply => {
  if (problem instanceof AppError) return { ok: false, message: problem.message };
  onBug(problem);
  return { ok: false, message: `Internal error: ${messageOf(problem)}` };
};
