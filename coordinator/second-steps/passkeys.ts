import type { Secret } from "../../shared/basics/secret.ts";
import type { MadePasskey, PasskeyQuestion, PasskeyWish, UsedPasskey } from "../../shared/people/second-steps.ts";
import { isEqualText, type Vault } from "../secrets/vault.ts";
import { challengeMs } from "./challenges.ts";
import type { StoredPasskey } from "./steps.ts";

/** Few use passkeys at first: the library is loaded for the first of them. */
const library = () => import("@simplewebauthn/server");

/** EdDSA, ECDSA with P-256, RSA (COSE): what authenticators have. */
const algorithms = [-8, -7, -257];

/**
 * By what an authenticator names somebody of this farm. It has nothing that tells strangers who it is, and differs between farms
 * that go by one name, whose passkeys would otherwise replace each other.
 */
export const userHandle = (vault: Pick<Vault, "mark">, id: number): string =>
  Buffer.from(`${id}.${vault.mark(`passkeys of ${id}`).slice(0, 22)}`).toString("base64url");

export const idOfHandle = (vault: Pick<Vault, "mark">, handle: string): number | undefined => {
  const id = Number(/^(\d{1,15})\./.exec(Buffer.from(handle, "base64url").toString())?.[1]);
  return Number.isSafeInteger(id) && isEqualText(userHandle(vault, id), handle) ? id : undefined;
};

type Place = { readonly host: string; readonly origin: string };

const described = (passkeys: readonly StoredPasskey[], host: string) =>
  passkeys
    .filter((each) => each.host === host)
    .map(({ id, transports }) => ({ type: "public-key" as const, id, transports: [...transports] }));

export const wishOf = (
  challenge: Secret,
  host: string,
  who: { readonly name: string; readonly handle: string; readonly passkeys: readonly StoredPasskey[] },
): PasskeyWish => ({
  rp: { id: host, name: `Mediafarm ${host}` },
  user: { id: who.handle, name: who.name, displayName: who.name },
  challenge: challenge.reveal(),
  pubKeyCredParams: algorithms.map((alg) => ({ type: "public-key", alg })),
  timeout: challengeMs,
  excludeCredentials: described(who.passkeys, host),
  // It signs in alone: the device knows who it is, and asks for finger, face or PIN.
  authenticatorSelection: { residentKey: "required", requireResidentKey: true, userVerification: "required" },
  // Which make it is, is nobody's business.
  attestation: "none",
});

export const questionOf = (
  challenge: Secret,
  host: string,
  passkeys: readonly StoredPasskey[] = [],
): PasskeyQuestion => ({
  challenge: challenge.reveal(),
  rpId: host,
  timeout: challengeMs,
  allowCredentials: described(passkeys, host),
  userVerification: "required",
});

/** Checks what an authenticator made. Throws the library's errors. */
export const verifyMade = async (
  made: MadePasskey,
  challenge: Secret,
  { host, origin }: Place,
  now: number,
): Promise<StoredPasskey> => {
  const { verifyRegistrationResponse } = await library();
  const { registrationInfo } = await verifyRegistrationResponse({
    response: {
      ...{ id: made.id, rawId: made.id, type: "public-key", clientExtensionResults: {} },
      response: { clientDataJSON: made.client_data, attestationObject: made.attestation },
    },
    expectedChallenge: challenge.reveal(),
    ...{ expectedOrigin: origin, expectedRPID: host, requireUserVerification: true },
    supportedAlgorithmIDs: algorithms,
  });
  if (!registrationInfo) throw new Error("the passkey is not verified");
  const { id, publicKey, counter } = registrationInfo.credential;
  return {
    ...{ id, counter, host, name: made.name, transports: made.transports, created: now, used: null },
    public_key: Buffer.from(publicKey).toString("base64url"),
  };
};

/** Checks what an authenticator signed, and gives its count. Throws the library's errors. */
export const verifyUsed = async (
  { id, client_data, authenticator_data, signature, user }: UsedPasskey,
  passkey: StoredPasskey,
  challenge: Secret,
  { host, origin }: Place,
): Promise<number> => {
  const { verifyAuthenticationResponse } = await library();
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: {
      ...{ id, rawId: id, type: "public-key", clientExtensionResults: {} },
      response: {
        ...{ clientDataJSON: client_data, authenticatorData: authenticator_data, signature: signature.reveal() },
        ...(user !== null && { userHandle: user }),
      },
    },
    expectedChallenge: challenge.reveal(),
    ...{ expectedOrigin: origin, expectedRPID: host, requireUserVerification: true },
    // Its count is compared where it is stored, in one transaction with the new one.
    credential: { id, publicKey: new Uint8Array(Buffer.from(passkey.public_key, "base64url")), counter: 0 },
  });
  if (!verified) throw new Error("the signature is wrong");
  return authenticationInfo.newCounter;
};
