import { z } from "zod";
import { Secret, secretOf } from "../basics/secret.ts";

/**
 * A secret that a step needs. Work holds only its name, which is the field in the element's payload (`rest/password`).
 * Its text is sent along with the assignment, and an agent keeps it only in memory.
 */
const secretWord = z.strictObject({ secret: z.string().min(1).max(300) });

/** The keys of an entry of the credentials vault, as JSON: `{"secret": "vault/archive-bucket"}`. */
export const vaultWord = z.strictObject({ secret: z.string().regex(/^vault\/[A-Za-z0-9][A-Za-z0-9_.-]{0,199}$/) });
export const vaultWordOf = (entry: string) => ({ secret: `${vaultMark}${entry}` });
const vaultMark = "vault/";

/** The entry that a secret's name means; undefined for fields of the payload. */
export const entryOfWord = (name: string): string | undefined =>
  name.startsWith(vaultMark) ? name.slice(vaultMark.length) : undefined;

/** A text, or the name of a secret one. */
export const wordOrSecret = z.union([z.string().max(64_000), secretWord]);
export type WordOrSecret = z.output<typeof wordOrSecret>;

/** Texts of secrets by name. */
export const secretWords = z.record(z.string().max(300), secretOf(z.string().max(64_000)));
export type SecretWords = z.output<typeof secretWords>;

/** Names of all secrets that a value uses, at any depth. */
export const secretNamesIn = (value: unknown): string[] => {
  if (typeof value !== "object" || value === null) return [];
  const word = secretWord.safeParse(value);
  return word.success ? [word.data.secret] : Object.values(value).flatMap(secretNamesIn);
};

/** The secret of that name; undefined if the payload has none. */
export const secretIn = (payload: unknown, name: string): Secret | undefined => {
  const found = name
    .split("/")
    .reduce<unknown>(
      (at, key) => (typeof at === "object" && at !== null && Object.hasOwn(at, key) ? Reflect.get(at, key) : undefined),
      payload,
    );
  return typeof found === "string" ? new Secret(found) : undefined;
};
