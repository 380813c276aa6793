import type { z } from "zod";
import { AppError } from "../../shared/basics/errors.ts";
import { invalid } from "../../shared/basics/validation.ts";
import { type Credential, credential, type Key } from "../../shared/credentials/credentials.ts";
import { isBelow } from "../../shared/credentials/prefix.ts";
import { redactText } from "../../shared/credentials/redact.ts";
import { type credentialTest, mayUse } from "../../shared/credentials/vault.ts";
import { TaskError } from "../../shared/model/failure.ts";
import type { ElementSpec } from "../../shared/model/job.ts";
import type { StoredRecord } from "../store/records.ts";
import { type CredentialRow, parseEntry } from "./credential-row.ts";
import { type Access, accessIn } from "./job-credentials.ts";
import type { Secrets } from "./secrets.ts";

type Parts = Pick<Secrets, "registry" | "vault" | "credentials">;

/** A key, and the vault's entry if it comes from one. */
export type EntryKey = Key & { readonly entry?: CredentialRow };

/** A decrypted entry of the vault. Throws TaskError naming it if it does not exist. */
export const entryNamed = (farm: Parts, name: string): Omit<EntryKey, "prefix"> => {
  const row = farm.credentials.get(name);
  if (row) return { credential: openEntry(farm, row), entry: row };
  throw new TaskError("definition", `There is no entry "${name}" in the credentials vault`);
};

/**
 * Why an entry cannot be used at an address, in words that say what to do next; undefined if it can. An entry is used
 * below its prefix only, whoever names it.
 */
export const refusal = ({ name, prefix }: CredentialRow, uri: string): string | undefined => {
  if (prefix === null)
    return `entry "${name}" of the vault has no prefix: give it one, with its secret, before jobs use it`;
  if (isBelow(uri, prefix)) return undefined;
  return `entry "${name}" of the vault is used below ${redactText(prefix)} only, and ${redactText(uri)} is elsewhere: name another entry`;
};

/**
 * Checks the entries that elements name, before the job is stored. Entries that do not exist yet may still come. Throws
 * AppError naming the entry and its prefix.
 */
export const checkNamedEntries = (
  { credentials }: Pick<Parts, "credentials">,
  elements: readonly Pick<ElementSpec, "uid" | "payload">[],
): void => {
  if (credentials.size === 0) return;
  const refused = elements.flatMap(({ uid, payload }) =>
    namedIn(payload).flatMap(({ prefix, name, isBeside }) => {
      const row = isBeside ? undefined : credentials.get(name);
      const message = row && refusal(row, prefix);
      return message === undefined ? [] : [{ path: `payload.elements.${uid}`, message }];
    }),
  );
  if (refused.length > 0) throw invalid(refused);
};

/** None where the access cannot be read: then no entry is sent either, and the task says what is wrong. */
const namedIn = (payload: unknown): Access["named"] => {
  try {
    return accessIn(payload).named;
  } catch {
    return [];
  }
};

/** Entries that apply if a job gives no credentials. */
export const defaultKeys = (farm: Parts): EntryKey[] =>
  [...farm.credentials.values()]
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((row) =>
      row.prefix === null ? [] : [{ prefix: row.prefix, credential: openEntry(farm, row), entry: row }],
    );

/** The key to test. Throws AppError if the vault has no such entry, or if the entry has no address. */
export const findKey = (farm: Parts, asked: z.output<typeof credentialTest>): EntryKey => {
  if ("credential" in asked) return asked;
  const row = requireEntry(farm, asked.name);
  if (row.prefix === null)
    throw new AppError("CONFLICT", `${asked.name} has no prefix, so there is no address that it could be tried on`);
  return { prefix: row.prefix, credential: openEntry(farm, row), entry: row };
};

/** An entry of the vault, encrypted. Throws AppError if there is none of this name. */
const requireEntry = ({ credentials }: Pick<Parts, "credentials">, name: string): CredentialRow => {
  const row = credentials.get(name);
  if (row) return row;
  throw noSuchEntry(name);
};

export const noSuchEntry = (name: string): AppError =>
  new AppError("NOT_FOUND", `There is no entry "${name}" in the credentials vault`);

/** Whether the key may be sent to the node. */
export const isFor = (
  { registry }: Pick<Parts, "registry">,
  { entry }: Pick<EntryKey, "entry">,
  nodeId: number,
): boolean => {
  const node = registry.row(nodeId);
  return !entry?.bound || (node !== undefined && mayUse(entry.bound, node));
};

/** Takes the vault's entries as they are stored, and tells the registry which nodes may use which. */
export const takeCredentials = ({ registry, credentials }: Parts, found: readonly StoredRecord[]): void => {
  credentials.clear();
  for (const row of found.map(parseEntry)) credentials.set(row.name, row);
  registry.bind([...credentials.values()].flatMap(({ name, bound }) => (bound ? [{ name, bound }] : [])));
};

/** The entry's credential, decrypted. */
export const openEntry = (farm: Parts, { sealed }: CredentialRow): Credential =>
  credential.parse(JSON.parse(farm.vault.open(sealed)));
