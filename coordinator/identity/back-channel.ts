import { AppError } from "../../shared/basics/errors.ts";
import type { Logout } from "./logout-token.ts";
import { createMemory } from "./memory.ts";
import type { IdentityNeeds } from "./needs.ts";
import type { ProviderMetadata } from "./provider.ts";
import type { ReachOf } from "./reach.ts";
import { type Provider, readIdentity, requireProvider } from "./settings.ts";
import { createSignerKeys } from "./signer-keys.ts";

const library = () => import("./logout-token.ts");

/** The longest token that is looked at. */
const longestToken = 8000;

type Ways = { readonly reachOf: ReachOf; readonly metadataOf: (provider: Provider) => Promise<ProviderMetadata> };

/** A provider tells that somebody signed out there: OpenID Connect Back-Channel Logout 1.0. */
export const createBackChannel = ({ farm, people }: IdentityNeeds, { reachOf, metadataOf }: Ways) => {
  // A token counts once; those of strangers are not remembered.
  const used = createMemory<true>(10_000);
  const keys = createSignerKeys(farm.clock, async (provider) =>
    (await library()).fetchKeys(await metadataOf(provider), await reachOf(provider)),
  );
  const verify = async (token: string, provider: Provider): Promise<Logout> => {
    const { UnknownSigner, unfit, verifyLogout } = await library();
    const metadata = await metadataOf(provider);
    const reach = await reachOf(provider);
    const check = async (wishes: { readonly fresh: boolean }) =>
      verifyLogout(token, provider, { metadata, keys: await keys.of(provider, wishes) }, reach);
    try {
      // Its keys may have changed since they were asked for.
      return await check({ fresh: false }).catch((problem: unknown) => {
        if (problem instanceof UnknownSigner) return check({ fresh: true });
        throw problem;
      });
    } catch (problem) {
      if (problem instanceof UnknownSigner) throw unfit("it is not signed by the provider");
      if (problem instanceof AppError) throw problem;
      throw new AppError("UNAVAILABLE", `The keys of ${provider.name} cannot be read now`, { cause: problem });
    }
  };

  return {
    /** Ends the sessions that a provider's token names. Throws AppError for whatever is no such token. */
    endByProvider: async (name: string, token: string, ip: string): Promise<void> => {
      const provider = requireProvider(await readIdentity(farm), name);
      const { readLogout, unfit } = await library();
      if (token.length > longestToken) throw unfit("it is too long");
      readLogout(token, provider);
      const { jti, subject, sid } = await verify(token, provider);
      const key = `${provider.issuer} ${jti}`;
      if (!used.add(key, true)) throw unfit("it was used already");
      const ended = await people.endVouched(provider.issuer, { subject, sid }).catch((problem: unknown) => {
        used.take(key); // nothing was done yet: the provider may send it again
        throw problem;
      });
      farm.log.info({ provider: name, ended }, "a provider signs somebody out");
      const about = { ...(subject !== null && { subject }), sessions: ended };
      farm.trail.note({ who: `the provider ${name}`, origin: ip, action: "endSessions", about });
    },
  };
};
