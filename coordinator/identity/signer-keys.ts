import type { Clock } from "../../shared/basics/clock.ts";
import type { KeySet } from "./logout-token.ts";
import type { Provider } from "./settings.ts";

/** Keys that were asked for hold for so long … */
const goodMs = 5 * 60_000;
/** … and are asked for again at most this often: strangers may name keys that there are not. */
const againMs = 10_000;

type Known = { readonly found: Promise<KeySet>; readonly at: number };

/** The keys with which providers sign, asked for once for all who want them at the same time. */
export const createSignerKeys = (
  clock: Pick<Clock, "monotonic">,
  fetchKeys: (provider: Provider) => Promise<KeySet>,
) => {
  const known = new Map<string, Known>();
  return {
    /** `fresh`: those that are known do not fit. */
    of: (provider: Provider, { fresh }: { readonly fresh: boolean }): Promise<KeySet> => {
      const has = known.get(provider.issuer);
      const age = has ? clock.monotonic() - has.at : Number.POSITIVE_INFINITY;
      if (has && age < (fresh ? againMs : goodMs)) return has.found;
      const found = fetchKeys(provider);
      known.set(provider.issuer, { found, at: clock.monotonic() });
      // What did not answer is asked again as soon as it may be.
      found.catch(() => {
        const isNewest = known.get(provider.issuer)?.found === found;
        if (isNewest) known.set(provider.issuer, { found, at: clock.monotonic() - goodMs + againMs });
      });
      return found;
    },
  };
};
