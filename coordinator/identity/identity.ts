import { AppError } from "../../shared/basics/errors.ts";
import type { Secret } from "../../shared/basics/secret.ts";
import type { Ask } from "../../shared/outbound/ask.ts";
import type { IdentityProvider, IdentityView, ProviderAnswer, SignInWays } from "../../shared/people/identity.ts";
import { signInRefusals } from "../../shared/people/refusals.ts";
import { readNetworkRules } from "../nodes/network-rules.ts";
import type { Begun, People, Session } from "../people/people.ts";
import type { Secrets } from "../secrets/secrets.ts";
import { hashSecret, isSameSecret, newSecret } from "../secrets/vault.ts";
import { fetchThrough } from "./ask-provider.ts";
import { type Attempt, attemptMs, openAttempt, sealAttempt } from "./attempt.ts";
import { decideEntry, type Entry } from "./decide.ts";
import { createKnownProviders } from "./known-providers.ts";
import { createMemory, type Memory } from "./memory.ts";
import type { ProviderMetadata, Vouched } from "./provider.ts";
import { ownErrorIn, refusalOf, troubleOf } from "./refusals.ts";
import {
  changeIdentity,
  consequencesOf,
  type IdentitySettings,
  noSuchProvider,
  type Provider,
  readIdentity,
  viewOfIdentity,
  withoutProvider,
  withProvider,
} from "./settings.ts";

export type IdentityNeeds = {
  readonly farm: Pick<Secrets, "store" | "vault" | "clock" | "log" | "trail">;
  readonly people: Pick<People, "signInVouched" | "removeVouched" | "endSessions">;
  /** Absent: this coordinator reaches nothing outside, and nobody signs in by a provider. */
  readonly ask: Ask | undefined;
};

/** Questions to providers that are under way; a person waits for each. */
const mostAsked = 20;
const longestRemembered = 16_384;

/** Most farms have no provider: the library is loaded for the first. */
const library = () => import("./provider.ts");

export type Identity = ReturnType<typeof createIdentity>;

