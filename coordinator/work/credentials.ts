import { TaskError } from "../../shared/causes.ts";
import { type Credential, credential, type Key } from "../../shared/credentials.ts";
import type { CredentialRow } from "../store/credentials.ts";
import type { Farm } from "./farm.ts";

/** A decrypted entry of the vault. Throws TaskError naming it if it does not exist. */
export const credentialNamed = (farm: Farm, name: string): Credential => {
  const row = farm.credentials.get(name);
  if (row) return opened(farm, row);
  throw new TaskError("definition", `There is no entry "${name}" in the credentials vault`);
};

/** Entries that apply if a job gives no credentials. */
export const defaultKeys = (farm: Farm): Key[] =>
  [...farm.credentials.values()]
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((row) => (row.prefix === null ? [] : [{ prefix: row.prefix, credential: opened(farm, row) }]));

const opened = (farm: Farm, { sealed }: CredentialRow): Credential =>
  credential.parse(JSON.parse(farm.vault.open(sealed)));
