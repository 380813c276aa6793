import { z } from "zod";
import { AppError } from "../../shared/basics/errors.ts";
import { type Secret, toRevealedJson } from "../../shared/basics/secret.ts";
import {
  type IdentityProvider,
  type IdentityView,
  identityProvider,
  mostProviders,
  type ProviderView,
} from "../../shared/people/identity.ts";
import { type RequiredFrom, requiredFrom } from "../../shared/people/second-steps.ts";
import type { Secrets } from "../secrets/secrets.ts";

type Needs = Pick<Secrets, "store" | "vault">;

const recordKey = "identity";

const stored = z.strictObject({
  passwords: z.boolean(),
  /** Absent in records from before there were any. */
  second_step: requiredFrom.default(null),
  /** Each as a whole is sealed, as channels of alerts are. */
  providers: z.array(z.strictObject({ name: z.string(), sealed: z.string() })),
});

/** A provider with its secret, if it has one. */
export type Provider = IdentityProvider & { readonly client_secret: Secret | null };
export type IdentitySettings = {
  readonly passwords: boolean;
  /** From which role on people with passwords need a second step. */
  readonly second_step: RequiredFrom;
  readonly providers: readonly Provider[];
};

/** How people sign in; by passwords, until an owner says something else. */
export const readIdentity = async (needs: Needs): Promise<IdentitySettings> =>
  opened(needs, await needs.store.records.get("farm", recordKey));

/** Stores what `decide` makes of the present settings, and gives both. */
export const changeIdentity = async (
  needs: Needs,
  decide: (before: IdentitySettings) => IdentitySettings,
): Promise<{ readonly before: IdentitySettings; readonly after: IdentitySettings }> => {
  const { before, after } = await needs.store.records.change("farm", recordKey, (text) =>
    sealed(needs, decide(opened(needs, text))),
  );
  return { before: opened(needs, before), after: opened(needs, after) };
};

const opened = ({ vault }: Needs, text: string | undefined): IdentitySettings => {
  if (text === undefined) return { passwords: true, second_step: null, providers: [] };
  const { passwords, second_step, providers } = stored.parse(JSON.parse(text));
  return {
    passwords,
    second_step,
    providers: providers.map((each) => withSecret(identityProvider.parse(JSON.parse(vault.open(each.sealed))))),
  };
};

const sealed = ({ vault }: Needs, { passwords, second_step, providers }: IdentitySettings): string =>
  JSON.stringify({
    passwords,
    second_step,
    providers: providers.map((each) => ({ name: each.name, sealed: vault.seal(toRevealedJson(each)) })),
  } satisfies z.input<typeof stored>);

const withSecret = (given: IdentityProvider, kept: Secret | null = null): Provider => ({
  ...given,
  client_secret: given.client_secret === undefined ? kept : given.client_secret,
});

/**
 * Pure: with this provider, in the place of the one of its name. A secret that is not given anew goes on only to the same
 * client of the same issuer.
 */
export const withProvider = ({ providers, ...rest }: IdentitySettings, given: IdentityProvider): IdentitySettings => {
  const old = providers.find(({ name }) => name === given.name);
  const others = providers.filter((each) => each !== old);
  if (others.length >= mostProviders)
    throw new AppError("CONFLICT", `The farm has ${mostProviders} providers already: remove one first`);
  // What a provider says of itself may be spelled in several ways as well.
  const twin = others.find(({ issuer }) => new URL(issuer).href === new URL(given.issuer).href);
  if (twin)
    throw new AppError(
      "CONFLICT",
      `${twin.name} has the issuer ${given.issuer} already: people would be taken for each other`,
    );
  const isSame = old?.issuer === given.issuer && old.client_id === given.client_id;
  const added = withSecret(given, isSame ? old.client_secret : null);
  return { ...rest, providers: [...others, added].sort((a, b) => (a.name < b.name ? -1 : 1)) };
};

/** Pure: without the provider of this name. Somebody has to be able to sign in afterwards. */
export const withoutProvider = ({ providers, ...rest }: IdentitySettings, name: string): IdentitySettings => {
  const left = providers.filter((each) => each.name !== name);
  if (left.length === providers.length) throw noSuchProvider(name);
  if (left.length === 0 && !rest.passwords)
    throw new AppError("CONFLICT", `${name} is the only way to sign in: let people sign in with passwords first`);
  return { ...rest, providers: left };
};

/** What a change means for who is signed in: everybody of an issuer goes, or has to sign in again. */
export type Consequence =
  | { readonly issuer: string; readonly people: "go" | "sign in again" }
  | { readonly issuer: null; readonly people: "sign in again" };

/**
 * Pure. Whoever came by something that changed comes in anew, by what holds now; an issuer that no provider has any more
 * vouches for nobody.
 */
export const consequencesOf = (before: IdentitySettings, after: IdentitySettings): Consequence[] => {
  const changed = before.providers.flatMap((old): Consequence[] => {
    const now = after.providers.find(({ issuer }) => issuer === old.issuer);
    if (!now) return [{ issuer: old.issuer, people: "go" }];
    return isSameAccess(old, now) ? [] : [{ issuer: old.issuer, people: "sign in again" }];
  });
  return before.passwords && !after.passwords ? [...changed, { issuer: null, people: "sign in again" }] : changed;
};

const isSameAccess = (a: Provider, b: Provider): boolean => {
  const accessOf = ({ client_id, roles, narrowed, groups_claim, session_hours }: Provider) =>
    JSON.stringify({ client_id, roles, narrowed, groups_claim, session_hours });
  return accessOf(a) === accessOf(b);
};

export const noSuchProvider = (name: string): AppError =>
  new AppError("NOT_FOUND", `There is no identity provider "${name.slice(0, 100)}"`);

/** Pure. Throws AppError NOT_FOUND. */
export const requireProvider = ({ providers }: IdentitySettings, name: string): Provider => {
  const found = providers.find((each) => each.name === name);
  if (!found) throw noSuchProvider(name);
  return found;
};

export const viewOfIdentity = ({ passwords, second_step, providers }: IdentitySettings): IdentityView => ({
  ...{ passwords, second_step },
  providers: providers.map(viewOfProvider),
});

const viewOfProvider = ({ client_secret, ...shown }: Provider): ProviderView => ({
  ...shown,
  is_confidential: client_secret !== null,
});
