import { t } from "@lingui/core/macro";
import type { MadePasskey, PasskeyQuestion, PasskeyWish, UsedPasskey } from "../../shared/people/second-steps.ts";
import { desktopApp } from "./computer.ts";

/** Whether this page may ask for a passkey: browsers have them for names, over https or on this machine. */
export const canUsePasskeys = (): boolean =>
  isSecureContext &&
  typeof PublicKeyCredential === "function" &&
  "parseRequestOptionsFromJSON" in PublicKeyCredential &&
  !/^(?:[\d.]+|\[.*\])$/.test(location.hostname) &&
  desktopApp() === undefined;

/** Has the browser make a passkey; its owner confirms that. */
export const makePasskey = async (wish: PasskeyWish): Promise<Omit<MadePasskey, "name">> => {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(wish);
  const made = await navigator.credentials.create({ publicKey }).catch(tell);
  if (!(made instanceof PublicKeyCredential) || !(made.response instanceof AuthenticatorAttestationResponse))
    throw new Error(t`The browser made no passkey`);
  return {
    id: made.id,
    client_data: base64url(made.response.clientDataJSON),
    attestation: base64url(made.response.attestationObject),
    transports: made.response.getTransports().slice(0, 10),
  };
};

/** The browser's answer, as it is sent: what is a secret there is a text here. */
type Answer = Omit<UsedPasskey, "signature"> & { readonly signature: string };

/** Has somebody choose a passkey and unlock it. */
export const takePasskey = async (question: PasskeyQuestion): Promise<Answer> => {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(question);
  const used = await navigator.credentials.get({ publicKey }).catch(tell);
  if (!(used instanceof PublicKeyCredential) || !(used.response instanceof AuthenticatorAssertionResponse))
    throw new Error(t`The browser used no passkey`);
  const { clientDataJSON, authenticatorData, signature, userHandle } = used.response;
  return {
    id: used.id,
    client_data: base64url(clientDataJSON),
    authenticator_data: base64url(authenticatorData),
    signature: base64url(signature),
    user: userHandle && base64url(userHandle),
  };
};

const base64url = (bytes: ArrayBuffer): string =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");

/** Browsers say little of why, so that pages do not learn which passkeys there are. */
const tell = (problem: unknown): never => {
  const name = problem instanceof DOMException ? problem.name : "";
  if (name === "InvalidStateError") throw new Error(t`This device has a passkey for you already`);
  if (name === "NotAllowedError" || name === "AbortError")
    throw new Error(t`No passkey was used: it was cancelled, took too long, or there is none here`);
  throw problem;
};
