import type { Kernel } from "../kernel/kernel.ts";

/** How long facts about files are kept. Afterwards a file is probed again. */
export const factsMs = 90 * 24 * 3_600_000;
/** The number of rows that one tick deletes. */
const mostAtOnce = 200;

/** Deletes old facts, the oldest first, some with each tick. */
export const forgetOldFacts = async (farm: Pick<Kernel, "clock" | "store" | "change">): Promise<void> => {
  const until = farm.clock.now() - factsMs;
  const old = await farm.store.due.oldFacts(until, mostAtOnce);
  if (old.length === 0) return;
  await farm.change({ facts: old }, (draft) => {
    for (const uri of old) {
      const found = draft.facts(uri)?.found;
      if (found !== undefined && found <= until) draft.dropFacts(uri); // unless it was found anew since
    }
  });
};