/** People come in by identity providers: their groups there decide whether, and as what. */
export const createIdentity = (needs: IdentityNeeds) => {
  const { farm } = needs;
  const reachOf = createReach(needs);
  const known = createKnownProviders(farm.clock, async (each) =>
    (await library()).discoverProvider(each, await reachOf(each)),
  );
  const used = createMemory<true>();
  // For a sign-out there. They are kept in memory alone; without one, the provider asks whether it is meant.
  const idTokens = createMemory<string>();
  const metadataOf = (provider: Provider) =>
    known.of(provider).catch((problem) => tellTrouble(farm, provider, problem));

  return {
    ...createEntrance(needs, { reachOf, metadataOf, used, idTokens }),
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

/** How a provider is asked: through the guard, and only some questions at a time. */
const createReach = ({ farm, ask }: IdentityNeeds) => {
  let asked = 0;
  const limited: Ask = async (question) => {
    if (!ask) throw new AppError("CONFLICT", "This coordinator asks nobody outside");
    if (asked >= mostAsked) throw new AppError("TOO_MANY_ATTEMPTS", signInRefusals.manySignIn);
    asked += 1;
    try {
      return await ask(question);
    } finally {
      asked -= 1;
    }
  };
  return async ({ issuer }: Provider) => ({
    fetch: fetchThrough(limited, issuer, await readNetworkRules(farm)),
    clock: farm.clock,
  });
};

type Ways = {
  readonly reachOf: ReturnType<typeof createReach>;
  readonly metadataOf: (provider: Provider) => Promise<ProviderMetadata>;
  readonly used: Memory<true>;
  readonly idTokens: Memory<string>;
};

const createEntrance = ({ farm, people }: IdentityNeeds, { reachOf, metadataOf, used, idTokens }: Ways) => {
  const settings = () => readIdentity(farm);
  const providerOf = async (name: string): Promise<Provider> => requireProvider(await settings(), name);
  const exchange = async (provider: Provider, attempt: Attempt, answer: ProviderAnswer): Promise<Vouched> => {
    const metadata = await metadataOf(provider);
    const [{ exchangeCode }, reach] = [await library(), await reachOf(provider)];
    return exchangeCode(provider, metadata, { attempt, answer }, reach).catch((problem) =>
      tellTrouble(farm, provider, problem),
    );
  };

  return {
    ways: async (): Promise<SignInWays> => {
      const { passwords, providers } = await settings();
      return { passwords, providers: providers.map(({ name }) => name) };
    },
    /** Throws AppError NOT_ALLOWED if people do not sign in with passwords. */
    requirePasswords: async (): Promise<void> => {
      const { passwords, providers } = await settings();
      if (passwords) return;
      const names = providers.map(({ name }) => name).join(", ");
      throw new AppError("NOT_ALLOWED", `Passwords open nothing on this farm: sign in with ${names}`);
    },
    /** Where the browser goes, and what only it gets, to come back with. */
    begin: async (
      name: string,
      origin: string,
      page: string | null,
    ): Promise<{ readonly address: string; readonly sealed: Secret }> => {
      const provider = await providerOf(name);
      const begun = {
        ...{ provider: name, issuer: provider.issuer, page, redirect: `${origin}/signed-in/${name}` },
        ...{ state: newSecret(), nonce: newSecret(), verifier: newSecret() },
        expires: farm.clock.steady() + attemptMs,
      };
      const metadata = await metadataOf(provider);
      const { addressToSignIn } = await library();
      const address = await addressToSignIn(provider, metadata, begun, await reachOf(provider));
      return { address: address.href, sealed: sealAttempt(farm.vault, begun) };
    },
    /** Lets whoever comes back in, if it is the browser that began and the provider vouches for them. */
    finish: async (
      name: string,
      answer: ProviderAnswer,
      sealed: Secret | undefined,
    ): Promise<{ readonly begun: Begun; readonly page: string | null }> => {
      const provider = await providerOf(name);
      const attempt = requireAttempt(sealed && openAttempt(farm.vault, sealed), provider, answer, farm.clock.steady());
      if (!used.add(hashSecret(attempt.state), true)) throw usedAlready();
      const { subject, claims, idToken } = await exchange(provider, attempt, answer);
      // An owner may have changed what its groups open, or removed it, while it was asked.
      const now = requireSame(provider, await providerOf(name));
      const entry = decideEntry(subject, claims, now);
      if (entry.may === "not") return refuse(farm, people, now, entry);
      const person = { issuer: now.issuer, subject, names: entry.names, role: entry.role };
      const begun = await people.signInVouched(person, now.session_hours * 3_600_000);
      if (idToken.length <= longestRemembered) idTokens.add(begun.session.hash, idToken);
      farm.log.info({ provider: name, name: begun.session.name, role: entry.role }, "a provider let somebody in");
      return { begun, page: attempt.page };
    },
    /** The name of the provider that vouches for somebody, for people to read; undefined for those with passwords. */
    providerNames: async (): Promise<(issuer: string | null) => string | undefined> => {
      const { providers } = await settings();
      return (issuer) =>
        issuer === null ? undefined : (providers.find((each) => each.issuer === issuer)?.name ?? issuer);
    },
  };
};

/** Pure. Whose browser did not begin this sign-in might be sent here by somebody else, to sign in as them. */
const requireAttempt = (
  attempt: Attempt | undefined,
  { name, issuer }: Provider,
  { oauth_state }: ProviderAnswer,
  now: number,
): Attempt => {
  const isOurs = attempt?.provider === name && attempt.issuer === issuer && isSameSecret(attempt.state, oauth_state);
  if (!attempt || !isOurs) throw new AppError("NOT_ALLOWED", signInRefusals.otherBrowser);
  if (attempt.expires <= now) throw new AppError("NOT_ALLOWED", signInRefusals.tookLong);
  return attempt;
};

const requireSame = (asked: Provider, now: Provider): Provider => {
  if (asked.issuer === now.issuer && asked.client_id === now.client_id) return now;
  throw new AppError("NOT_ALLOWED", `${now.name} was changed meanwhile: sign in again`);
};

const usedAlready = () => new AppError("NOT_ALLOWED", signInRefusals.usedAlready);

/** Whose groups open nothing any more is somebody no more, wherever else they are signed in. */
const refuse = async (
  { log, trail }: IdentityNeeds["farm"],
  people: IdentityNeeds["people"],
  { name, issuer }: Provider,
  { subject, why }: Extract<Entry, { may: "not" }>,
): Promise<never> => {
  const removed = await people.removeVouched(issuer, subject);
  log.info({ provider: name, subject, removed, why }, "a provider vouches for somebody whose groups open nothing");
  if (removed > 0) trail.note({ who: `the provider ${name}`, origin: "", action: "removePerson", about: { subject } });
  throw new AppError("NOT_ALLOWED", why);
};

const tellTrouble = ({ log }: IdentityNeeds["farm"], { name }: Provider, problem: unknown): never => {
  const own = ownErrorIn(problem);
  if (own) throw own;
  const trouble = troubleOf(problem);
  log.warn({ provider: name, ...trouble }, "a sign-in at a provider failed");
  throw refusalOf(trouble, name);
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
      const { issuer, end_session_endpoint } = await known.ask(provider).catch((problem) => {
        throw ownErrorIn(problem) ?? new AppError("CONFLICT", `${name} cannot be asked: ${troubleOf(problem).detail}`);
      });
      return { issuer, ends_sessions: end_session_endpoint !== undefined };
    },
  };
};

const requireProvider = ({ providers }: IdentitySettings, name: string): Provider => {
  const found = providers.find((each) => each.name === name);
  if (!found) throw noSuchProvider(name);
  return found;
};

const requireWay = (settings: IdentitySettings): IdentitySettings => {
  if (settings.passwords || settings.providers.length > 0) return settings;
  throw new AppError("CONFLICT", signInRefusals.noProvider);
};

/** An owner does not remove themselves by accident. */
const requireStays = (settings: IdentitySettings, { issuer }: Session): IdentitySettings => {
  if (issuer === null || settings.providers.some((each) => each.issuer === issuer)) return settings;
  throw new AppError("CONFLICT", signInRefusals.ownProvider);
};
