import type { Db } from "./open.ts";

export type CredentialRow = {
  readonly name: string;
  readonly kind: string;
  readonly prefix: string | null;
  readonly sealed: string;
  readonly changed: number;
};

/** The vault's entries, each sealed. */
export const createCredentialStore = ({ writer, point }: Db) => {
  const columns = "name, kind, prefix, sealed, changed";
  const one = point.prepare<[string], CredentialRow>(`SELECT ${columns} FROM credentials WHERE name = ?`);
  const all = point.prepare<[], CredentialRow>(`SELECT ${columns} FROM credentials ORDER BY name`);
  const prefixed = point.prepare<[], CredentialRow>(
    `SELECT ${columns} FROM credentials WHERE prefix IS NOT NULL ORDER BY name`,
  );
  const count = writer.prepare<[string], { n: number }>("SELECT count(*) AS n FROM credentials WHERE name <> ?");
  const put = writer.prepare(
    `INSERT INTO credentials (${columns}) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (name) DO UPDATE SET
       kind = excluded.kind, prefix = excluded.prefix, sealed = excluded.sealed, changed = excluded.changed`,
  );
  const remove = writer.prepare("DELETE FROM credentials WHERE name = ?");

  return {
    /** As they were last committed. */
    read: (name: string): CredentialRow | undefined => one.get(name),
    readAll: (): CredentialRow[] => all.all(),
    withPrefix: (): CredentialRow[] => prefixed.all(),
    countOthers: (name: string): number => count.get(name)?.n ?? 0,
    put: ({ name, kind, prefix, sealed, changed }: CredentialRow): void => {
      put.run(name, kind, prefix, sealed, changed);
    },
    remove: (name: string): boolean => remove.run(name).changes > 0,
  };
};
