import type { z } from "zod";
import { TaskError } from "../../shared/causes.ts";
import { type Credential, credential, type Key } from "../../shared/credentials.ts";
import { AppError } from "../../shared/errors.ts";
import { type credentialTest, mayUse } from "../../shared/vault.ts";
import type { CredentialRow } from "../store/credentials.ts";
import type { Farm } from "./farm.ts";

/** A key, and the vault's entry if it comes from one. */
export type EntryKey = Key & { readonly entry?: CredentialRow };

/** A decrypted entry of the vault. Throws TaskError naming it if it does not exist. */
export const entryNamed = (farm: Farm, name: string): Omit<EntryKey, "prefix"> => {
  const row = farm.credentials.get(name);
  if (row) return { credential: openEntry(farm, row), entry: row };
  throw new TaskError("definition", `There is no entry "${name}" in the credentials vault`);
};

/** Entries that apply if a job gives no credentials. */
export const defaultKeys = (farm: Farm): EntryKey[] =>
  [...farm.credentials.values()]
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((row) =>
      row.prefix === null ? [] : [{ prefix: row.prefix, credential: openEntry(farm, row), entry: row }],
    );

/** The key to test. Throws AppError if the vault has no such entry, or if the entry has no address. */
export const keyOf = (farm: Farm, asked: z.output<typeof credentialTest>): EntryKey => {
  if ("credential" in asked) return asked;
  const row = farm.credentials.get(asked.name);
  if (!row) throw new AppError("NOT_FOUND", `There is no entry "${asked.name}" in the credentials vault`);
  if (row.prefix === null)
    throw new AppError("CONFLICT", `${asked.name} has no prefix, so there is no address that it could be tried on`);
  return { prefix: row.prefix, credential: openEntry(farm, row), entry: row };
};

/** Whether the key may be sent to the node. */
export const isFor = ({ registry }: Farm, { entry }: EntryKey, nodeId: number): boolean => {
  const node = registry.row(nodeId);
  return !entry?.bound || (node !== undefined && mayUse(entry.bound, node));
};

/** Tells the registry which nodes may use which entries. */
export const bindEntries = ({ registry, credentials }: Farm): void =>
  registry.bind([...credentials.values()].flatMap(({ name, bound }) => (bound ? [{ name, bound }] : [])));

/** The entry's credential, decrypted. */
export const openEntry = (farm: Farm, { sealed }: CredentialRow): Credential =>
  credential.parse(JSON.parse(farm.vault.open(sealed)));
