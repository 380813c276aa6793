import type { CredentialRow, CredentialStore } from "../credentials.ts";
import type { Connections } from "./connections.ts";
import { createOperation } from "./operation.ts";

export const createCredentialStore = ({ writer, point }: Connections): CredentialStore => {
  const operation = createOperation(writer);
  const columns = "name, kind, prefix, sealed, changed";
  const all = point.prepare<[], CredentialRow>(`SELECT ${columns} FROM credentials ORDER BY name`);
  const others = writer.prepare<[string], number>("SELECT count(*) FROM credentials WHERE name <> ?").pluck();
  const put = writer.prepare(
    `INSERT INTO credentials (${columns}) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (name) DO UPDATE SET
       kind = excluded.kind, prefix = excluded.prefix, sealed = excluded.sealed, changed = excluded.changed`,
  );
  const remove = writer.prepare("DELETE FROM credentials WHERE name = ?");
  return {
    all: async () => all.all(),
    put: operation(({ name, kind, prefix, sealed, changed }, most) => {
      if ((others.get(name) ?? 0) >= most) return false;
      put.run(name, kind, prefix, sealed, changed);
      return true;
    }),
    remove: operation((name) => remove.run(name).changes > 0),
  };
};
