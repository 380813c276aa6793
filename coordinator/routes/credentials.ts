import { AppError } from "../../shared/errors.ts";
import type { VaultHead } from "../../shared/vault.ts";
import type { Handlers } from "../http/server.ts";
import type { CredentialRow } from "../store/credentials.ts";
import { bindEntries } from "../work/credentials.ts";
import type { Farm } from "../work/farm.ts";
import { tryEntry } from "../work/node-files.ts";

const mostEntries = 1000;

export const credentialHandlers = (farm: Farm) => {
  const { credentials } = farm.store;
  return {
    listCredentials: async () => ({ items: (await credentials.all()).map(headOf) }),
    putCredential: async ({ name, prefix, credential, nodes = [], groups = [] }) => {
      const row = {
        name,
        kind: credential.kind,
        prefix: prefix ?? null,
        changed: farm.clock.now(),
        bound: nodes.length + groups.length > 0 ? { nodes, groups } : null,
        sealed: farm.vault.seal(JSON.stringify(credential)),
      };
      if (!(await credentials.put(row, mostEntries)))
        throw new AppError("CONFLICT", `The vault holds ${mostEntries} entries already: delete one first`);
      farm.credentials.set(name, row);
      bindEntries(farm);
      farm.log.info({ name, kind: credential.kind }, "an entry of the credentials vault was written");
      return headOf(row);
    },
    testCredential: async ({ name }) => ({ items: await tryEntry(farm, { name }) }),
    deleteCredential: async ({ name }) => {
      if (!(await credentials.remove(name)))
        throw new AppError("NOT_FOUND", `There is no entry "${name}" in the credentials vault`);
      farm.credentials.delete(name);
      bindEntries(farm);
      farm.log.info({ name }, "an entry of the credentials vault was deleted");
      return { success: "true", message: `Entry "${name}" is deleted` };
    },
  } satisfies Partial<Handlers>;
};

const headOf = ({ name, kind, prefix, changed, bound }: Omit<CredentialRow, "sealed">): VaultHead => ({
  name,
  kind,
  changed,
  ...(bound && { nodes: [...bound.nodes], groups: [...bound.groups] }),
  ...(prefix !== null && { prefix }),
});
