import { TaskError } from "../../shared/causes.ts";
import { type Credential, credential, type Key } from "../../shared/credentials.ts";
import type { CredentialRow } from "../store/credentials.ts";
import type { Farm } from "./farm.ts";

/** An entry of the vault, opened. Throws TaskError naming it where it is not there. */
export const credentialNamed = (farm: Farm, name: string): Credential => {
  const row = farm.credentials.get(name);
  if (row) return opened(farm, row);
  throw new TaskError("definition", `There is no entry "${name}" in the credentials vault`);
};

/** The entries that are used where a job says nothing. */
export const defaultKeys = (farm: Farm): Key[] =>
  [...farm.credentials.values()]
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((row) => (row.prefix === null ? [] : [{ prefix: row.prefix, credential: opened(farm, row) }]));

const opened = (farm: Farm, { sealed }: CredentialRow): Credential =>
  credential.parse(JSON.parse(farm.vault.open(sealed)));
