import type { Farm } from "./farm.ts";

/** Facts about files are kept so long after they were found; then a file is looked at anew. */
export const factsMs = 90 * 24 * 3_600_000;
/** Rows that one tick looks at. */
const lookedAtOnce = 200;

/** Forgets facts that are old, some of them with every tick, by address from the first to the last and round again. */
export const forgetOldFacts = async (farm: Farm): Promise<void> => {
  const until = farm.clock.now() - factsMs;
  const old = await farm.store.nominate.oldFacts(until, lookedAtOnce);
  if (old.length === 0) return;
  await farm.change([], (draft) => {
    for (const uri of old) {
      const found = draft.facts(uri)?.found;
      if (found !== undefined && found <= until) draft.dropFacts(uri); // unless it was found anew since
    }
  });
};
