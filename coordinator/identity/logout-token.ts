import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, type JWTPayload, jwtVerify } from "jose";
import { z } from "zod";
import { AppError } from "../../shared/basics/errors.ts";
import type { VouchedSessions } from "../store/people.ts";
import { lastingId, type ProviderMetadata, type Reach, toleranceSeconds } from "./provider.ts";
import type { Provider } from "./settings.ts";

/** Tokens say what was done just now; an older one is not followed any more. */
const oldestSeconds = 300;

/** Only what is signed by a key that nobody else has: client secrets are not used for it. */
const asymmetric = /^(?:(?:RS|PS|ES)(?:256|384|512)|EdDSA|Ed25519)$/;

const event = "http://schemas.openid.net/event/backchannel-logout";

/** OpenID Connect Back-Channel Logout 1.0, section 2.4. An ID token is none: it has no such event. */
const logoutClaims = z
  .object({
    iss: z.string(),
    aud: z.union([z.string(), z.array(z.string()).max(100)]),
    iat: z.number(),
    exp: z.number(),
    jti: lastingId,
    events: z.looseObject({ [event]: z.looseObject({}) }),
    sub: lastingId.optional(),
    sid: lastingId.optional(),
    nonce: z.undefined().optional(),
  })
  .refine(({ sub, sid }) => sub !== undefined || sid !== undefined, "needs a sub or a sid");
type LogoutClaims = z.output<typeof logoutClaims>;

export type Logout = VouchedSessions & { readonly jti: string };

/** Thrown where another key than those that are known may have signed it. */
export class UnknownSigner extends Error {}

/** What a token claims to be about, before anything is believed or asked: whatever fits no provider of ours costs nothing more. */
export const readLogout = (token: string, { issuer, client_id }: Pick<Provider, "issuer" | "client_id">): Logout => {
  const { iss, aud, jti, sub, sid } = parsed(token);
  if (!isSameIssuer(iss, issuer)) throw unfit("it is from another issuer");
  if (![aud].flat().includes(client_id)) throw unfit("it is for another program");
  return { jti, subject: sub ?? null, sid: sid ?? null };
};

const isSameIssuer = (said: string, issuer: string): boolean =>
  said === issuer || (URL.canParse(said) && new URL(said).href === new URL(issuer).href);

const parsed = (token: string): LogoutClaims => {
  let claims: JWTPayload;
  try {
    claims = decodeJwt(token);
  } catch {
    throw unfit("it is no token");
  }
  const checked = logoutClaims.safeParse(claims);
  if (checked.success) return checked.data;
  throw unfit(`its claim ${checked.error.issues[0]?.path.join(".") || "sub"} does not fit`);
};

const keySet = z.object({ keys: z.array(z.looseObject({ kty: z.string() })).max(100) });
export type KeySet = z.output<typeof keySet>;

/** The keys with which a provider signs now. */
export const fetchKeys = async ({ jwks_uri }: ProviderMetadata, { fetch }: Reach): Promise<KeySet> => {
  const answer = await fetch(jwks_uri, { method: "GET", headers: { accept: "application/json" } });
  return keySet.parse(await answer.json());
};

/** Checks signature, issuer, audience and times. Throws UnknownSigner, or AppError. */
export const verifyLogout = async (
  token: string,
  { issuer, client_id }: Pick<Provider, "issuer" | "client_id">,
  { metadata, keys }: { readonly metadata: ProviderMetadata; readonly keys: KeySet },
  { clock }: Pick<Reach, "clock">,
): Promise<Logout> => {
  const known = (metadata.id_token_signing_alg_values_supported ?? ["RS256"]).filter((each) => asymmetric.test(each));
  if (!known.includes(algorithmOf(token))) throw unfit("it is signed in a way that is not taken");
  try {
    await jwtVerify(token, createLocalJWKSet(keys), {
      ...{ issuer: [issuer, metadata.issuer], audience: client_id, algorithms: known },
      ...{ currentDate: new Date(clock.now()), clockTolerance: toleranceSeconds, maxTokenAge: oldestSeconds },
    });
  } catch (problem) {
    const code = problem instanceof Error && "code" in problem ? String(problem.code) : "";
    if (signerCodes.includes(code)) throw new UnknownSigner(code);
    throw unfit(code === "ERR_JWT_EXPIRED" ? "it is too old" : "it does not hold what it should");
  }
  return readLogout(token, { issuer, client_id });
};

const signerCodes = [
  "ERR_JWKS_NO_MATCHING_KEY",
  "ERR_JWKS_MULTIPLE_MATCHING_KEYS",
  "ERR_JWS_SIGNATURE_VERIFICATION_FAILED",
];

const algorithmOf = (token: string): string => {
  try {
    return decodeProtectedHeader(token).alg ?? "none";
  } catch {
    return "none";
  }
};

export const unfit = (why: string): AppError =>
  new AppError("VALIDATION_FAILED", `The logout token is refused: ${why}`);
