import { z } from "zod";
import { secretOf } from "../../basics/secret.ts";
import { identityView } from "../../people/identity.ts";
import { person, signedIn } from "../../people/person.ts";
import {
  madePasskey,
  newCodes,
  passkeyQuestion,
  passkeyWish,
  requiredFrom,
  secondSteps,
  setUp,
  usedPasskey,
} from "../../people/second-steps.ts";
import { route } from "../route.ts";

const typed = secretOf(z.string().max(100));
/** Whoever comes from the page for signing in has just entered it. */
const withPassword = z.strictObject({ password: secretOf(z.string().max(1000)).optional() });

/** Passkeys and one-time codes: one's own, signing in with them, and what owners say about them. */
export const secondStepRoutes = {
  getSecondSteps: route("person", "GET", "/second-steps", "One's own passkeys and codes", { returns: secondSteps }),
  beginCodes: route("person", "POST", "/second-steps/codes", "A secret for one-time codes; it counts once confirmed", {
    input: withPassword,
    returns: newCodes,
  }),
  confirmCodes: route("person", "PUT", "/second-steps/codes", "Confirm the secret by a first code", {
    input: z.strictObject({ one_time_code: typed }),
    returns: setUp,
  }),
  removeCodes: route("person", "DELETE", "/second-steps/codes", "Use one-time codes no more", {
    input: withPassword,
    returns: secondSteps,
  }),
  renewRecovery: route("person", "POST", "/second-steps/recovery", "New recovery codes; the old ones open nothing", {
    input: withPassword,
    returns: setUp,
  }),
  beginPasskey: route("person", "POST", "/second-steps/passkeys", "What a browser makes a passkey with", {
    input: withPassword,
    returns: passkeyWish,
  }),
  addPasskey: route("person", "PUT", "/second-steps/passkeys", "Keep a passkey that a browser made", {
    input: madePasskey,
    returns: setUp,
  }),
  removePasskey: route("person", "DELETE", "/second-steps/passkeys/{passkey_id}", "Take a passkey no more", {
    input: withPassword,
    returns: secondSteps,
  }),
  proveStep: route("open", "PUT", "/session", "Sign in with a code, after the password", {
    input: z.strictObject({
      one_time_code: typed.optional(),
      recovery_code: typed.optional(),
    }),
    returns: signedIn,
  }),
  askPasskey: route("open", "POST", "/passkey-session", "What a browser signs with a passkey", {
    returns: passkeyQuestion,
  }),
  signInPasskey: route("open", "PUT", "/passkey-session", "Sign in with a passkey", {
    input: usedPasskey,
    returns: signedIn,
  }),
  clearSecondSteps: route("person", "DELETE", "/people/{name}/second-steps", "Remove somebody's passkeys and codes", {
    returns: person,
  }),
  setSecondStep: route("person", "PUT", "/identity/second-step", "From which role on people need a second step", {
    input: z.strictObject({ from: requiredFrom }),
    returns: identityView,
  }),
} as const;
