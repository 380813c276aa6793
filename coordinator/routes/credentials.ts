import { AppError } from "../../shared/basics/errors.ts";
import { toRevealedJson } from "../../shared/basics/secret.ts";
import { type Credential, changedCredential } from "../../shared/credentials/credentials.ts";
import { type Bound, isWider, type VaultHead } from "../../shared/credentials/vault.ts";
import type { Files } from "../files/files.ts";
import { tryEntry } from "../files/node-files.ts";
import type { Handlers } from "../http/server.ts";
import { type CredentialRow, parseEntry } from "../secrets/credential-row.ts";
import { noSuchEntry, openEntry, requireEntry } from "../secrets/credentials.ts";

const mostEntries = 1000;

export const credentialHandlers = (farm: Files) => {
  const { records } = farm.store;
  const write = async (
    { name, prefix, bound }: Pick<CredentialRow, "name" | "prefix" | "bound">,
    credential: Credential,
  ): Promise<VaultHead> => {
    const sealed = farm.vault.seal(toRevealedJson(credential));
    const row: CredentialRow = { name, kind: credential.kind, prefix, changed: farm.clock.now(), bound, sealed };
    await records.change("credential", row.name, (_, others) => {
      if (others.all < mostEntries) return JSON.stringify(row);
      throw new AppError("CONFLICT", `The vault holds ${mostEntries} entries already: delete one first`);
    });
    await farm.refreshRecords();
    farm.log.info({ name: row.name, kind: row.kind }, "an entry of the credentials vault was written");
    return headOf(row);
  };
  return {
    listCredentials: async () => ({
      items: (await records.all("credential")).map((record) => headOf(parseEntry(record))),
    }),
    putCredential: ({ name, prefix, credential, ...bound }) =>
      write({ name, prefix, bound: boundOf(bound) }, credential),
    changeCredential: async ({ name, prefix, credential = {}, ...bound }) => {
      await farm.refreshRecords();
      const old = requireEntry(farm, name);
      const kept = prefix ?? old.prefix;
      const next = boundOf({ ...old.bound, ...bound });
      const isMoved = kept !== old.prefix || isWider(old.bound, next);
      const changed = changedCredential(openEntry(farm, old), credential, isMoved);
      if (typeof changed === "string") throw new AppError("VALIDATION_FAILED", `Entry "${name}": ${changed}`);
      return write({ name, prefix: kept, bound: next }, changed);
    },
    testCredential: async ({ name }) => ({ items: await tryEntry(farm, { name }) }),
    deleteCredential: async ({ name }) => {
      const { before } = await records.change("credential", name, () => undefined);
      if (before === undefined) throw noSuchEntry(name);
      await farm.refreshRecords();
      farm.log.info({ name }, "an entry of the credentials vault was deleted");
      return { success: "true", message: `Entry "${name}" is deleted` };
    },
  } satisfies Partial<Handlers>;
};

type Named = { readonly [K in keyof Bound]?: Bound[K] | undefined };

/** Null where nobody is named: every node. */
const boundOf = ({ nodes = [], groups = [] }: Named): Bound | null =>
  nodes.length + groups.length > 0 ? { nodes, groups } : null;

const headOf = ({ name, kind, prefix, changed, bound }: Omit<CredentialRow, "sealed">): VaultHead => ({
  name,
  kind,
  changed,
  ...(bound && { nodes: [...bound.nodes], groups: [...bound.groups] }),
  ...(prefix !== null && { prefix }),
});
