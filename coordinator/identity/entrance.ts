import { AppError } from "../../shared/basics/errors.ts";
import { Secret } from "../../shared/basics/secret.ts";
import { linkState, type ProviderAnswer, type SignInWays } from "../../shared/people/identity.ts";
import { signInRefusals } from "../../shared/people/refusals.ts";
import type { Begun, Session } from "../people/people.ts";
import { hashSecret, isSameSecret, newSecret } from "../secrets/vault.ts";
import { type Attempt, attemptMs, openAttempt, sealAttempt } from "./attempt.ts";
import { decideEntry, type Entry } from "./decide.ts";
import type { Memory } from "./memory.ts";
import type { IdentityNeeds } from "./needs.ts";
import type { ProviderMetadata, Vouched } from "./provider.ts";
import { library, type ReachOf } from "./reach.ts";
import { tellTrouble } from "./refusals.ts";
import { noSuchProvider, type Provider, readIdentity, requireProvider } from "./settings.ts";

const longestRemembered = 16_384;

export type Ways = {
  readonly reachOf: ReachOf;
  readonly metadataOf: (provider: Provider) => Promise<ProviderMetadata>;
  readonly used: Memory<true>;
  readonly idTokens: Memory<string>;
};

/** The ways in by providers: to sign in, and to link an account to somebody who is signed in. */
export const createEntrance = ({ farm, people }: IdentityNeeds, { reachOf, metadataOf, used, idTokens }: Ways) => {
  const settings = () => readIdentity(farm);
  const providerOf = async (name: string): Promise<Provider> => requireProvider(await settings(), name);
  const exchange = async (provider: Provider, attempt: Attempt, answer: ProviderAnswer): Promise<Vouched> => {
    const metadata = await metadataOf(provider);
    const [{ exchangeCode }, reach] = [await library(), await reachOf(provider)];
    return exchangeCode(provider, metadata, { attempt, answer }, reach).catch((problem) =>
      tellTrouble(farm, provider.name, problem),
    );
  };

  /** What a provider says of whoever comes back. `links`: for which session an account is to be linked; null: for none. */
  const vouchedFor = async (name: string, answer: ProviderAnswer, sealed: Secret | undefined, links: string | null) => {
    const asked = await providerOf(name);
    const attempt = requireAttempt(sealed && openAttempt(farm.vault, sealed), asked, answer, farm.clock.steady());
    requirePurpose(attempt, links);
    if (!used.add(hashSecret(attempt.state), true)) throw usedAlready();
    const vouched = await exchange(asked, attempt, answer);
    // An owner may have changed what its groups open, or removed it, while it was asked.
    const provider = requireSame(asked, await providerOf(name));
    const entry = decideEntry(vouched.subject, vouched.claims, provider);
    if (entry.may === "not") return refuse(farm, people, provider, entry);
    return { attempt, provider, entry, vouched };
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
      { page, links }: Pick<Attempt, "page" | "links">,
    ): Promise<{ readonly address: string; readonly sealed: Secret }> => {
      const provider = await providerOf(name);
      const begun = {
        ...{ provider: name, issuer: provider.issuer, page, links, redirect: `${origin}/signed-in/${name}` },
        ...{ state: newState(links !== null), nonce: newSecret(), verifier: newSecret() },
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
      const { attempt, provider, entry, vouched } = await vouchedFor(name, answer, sealed, null);
      const { idToken, sid } = vouched;
      const { subject, names, role, narrowed } = entry;
      const person = { issuer: provider.issuer, subject, names, role, sid, narrowed };
      const begun = await people.signInVouched(person, provider.session_hours * 3_600_000);
      if (idToken.length <= longestRemembered) idTokens.add(begun.session.hash, idToken);
      farm.log.info({ provider: name, name: begun.session.name, role }, "a provider let somebody in");
      return { begun, page: attempt.page };
    },
    /** Links the account of whoever comes back to the person whose session began it, in the same browser. */
    finishLink: async (
      name: string,
      answer: ProviderAnswer,
      sealed: Secret | undefined,
      session: Session,
    ): Promise<{ readonly page: string | null }> => {
      const { attempt, provider, entry } = await vouchedFor(name, answer, sealed, session.hash);
      const account = { issuer: provider.issuer, subject: entry.subject, name: entry.names[0] ?? "" };
      await people.link(session, account);
      // Whoever removed the provider meanwhile has removed its links before this one was there.
      if (!(await settings()).providers.some(({ issuer }) => issuer === provider.issuer)) {
        await people.unlink(session.id, provider.issuer, { keepsOne: false });
        throw noSuchProvider(name);
      }
      farm.log.info({ provider: name, name: session.name }, "an account at a provider is linked");
      return { page: attempt.page };
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

/** Pure. A sign-in links nothing, and a link signs nobody in; it is made in the session that asked for it. */
const requirePurpose = ({ links }: Attempt, wanted: string | null): void => {
  if (links === wanted) return;
  if (links === null) throw new AppError("NOT_ALLOWED", signInRefusals.notForLink);
  throw new AppError("NOT_ALLOWED", wanted === null ? signInRefusals.notForSignIn : signInRefusals.linkOther);
};

/** By its beginning, the page that people come back to knows what to ask for; what counts is what was sealed. */
const newState = (isLink: boolean): Secret => {
  const state = newSecret();
  return isLink ? new Secret(`${linkState}${state.reveal()}`) : state;
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
  // Who has linked the account stays, and is signed out where they came by it.
  const ended = await people.endVouched(issuer, { subject, sid: null });
  log.info(
    { provider: name, subject, removed, ended, why },
    "a provider vouches for somebody whose groups open nothing",
  );
  const noted = { who: `the provider ${name}`, origin: "", about: { subject } };
  if (removed > 0) trail.note({ ...noted, action: "removePerson" });
  if (ended > 0) trail.note({ ...noted, action: "endSessions" });
  throw new AppError("NOT_ALLOWED", why);
};
