import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  buildEndSessionUrl,
  type ClientAuth,
  type ClientMetadata,
  ClientSecretBasic,
  ClientSecretPost,
  Configuration,
  calculatePKCECodeChallenge,
  clockSkew,
  clockTolerance,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  None,
  type ServerMetadata,
} from "openid-client";
import { z } from "zod";
import type { Clock } from "../../shared/basics/clock.ts";
import { AppError } from "../../shared/basics/errors.ts";
import { systemClock } from "../../shared/basics/system-clock.ts";
import { isSafeAddress, type ProviderAnswer } from "../../shared/people/identity.ts";
import type { ProviderFetch } from "./ask-provider.ts";
import type { Attempt } from "./attempt.ts";
import type { Claims } from "./decide.ts";
import type { Provider } from "./settings.ts";

/** Clocks may differ by so much, as most providers allow; beyond it, a token counts as expired or as not yet made. */
export const toleranceSeconds = 60;

const address = z.string().refine(isSafeAddress, "is no address with https");
const algorithms = z.array(z.string().max(100)).max(100);

/** What a provider says about itself. The library keeps to it, so it is checked before; what is not used is left out. */
export const providerMetadata = z.object({
  issuer: z.string().max(2000),
  authorization_endpoint: address,
  token_endpoint: address,
  jwks_uri: address,
  userinfo_endpoint: address.optional(),
  end_session_endpoint: address.optional(),
  token_endpoint_auth_methods_supported: algorithms.optional(),
  id_token_signing_alg_values_supported: algorithms.optional(),
  authorization_response_iss_parameter_supported: z.boolean().optional(),
  backchannel_logout_supported: z.boolean().optional(),
});
export type ProviderMetadata = z.output<typeof providerMetadata>;

export type Reach = { readonly fetch: ProviderFetch; readonly clock: Pick<Clock, "now"> };

/** Asks a provider about itself; what it says has to be about the issuer that was asked. */
export const discoverProvider = async (provider: Provider, { fetch }: Reach): Promise<ProviderMetadata> => {
  const server = new URL(provider.issuer);
  const found = await discovery(server, provider.client_id, undefined, undefined, {
    [customFetch]: fetch,
    execute: plainIf(server),
  });
  const parsed = providerMetadata.safeParse(found.serverMetadata());
  if (parsed.success) return requireIssuer(parsed.data, provider);
  const wrong = parsed.error.issues.map(({ path, message }) => `${path.join(".")} ${message}`);
  throw new AppError(
    "CONFLICT",
    `What ${provider.name} says about itself cannot be used: ${wrong.join("; ").slice(0, 300)}`,
  );
};

/** The library lets some providers speak of another issuer than was asked. Here an issuer is who vouches for people. */
const requireIssuer = (metadata: ProviderMetadata, { name, issuer }: Provider): ProviderMetadata => {
  if (URL.canParse(metadata.issuer) && new URL(metadata.issuer).href === new URL(issuer).href) return metadata;
  const given = JSON.stringify(metadata.issuer.slice(0, 200));
  throw new AppError(
    "CONFLICT",
    `${name} says that its issuer is ${given}: give that one, if it is who vouches for your people`,
  );
};

/** Where the browser goes to sign in. */
export const addressToSignIn = async (
  provider: Provider,
  metadata: ProviderMetadata,
  begun: Pick<Attempt, "state" | "nonce" | "verifier" | "redirect">,
  reach: Reach,
): Promise<URL> =>
  buildAuthorizationUrl(configure(provider, metadata, reach), {
    redirect_uri: begun.redirect,
    scope: [...new Set(["openid", ...provider.scopes])].join(" "),
    state: begun.state.reveal(),
    nonce: begun.nonce.reveal(),
    code_challenge: await calculatePKCECodeChallenge(begun.verifier.reveal()),
    code_challenge_method: "S256",
  });

export type Vouched = {
  readonly subject: string;
  readonly claims: Claims;
  readonly idToken: string;
  /** By which the provider will name its session, if it says so. */
  readonly sid: string | null;
};

/**
 * Takes the code to the provider and checks what comes back: issuer, audience, nonce, times, and the signature with the keys
 * that the provider has now. Throws what the library throws.
 */
