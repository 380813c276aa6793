import { AppError } from "../../shared/basics/errors.ts";
import { toRevealedJson } from "../../shared/basics/secret.ts";
import { type Credential, changedCredential } from "../../shared/credentials/credentials.ts";
import { type Bound, isWider, type VaultHead } from "../../shared/credentials/vault.ts";
import type { Files } from "../files/files.ts";
import { tryEntry } from "../files/node-files.ts";
import type { Handlers } from "../http/server.ts";
import { type CredentialRow, parseEntry } from "../secrets/credential-row.ts";
import { noSuchEntry, openEntry } from "../secrets/credentials.ts";

const mostEntries = 1000;

export const credentialHandlers = (farm: Files) => {
  const { records } = farm.store;
  /** The entry is made of what is stored at that moment, so two people's changes at the same time both take effect. */
  const write = async (name: string, decide: (old: CredentialRow | undefined) => Entry): Promise<VaultHead> => {
    const { after } = await records.change("credential", name, (value, others) => {
      const { prefix, bound, credential } = decide(value === undefined ? undefined : parseEntry({ key: name, value }));
      if (others.all >= mostEntries)
        throw new AppError("CONFLICT", `The vault holds ${mostEntries} entries already: delete one first`);
      const sealed = farm.vault.seal(toRevealedJson(credential));
      const { kind } = credential;
      return JSON.stringify({ name, kind, prefix, changed: farm.clock.now(), bound, sealed } satisfies CredentialRow);
    });
    await farm.refreshRecords();
    const row = parseEntry({ key: name, value: after ?? "" }); // it was just written
    farm.log.info({ name, kind: row.kind }, "an entry of the credentials vault was written");
    return headOf(row);
  };
  return {
    listCredentials: async () => ({
      items: (await records.all("credential")).map((record) => headOf(parseEntry(record))),
    }),
    putCredential: ({ name, prefix, credential, ...bound }) =>
      write(name, () => ({ prefix, bound: boundOf(bound), credential })),
    changeCredential: ({ name, prefix, credential = {}, ...bound }) =>
      write(name, (old) => {
        if (!old) throw noSuchEntry(name);
        const kept = prefix ?? old.prefix;
        const next = boundOf({ ...old.bound, ...bound });
        const isMoved = kept !== old.prefix || isWider(old.bound, next);
        const changed = changedCredential(openEntry(farm, old), credential, isMoved);
        if (typeof changed === "string") throw new AppError("VALIDATION_FAILED", `Entry "${name}": ${changed}`);
        return { prefix: kept, bound: next, credential: changed };
      }),
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

type Entry = Pick<CredentialRow, "prefix" | "bound"> & { readonly credential: Credential };

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
