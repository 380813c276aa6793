import { AppError } from "../../shared/basics/errors.ts";
import type { IdentityProvider, IdentityView } from "../../shared/people/identity.ts";
import { signInRefusals } from "../../shared/people/refusals.ts";
import type { Session } from "../people/people.ts";
import { createBackChannel } from "./back-channel.ts";
import { createEntrance } from "./entrance.ts";
import { createKnownProviders } from "./known-providers.ts";
import { createMemory } from "./memory.ts";
import type { IdentityNeeds } from "./needs.ts";
import { createOwnLinks } from "./own-links.ts";
import { createReach, library } from "./reach.ts";
import { ownErrorIn, tellTrouble, troubleOf } from "./refusals.ts";
import {
  changeIdentity,
  consequencesOf,
  type IdentitySettings,
  type Provider,
  readIdentity,
  requireProvider,
  viewOfIdentity,
  withoutProvider,
  withProvider,
} from "./settings.ts";

export type Identity = ReturnType<typeof createIdentity>;

/** People come in by identity providers: their groups there decide whether, and as what. */
export const createIdentity = (needs: IdentityNeeds) => {
  const { farm } = needs;
  const reachOf = createReach(needs);
  const known = createKnownProviders(farm.clock, async (each: Provider) =>
    (await library()).discoverProvider(each, await reachOf(each)),
  );
  const used = createMemory<true>();
  // For a sign-out there. They are kept in memory alone; without one, the provider asks whether it is meant.
  const idTokens = createMemory<string>();
  const metadataOf = (provider: Provider) =>
    known.of(provider).catch((problem) => tellTrouble(farm, provider.name, problem));

  return {
    ...createEntrance(needs, { reachOf, metadataOf, used, idTokens }),
    ...createOwnLinks(needs),
    ...createBackChannel(needs, { reachOf, metadataOf }),
    ...createSettings(needs, known),
    /** Where a browser goes to sign out at the provider as well; null where there is no such place, or it does not answer. */
    addressToLeave: async ({ issuer, hash }: Session, origin: string): Promise<string | null> => {
      const provider = (await readIdentity(farm)).providers.find((each) => each.issuer === issuer);
      const metadata = provider && (await known.of(provider).catch(() => undefined));
      if (!provider || !metadata) return null;
      const back = { back: `${origin}/`, idToken: idTokens.take(hash) };
      const { addressToSignOut } = await library();
      return addressToSignOut(provider, metadata, back, await reachOf(provider))?.href ?? null;
    },
  };
};

const createSettings = ({ farm, people }: IdentityNeeds, known: ReturnType<typeof createKnownProviders>) => {
  const change = async (decide: (before: IdentitySettings) => IdentitySettings, by: Session): Promise<IdentityView> => {
    const { before, after } = await changeIdentity(farm, decide);
    known.forget();
    for (const { issuer, people: they } of consequencesOf(before, after)) {
      await people.endSessions(issuer, by);
      if (they === "go") await people.removeVouched(issuer, null);
    }
    return viewOfIdentity(after);
  };
  return {
    view: async (): Promise<IdentityView> => viewOfIdentity(await readIdentity(farm)),
    /** Only whom a provider let in shows that nobody is shut out; the machine itself may always. */
    setPasswords: (passwords: boolean, by: Session): Promise<IdentityView> => {
      if (!passwords && by.issuer === null && !by.isMachine)
        throw new AppError("CONFLICT", signInRefusals.providerFirst);
      return change((before) => requireWay({ ...before, passwords }), by);
    },
    putProvider: (given: IdentityProvider, by: Session): Promise<IdentityView> =>
      change((before) => requireStays(withProvider(before, given), by), by),
    removeProvider: (name: string, by: Session): Promise<IdentityView> =>
      change((before) => requireStays(withoutProvider(before, name), by), by),
    /** Asks the provider about itself. Throws AppError with what is wrong. */
    test: async (name: string) => {
      const provider = requireProvider(await readIdentity(farm), name);
      const { issuer, end_session_endpoint, backchannel_logout_supported } = await known
        .ask(provider)
        .catch((problem) => {
          throw (
            ownErrorIn(problem) ?? new AppError("CONFLICT", `${name} cannot be asked: ${troubleOf(problem).detail}`)
          );
        });
      return {
        ...{ issuer, ends_sessions: end_session_endpoint !== undefined },
        tells_sign_outs: backchannel_logout_supported === true,
      };
    },
  };
};

const requireWay = (settings: IdentitySettings): IdentitySettings => {
  if (settings.passwords || settings.providers.length > 0) return settings;
  throw new AppError("CONFLICT", signInRefusals.noProvider);
};

/** An owner does not remove themselves by accident. */
const requireStays = (settings: IdentitySettings, { issuer, home }: Session): IdentitySettings => {
  const isThere = (wanted: string | null): boolean =>
    wanted === null || settings.providers.some((each) => each.issuer === wanted);
  if (isThere(issuer) && isThere(home)) return settings;
  throw new AppError("CONFLICT", signInRefusals.ownProvider);
};
