import { AppError } from "../../shared/basics/errors.ts";
import { TaskError } from "../../shared/model/failure.ts";
import type { Secrets } from "../secrets/secrets.ts";

/** What the library throws, and what lies beneath it. */
export type Trouble = {
  /** Of the library, or the error that the provider answered with. */
  readonly code: string;
  /** For the log and for owners: no token and no text of the provider's is in it. */
  readonly detail: string;
};

/** A refusal of our own, which the library may have wrapped. */
export const ownErrorIn = (thrown: unknown): AppError | undefined =>
  causesOf(thrown).find((each) => each instanceof AppError);

/** Finds out what went wrong. Messages of the library name claims and never values; causes may hold tokens, and stay out. */
export const troubleOf = (thrown: unknown): Trouble => {
  const outbound = causesOf(thrown).find((each) => each instanceof TaskError);
  if (outbound) return { code: "NO_ANSWER", detail: outbound.message };
  const told = causesOf(thrown).find(hasCode);
  if (!told) return { code: "UNKNOWN", detail: "it was not understood" };
  const said = errorWord((told as { readonly error?: unknown }).error); // errors that the provider answered with have it
  return { code: told.code, detail: [told.message, said].filter(Boolean).join(": ").slice(0, 300) };
};

const hasCode = (each: unknown): each is Error & { readonly code: string } =>
  each instanceof Error && "code" in each && typeof each.code === "string";

const causesOf = (thrown: unknown): unknown[] => {
  const found: unknown[] = [];
  for (let each = thrown; each instanceof Error && found.length < 10; each = each.cause) found.push(each);
  return found;
};

/** Errors of OAuth are words; anything else that a provider puts there is not repeated. */
const errorWord = (value: unknown): string | undefined =>
  typeof value === "string" && /^[a-z_]{1,60}$/.test(value) ? value : undefined;

const byCode: Readonly<Record<string, (provider: string) => string>> = {
  NO_ANSWER: (provider) => `${provider} does not answer now: try again, or ask an owner of this farm`,
  OAUTH_JWT_TIMESTAMP_CHECK_FAILED: (provider) =>
    `What ${provider} said is too old, or its clock and this farm's differ: sign in again, and set the clocks if it stays so`,
  OAUTH_AUTHORIZATION_RESPONSE_ERROR: (provider) => `${provider} did not let you in`,
  OAUTH_RESPONSE_BODY_ERROR: (provider) =>
    `${provider} refused it: it was used already or is too old, or the farm's client id or secret is wrong. Sign in again`,
};

/** The refusal for whoever signs in: what to do, and no more. */
export const refusalOf = ({ code }: Trouble, provider: string): AppError =>
  new AppError(
    "NOT_ALLOWED",
    byCode[code]?.(provider) ??
      `What ${provider} answered does not prove who you are: an owner finds the reason in the log`,
  );

/** Throws what whoever signs in is told, and keeps the reason in the log. */
export const tellTrouble = ({ log }: Pick<Secrets, "log">, name: string, problem: unknown): never => {
  const own = ownErrorIn(problem);
  if (own) throw own;
  const trouble = troubleOf(problem);
  log.warn({ provider: name, ...trouble }, "a sign-in at a provider failed");
  throw refusalOf(trouble, name);
};
