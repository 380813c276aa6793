import { changedCredential } from "../../shared/credentials.ts";
import { AppError } from "../../shared/errors.ts";
import type { Bound, VaultHead } from "../../shared/vault.ts";
import type { Handlers } from "../http/server.ts";
import type { CredentialRow } from "../store/credentials.ts";
import { bindEntries, openEntry } from "../work/credentials.ts";
import type { Farm } from "../work/farm.ts";
import { tryEntry } from "../work/node-files.ts";

const mostEntries = 1000;

export const credentialHandlers = (farm: Farm) => {
  const { credentials } = farm.store;
  const write = async (row: CredentialRow): Promise<VaultHead> => {
    if (!(await credentials.put(row, mostEntries)))
      throw new AppError("CONFLICT", `The vault holds ${mostEntries} entries already: delete one first`);
    farm.credentials.set(row.name, row);
    bindEntries(farm);
    farm.log.info({ name: row.name, kind: row.kind }, "an entry of the credentials vault was written");
    return headOf(row);
  };
  return {
    listCredentials: async () => ({ items: (await credentials.all()).map(headOf) }),
    putCredential: ({ name, prefix, credential, nodes = [], groups = [] }) =>
      write({
        name,
        kind: credential.kind,
        prefix: prefix ?? null,
        changed: farm.clock.now(),
        bound: boundOf({ nodes, groups }),
        sealed: farm.vault.seal(JSON.stringify(credential)),
      }),
    changeCredential: async ({ name, prefix, credential = {}, ...bound }) => {
      const old = farm.credentials.get(name);
      if (!old) throw new AppError("NOT_FOUND", `There is no entry "${name}" in the credentials vault`);
      const changed = changedCredential(openEntry(farm, old), credential);
      if (typeof changed === "string") throw new AppError("VALIDATION_FAILED", `Entry "${name}": ${changed}`);
      const { nodes = [], groups = [] } = { ...old.bound, ...bound };
      return write({
        name,
        kind: old.kind,
        prefix: prefix === undefined ? old.prefix : prefix,
        changed: farm.clock.now(),
        bound: boundOf({ nodes, groups }),
        sealed: farm.vault.seal(JSON.stringify(changed)),
      });
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

const boundOf = (bound: Bound): Bound | null => (bound.nodes.length + bound.groups.length > 0 ? bound : null);

const headOf = ({ name, kind, prefix, changed, bound }: Omit<CredentialRow, "sealed">): VaultHead => ({
  name,
  kind,
  changed,
  ...(bound && { nodes: [...bound.nodes], groups: [...bound.groups] }),
  ...(prefix !== null && { prefix }),
});
