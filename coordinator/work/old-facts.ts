import type { Farm } from "./farm.ts";

/** How long facts about files are kept. Afterwards a file is probed again. */
export const factsMs = 90 * 24 * 3_600_000;
/** The number of rows that one tick examines. */
const lookedAtOnce = 200;

/** Deletes old facts. Each tick examines the next rows, in the order of addresses, and starts over at the end. */
export const forgetOldFacts = async (farm: Farm): Promise<void> => {
  const until = farm.clock.now() - factsMs;
  const old = await farm.store.due.oldFacts(until, lookedAtOnce);
  if (old.length === 0) return;
  await farm.change([], (draft) => {
    for (const uri of old) {
      const found = draft.facts(uri)?.found;
      if (found !== undefined && found <= until) draft.dropFacts(uri); // unless it was found anew since
    }
  });
};