export const exchangeCode = async (
  provider: Provider,
  metadata: ProviderMetadata,
  { attempt, answer }: { readonly attempt: Attempt; readonly answer: ProviderAnswer },
  reach: Reach,
): Promise<Vouched> => {
  const configuration = configure(provider, metadata, reach);
  const tokens = await authorizationCodeGrant(configuration, cameBackAs(attempt, answer), {
    pkceCodeVerifier: attempt.verifier.reveal(),
    expectedNonce: attempt.nonce.reveal(),
    expectedState: attempt.state.reveal(),
    idTokenExpected: true,
  });
  const claims = tokens.claims();
  if (!claims || tokens.id_token === undefined) throw new Error("there is no ID token"); // the library expected one
  requirePast(claims.iat, provider, reach.clock);
  requireLastingId(claims.sub, provider);
  const isWhole = [provider.groups_claim, provider.name_claim].every((claim) => claims[claim] !== undefined);
  const isAll = isWhole || metadata.userinfo_endpoint === undefined;
  const more = isAll ? {} : await fetchUserInfo(configuration, tokens.access_token, claims.sub);
  const sid = lastingId.safeParse(claims.sid);
  return {
    ...{ subject: claims.sub, claims: { ...more, ...claims }, idToken: tokens.id_token },
    sid: sid.success ? sid.data : null,
  };
};

/** The address that the browser came back to, of what the page passed on. */
const cameBackAs = ({ redirect }: Attempt, { code, oauth_state, iss, error }: ProviderAnswer): URL => {
  const url = new URL(redirect);
  url.searchParams.set("state", oauth_state.reveal());
  if (code !== undefined) url.searchParams.set("code", code.reveal());
  if (iss !== undefined) url.searchParams.set("iss", iss);
  if (error !== undefined) url.searchParams.set("error", error);
  return url;
};

/** As long as OpenID Connect lets it be, and a text that every store keeps as it is: else two people could become one. */
export const lastingId = z
  .string()
  .min(1)
  .max(255)
  .regex(/^[^\p{Cc}\p{Cs}]+$/u);

const requireLastingId = (subject: string, { name }: Provider): void => {
  if (lastingId.safeParse(subject).success) return;
  throw new AppError(
    "NOT_ALLOWED",
    `The id by which ${name} knows you (claim sub) is empty, longer than 255 characters, or no plain text`,
  );
};

/** A token from the future would outlive what its provider means. */
const requirePast = (issuedAt: number, { name }: Provider, clock: Pick<Clock, "now">): void => {
  const ahead = issuedAt - clock.now() / 1000;
  if (ahead <= toleranceSeconds) return;
  throw new AppError(
    "NOT_ALLOWED",
    `The clock of ${name} is ${Math.round(ahead)} s ahead of this farm's: set the clocks`,
  );
};

/** Where the browser goes to sign out there as well; undefined where the provider has no such place. */
export const addressToSignOut = (
  provider: Provider,
  metadata: ProviderMetadata,
  { back, idToken }: { readonly back: string; readonly idToken: string | undefined },
  reach: Reach,
): URL | undefined =>
  metadata.end_session_endpoint === undefined
    ? undefined
    : buildEndSessionUrl(configure(provider, metadata, reach), {
        post_logout_redirect_uri: back,
        ...(idToken !== undefined && { id_token_hint: idToken }),
      });

/** A new one each time: its keys are asked for anew, so that a provider may change them whenever it likes. */
const configure = (provider: Provider, metadata: ProviderMetadata, { fetch, clock }: Reach): Configuration => {
  const client: Partial<ClientMetadata> = {
    // The library takes the time from the machine; the farm's is what counts.
    [clockSkew]: Math.round((clock.now() - systemClock.now()) / 1000),
    [clockTolerance]: toleranceSeconds,
  };
  const configuration = new Configuration(
    metadata as ServerMetadata,
    provider.client_id,
    client,
    authOf(provider, metadata),
  );
  configuration[customFetch] = fetch;
  enableNonRepudiationChecks(configuration);
  for (const apply of plainIf(new URL(provider.issuer))) apply(configuration);
  return configuration;
};

/** As OpenID Connect does if the provider does not say what it takes: HTTP Basic. */
const authOf = (
  { client_secret }: Provider,
  { token_endpoint_auth_methods_supported: taken }: ProviderMetadata,
): ClientAuth => {
  if (client_secret === null) return None();
  const isBasic = taken === undefined || taken.includes("client_secret_basic");
  return isBasic ? ClientSecretBasic(client_secret.reveal()) : ClientSecretPost(client_secret.reveal());
};

/** Without TLS only to this machine itself: no other issuer begins with http. */
const plainIf = ({ protocol }: URL) => (protocol === "http:" ? [allowInsecureRequests] : []);
