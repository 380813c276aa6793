import { type NewPerson, type PersonRow, type PersonStore, personKey } from "../people.ts";
import type { Ask, Database } from "./connection/database.ts";
import type { EnginePasses } from "./passes.ts";

const columns = "id, name, role, password_hash, created";
const namedSql = `SELECT ${columns} FROM people WHERE name_key = $1`;

export const createPersonStore = ({ ask }: Database, passes: EnginePasses): PersonStore => ({
  read: (name) => named(ask, name),
  readAll: () => ask<PersonRow>(`SELECT ${columns} FROM people ORDER BY name_key`),
  insert: passes.operation(async (within, person, first) => {
    if ((await named(within, person.name)) || (first && (await hasOwner(within, 0)))) return undefined;
    const made = await add(within, person);
    if (first) await passes.begin(within, "session", made.id, first);
    return made;
  }),
  signIn: passes.operation(async (within, id, password, session) => {
    const [person] = await within<PersonRow>(`SELECT ${columns} FROM people WHERE id = $1`, id);
    if (!person || ("checked" in password && password.checked !== person.password_hash)) return undefined;
    const signedIn = "made" in password ? await update(within, null, password.made, id) : person;
    if ("made" in password) await passes.endOthers(within, "session", id, "");
    await passes.begin(within, "session", id, session);
    return signedIn;
  }),
  update: passes.operation(async (within, name, { role, passwordHash }, keptHash) => {
    const person = await named(within, name);
    if (!person) return "nobody" as const;
    if (role !== undefined && role !== "owner" && (await isLastOwner(within, person))) return "last owner" as const;
    if (passwordHash !== undefined) await passes.endOthers(within, "session", person.id, keptHash);
    return update(within, role ?? null, passwordHash ?? null, person.id);
  }),
  remove: passes.operation(async (within, name) => {
    const person = await named(within, name);
    if (!person) return "nobody" as const;
    if (await isLastOwner(within, person)) return "last owner" as const;
    await within("DELETE FROM people WHERE id = $1", person.id);
    return person;
  }),
});

const named = async (ask: Ask, name: string): Promise<PersonRow | undefined> =>
  (await ask<PersonRow>(namedSql, personKey(name)))[0];

/** Other than this one. */
const hasOwner = async (ask: Ask, besides: number): Promise<boolean> =>
  (await ask("SELECT 1 FROM people WHERE role = 'owner' AND id <> $1 LIMIT 1", besides)).length > 0;

const isLastOwner = async (ask: Ask, { id, role }: PersonRow): Promise<boolean> =>
  role === "owner" && !(await hasOwner(ask, id));

const add = async (ask: Ask, { name, role, passwordHash, created }: NewPerson): Promise<PersonRow> => {
  const [made] = await ask<PersonRow>(
    `INSERT INTO people (name, name_key, role, password_hash, created) VALUES ($1, $2, $3, $4, $5) RETURNING ${columns}`,
    ...[name, personKey(name), role, passwordHash, created],
  );
  return made as PersonRow; // RETURNING gives the one row
};

/** Null: as it is. */
const update = async (
  ask: Ask,
  role: PersonRow["role"] | null,
  passwordHash: string | null,
  id: number,
): Promise<PersonRow> => {
  const [changed] = await ask<PersonRow>(
    `UPDATE people SET role = coalesce($1, role), password_hash = coalesce($2, password_hash) WHERE id = $3
     RETURNING ${columns}`,
    ...[role, passwordHash, id],
  );
  return changed as PersonRow; // of a row that was read before
};
