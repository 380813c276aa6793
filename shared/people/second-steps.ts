import { z } from "zod";
import { secretOf } from "../basics/secret.ts";
import { type Role, roles, signedIn } from "./person.ts";

/** What the person sees it by, such as the machine that keeps it. */
export const passkeyName = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .regex(/^\P{Cc}*$/u, "must not contain control characters");

/** The maximum number of passkeys of one person. */
export const mostPasskeys = 20;

const when = z.string();

/** What somebody has beside their password, as they see it themselves. */
export const secondSteps = z.strictObject({
  /** Since when codes of an app count; null: they have none. */
  codes: z.strictObject({ since: when }).nullable(),
  /** How many recovery codes are not used yet. */
  recovery_left: z.number().int(),
  passkeys: z.array(
    z.strictObject({
      id: z.string(),
      name: z.string(),
      /** The name of the farm that it was made for: it opens nothing under another one. */
      host: z.string(),
      created: when,
      last_used: when.nullable(),
    }),
  ),
  /** Whether people of their role need one. */
  is_required: z.boolean(),
  /** Why there are no passkeys where the page was opened; null: there are. */
  not_here: z.string().nullable(),
});
export type SecondSteps = z.output<typeof secondSteps>;
export type Passkey = SecondSteps["passkeys"][number];

/** A new secret for codes, as apps take it. */
export const newCodes = z.strictObject({
  secret: z.string(),
  /** What apps show beside the codes: of which farm, and whose. */
  issuer: z.string(),
  account: z.string(),
});
export type NewCodes = z.output<typeof newCodes>;

/** Recovery codes are shown once; empty: those from before still count. */
export const setUp = z.strictObject({ recovery: z.array(z.string()) });

export const stepWays = ["passkey", "code", "recovery"] as const;
export type StepWay = (typeof stepWays)[number];

/** The password was right, and opens nothing alone. */
export const unfinished = z.strictObject({
  name: z.string(),
  /** prove: what they have set up · set up: there is nothing yet, and the farm wants it. */
  step: z.enum(["prove", "set up"]),
  ways: z.array(z.enum(stepWays)),
  not_here: z.string().nullable(),
});
export type Unfinished = z.output<typeof unfinished>;

/** What a password comes to. */
export const entered = z.union([signedIn, unfinished]);

const base64url = (most: number) =>
  z
    .string()
    .max(most)
    .regex(/^[\w-]*$/, "must be base64url");

/** What a browser's authenticator answers (WebAuthn), as far as it is read. */
export const madePasskey = z.strictObject({
  name: passkeyName,
  id: base64url(1400),
  client_data: base64url(8000),
  attestation: base64url(20_000),
  transports: z.array(z.string().max(30)).max(10),
});
export type MadePasskey = z.output<typeof madePasskey>;

export const usedPasskey = z.strictObject({
  id: base64url(1400),
  client_data: base64url(8000),
  authenticator_data: base64url(8000),
  /** Of the challenge: nobody else can make it, and it counts once. */
  signature: secretOf(base64url(4000)),
  /** Whose it is. Authenticators that were asked for one by its id may leave it out. */
  user: base64url(200).nullable(),
});
export type UsedPasskey = z.output<typeof usedPasskey>;

const descriptors = z.array(
  z.strictObject({ type: z.literal("public-key"), id: z.string(), transports: z.array(z.string()) }),
);

/** What a browser is asked to make a passkey with: `PublicKeyCredentialCreationOptionsJSON`. */
export const passkeyWish = z.strictObject({
  rp: z.strictObject({ id: z.string(), name: z.string() }),
  user: z.strictObject({ id: z.string(), name: z.string(), displayName: z.string() }),
  challenge: z.string(),
  pubKeyCredParams: z.array(z.strictObject({ type: z.literal("public-key"), alg: z.number().int() })),
  timeout: z.number().int(),
  excludeCredentials: descriptors,
  authenticatorSelection: z.strictObject({
    residentKey: z.literal("required"),
    requireResidentKey: z.literal(true),
    userVerification: z.literal("required"),
  }),
  attestation: z.literal("none"),
});
export type PasskeyWish = z.output<typeof passkeyWish>;

/** What a browser is asked to sign: `PublicKeyCredentialRequestOptionsJSON`. */
export const passkeyQuestion = z.strictObject({
  challenge: z.string(),
  rpId: z.string(),
  timeout: z.number().int(),
  /** Empty: any that it has for this farm. */
  allowCredentials: descriptors,
  userVerification: z.literal("required"),
});
export type PasskeyQuestion = z.output<typeof passkeyQuestion>;

/** From which role on people need a second step; null: from none on. */
export const requiredFrom = z.enum(roles).nullable();
export type RequiredFrom = Role | null;
