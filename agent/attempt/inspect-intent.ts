import { messageOf } from "../../shared/basics/errors.ts";
import type { Fence } from "../../shared/protocol/messages.ts";
import { fenceKey } from "../../shared/protocol/messages.ts";
import type { Intent, SeenState } from "../../shared/work/work.ts";
import type { Log } from "../log.ts";
import type { StorageView } from "../paths/storage-view.ts";

export type InspectNeeds = { readonly viewOf: () => StorageView; readonly log: Log };

/** How far another node got with publishing an intent, as seen from this node. */
export const inspectIntent = async (
  intent: Intent,
  fence: Fence,
  { viewOf, log }: InspectNeeds,
): Promise<SeenState> => {
  const { publisher, release } = viewOf();
  try {
    let seen: SeenState = "published";
    for (const file of intent.files) {
      const state = await publisher.stateOf(file);
      if (state === "absent") return "absent";
      if (state === "ready") seen = "ready";
    }
    return seen;
  } catch (error) {
    log.info("Cannot check the files of another node's attempt", { fence: fenceKey(fence), why: messageOf(error) });
    return "out_of_reach";
  } finally {
    await release();
  }
};
