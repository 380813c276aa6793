import type { z } from "zod";
import { AppError } from "../../shared/basics/errors.ts";
import { type Credential, credential, type Key } from "../../shared/credentials/credentials.ts";
import { type credentialTest, mayUse } from "../../shared/credentials/vault.ts";
import { TaskError } from "../../shared/model/failure.ts";
import type { StoredRecord } from "../store/records.ts";
import { type CredentialRow, parseEntry } from "./credential-row.ts";
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
export const requireEntry = ({ credentials }: Pick<Parts, "credentials">, name: string): CredentialRow => {
  const row = credentials.get(name);
  if (row) return row;
  throw noSuchEntry(name);
};

export const noSuchEntry = (name: string): AppError =>
  new AppError("NOT_FOUND", `There is no entry "${name}" in the credentials vault`);

/** Whether the key may be sent to the node. */
export const isFor = ({ registry }: Parts, { entry }: EntryKey, nodeId: number): boolean => {
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
