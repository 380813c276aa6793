import { z } from "zod";
import { AppError } from "../../shared/basics/errors.ts";
import { Secret } from "../../shared/basics/secret.ts";
import type { Role } from "../../shared/people/person.ts";
import { mayDo } from "../../shared/people/person.ts";
import { signInRefusals } from "../../shared/people/refusals.ts";
import { mostPasskeys, type RequiredFrom, type StepWay } from "../../shared/people/second-steps.ts";
import type { Vault } from "../secrets/vault.ts";
import type { PersonRow } from "../store/people.ts";
import { newRecoveryCodes, plainRecovery, stepOfCode } from "./one-time-passwords.ts";

const passkey = z.strictObject({
  id: z.string(),
  /** COSE, base64url. */
  public_key: z.string(),
  /** How often it signed, as it says; some always say 0. */
  counter: z.number(),
  name: z.string(),
  host: z.string(),
  transports: z.array(z.string()),
  created: z.number(),
  used: z.number().nullable(),
});
export type StoredPasskey = z.output<typeof passkey>;

const stored = z.strictObject({
  /** `last`: the step of the last code that was accepted. */
  codes: z.strictObject({ sealed: z.string(), since: z.number(), last: z.number() }).nullable(),
  /** A secret that waits for its first code. */
  pending: z.strictObject({ sealed: z.string(), until: z.number() }).nullable(),
  /** Marks of those that are not used. */
  recovery: z.array(z.string()),
  passkeys: z.array(passkey),
});
/** What somebody has beside their password, as it is stored. */
export type Steps = z.output<typeof stored>;

export const readSteps = (text: string): Steps =>
  text === "" ? { codes: null, pending: null, recovery: [], passkeys: [] } : stored.parse(JSON.parse(text));

/** Without any step, nothing is kept: recovery codes would open nothing. */
export const writeSteps = (steps: Steps): string =>
  !hasStep(steps) && steps.pending === null ? "" : JSON.stringify(hasStep(steps) ? steps : { ...steps, recovery: [] });

export const hasStep = ({ codes, passkeys }: Steps): boolean => codes !== null || passkeys.length > 0;

/** Pure: how the second step can be made. */
export const waysOf = ({ codes, passkeys, recovery }: Steps): StepWay[] => [
  ...(passkeys.length > 0 ? (["passkey"] as const) : []),
  ...(codes ? (["code"] as const) : []),
  ...(recovery.length > 0 ? (["recovery"] as const) : []),
];

export const isRequired = (from: RequiredFrom, role: Role): boolean => from !== null && mayDo(role, from);

/** Pure: what a right password still lacks. Providers ask for what they want themselves. */
export const missingStep = (
  { issuer, role, second_steps }: Pick<PersonRow, "issuer" | "role" | "second_steps">,
  from: RequiredFrom,
): "prove" | "set up" | undefined => {
  if (issuer !== null) return undefined;
  if (hasStep(readSteps(second_steps))) return "prove";
  return isRequired(from, role) ? "set up" : undefined;
};

type Keys = Pick<Vault, "seal" | "open" | "mark">;

const markOf = (vault: Keys, code: Secret): string => vault.mark(`recovery code ${plainRecovery(code)}`);

/** A secret is confirmed within this time. */
const pendingMs = 30 * 60_000;

export const withPending = (steps: Steps, vault: Keys, secret: Secret, now: number): Steps => ({
  ...steps,
  pending: { sealed: vault.seal(secret.reveal()), until: now + pendingMs },
});

/** The waiting secret counts from its first right code on. */
export const confirmed = (steps: Steps, vault: Keys, code: Secret, now: number): Steps => {
  const { pending } = steps;
  if (!pending || pending.until <= now) throw new AppError("CONFLICT", signInRefusals.noPending);
  const step = stepOfCode(new Secret(vault.open(pending.sealed)), code, 0, now);
  if (step === undefined)
    throw new AppError("VALIDATION_FAILED", signInRefusals.wrongSetUp, {
      details: [{ path: "one_time_code", message: "is wrong" }],
    });
  return { ...steps, pending: null, codes: { sealed: pending.sealed, since: now, last: step } };
};

/** A code counts once, and no older one after it. */
export const withUsedCode = (steps: Steps, vault: Keys, code: Secret, now: number): Steps => {
  const { codes } = steps;
  const step = codes && stepOfCode(new Secret(vault.open(codes.sealed)), code, codes.last, now);
  if (!codes || step == null) throw wrongCode();
  return { ...steps, codes: { ...codes, last: step } };
};

export const withUsedRecovery = (steps: Steps, vault: Keys, code: Secret): Steps => {
  const mark = markOf(vault, code);
  if (!hasStep(steps) || !steps.recovery.includes(mark)) throw wrongCode();
  return { ...steps, recovery: steps.recovery.filter((each) => each !== mark) };
};

/** With new recovery codes, and those as texts. */
export const withRecovery = (steps: Steps, vault: Keys): { readonly steps: Steps; readonly shown: string[] } => {
  const made = newRecoveryCodes();
  const marks = made.map((code) => markOf(vault, code));
  return { steps: { ...steps, recovery: marks }, shown: made.map((code) => code.reveal()) };
};

export const withPasskey = (steps: Steps, made: StoredPasskey): Steps => {
  if (steps.passkeys.length >= mostPasskeys)
    throw new AppError("CONFLICT", `You have ${mostPasskeys} passkeys already: remove one first`);
  if (steps.passkeys.some(({ id }) => id === made.id)) throw new AppError("CONFLICT", signInRefusals.hasPasskey);
  return { ...steps, passkeys: [...steps.passkeys, made] };
};

export const withoutPasskey = (steps: Steps, id: string): Steps => {
  const left = steps.passkeys.filter((each) => each.id !== id);
  if (left.length < steps.passkeys.length) return { ...steps, passkeys: left };
  throw new AppError("NOT_FOUND", signInRefusals.noPasskey);
};

/** Thrown for a passkey that counts backwards: there may be a copy of it. */
export class CopiedPasskey extends Error {
  readonly passkey: StoredPasskey;
  constructor(copied: StoredPasskey) {
    super("the passkey counts backwards");
    this.passkey = copied;
  }
}

export const withUsedPasskey = (steps: Steps, id: string, counter: number, now: number): Steps => {
  const found = steps.passkeys.find((each) => each.id === id);
  if (!found) throw unknownPasskey();
  // Many passkeys always say 0, because they are in several devices on purpose.
  if ((counter > 0 || found.counter > 0) && counter <= found.counter) throw new CopiedPasskey(found);
  return {
    ...steps,
    passkeys: steps.passkeys.map((each) => (each === found ? { ...found, counter, used: now } : each)),
  };
};

/** Who needs a step keeps one. */
export const requireStep = (steps: Steps, isNeeded: boolean): Steps => {
  if (!isNeeded || hasStep(steps)) return steps;
  throw new AppError("CONFLICT", signInRefusals.needsStep);
};

export const unknownPasskey = () => new AppError("NOT_AUTHENTICATED", signInRefusals.unknownPasskey);
const wrongCode = () => new AppError("NOT_AUTHENTICATED", signInRefusals.wrongStep);
