import type { CredentialRow, CredentialStore } from "../credentials.ts";
import type { Connections } from "./connections.ts";
import { parsed } from "./json.ts";
import { createOperation } from "./operation.ts";

type RawCredential = Omit<CredentialRow, "bound"> & { readonly bound: string | null };

export const createCredentialStore = ({ writer, point }: Connections): CredentialStore => {
  const operation = createOperation(writer);
  const columns = "name, kind, prefix, sealed, changed, bound";
  const all = point.prepare<[], RawCredential>(`SELECT ${columns} FROM credentials ORDER BY name`);
  const others = writer.prepare<[string], number>("SELECT count(*) FROM credentials WHERE name <> ?").pluck();
  const put = writer.prepare(
    `INSERT INTO credentials (${columns}) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (name) DO UPDATE SET
       kind = excluded.kind, prefix = excluded.prefix, sealed = excluded.sealed, changed = excluded.changed,
       bound = excluded.bound`,
  );
  const remove = writer.prepare("DELETE FROM credentials WHERE name = ?");
  return {
    all: async () => all.all().map((raw) => ({ ...raw, bound: parsed(raw.bound) ?? null })),
    put: operation(({ name, kind, prefix, sealed, changed, bound }, most) => {
      if ((others.get(name) ?? 0) >= most) return false;
      put.run(name, kind, prefix, sealed, changed, bound && JSON.stringify(bound));
      return true;
    }),
    remove: operation((name) => remove.run(name).changes > 0),
  };
};
