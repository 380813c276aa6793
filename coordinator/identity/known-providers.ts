import type { Clock } from "../../shared/basics/clock.ts";
import type { ProviderMetadata } from "./provider.ts";
import type { Provider } from "./settings.ts";

/** What a provider says about itself holds for so long … */
const goodMs = 5 * 60_000;
/** … and that it did not answer for so long: strangers may press a button as often as they like. */
const badMs = 10_000;

type Known = { readonly found: Promise<ProviderMetadata>; readonly until: number };

/** What providers say about themselves, asked once for all who want to know at the same time. */
export const createKnownProviders = (
  clock: Pick<Clock, "monotonic">,
  discover: (provider: Provider) => Promise<ProviderMetadata>,
) => {
  const known = new Map<string, Known>();
  const ask = (provider: Provider): Promise<ProviderMetadata> => {
    const found = discover(provider);
    const keep = (ms: number) => known.set(provider.issuer, { found, until: clock.monotonic() + ms });
    known.set(provider.issuer, { found, until: Number.POSITIVE_INFINITY }); // while it is asked
    found.then(
      () => keep(goodMs),
      () => keep(badMs),
    );
    return found;
  };
  return {
    of: (provider: Provider): Promise<ProviderMetadata> => {
      const has = known.get(provider.issuer);
      return has && has.until > clock.monotonic() ? has.found : ask(provider);
    },
    /** Asks anew, whatever is known. */
    ask,
    forget: (): void => known.clear(),
  };
};
