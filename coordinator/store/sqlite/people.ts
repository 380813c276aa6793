import { type NewPerson, type PersonRow, type PersonStore, personKey } from "../people.ts";
import type { Connections } from "./connections.ts";
import { createOperation } from "./operation.ts";
import type { EnginePasses } from "./passes.ts";

const columns = "id, name, role, password_hash, created";

export const createPersonStore = ({ writer, point }: Connections, passes: EnginePasses): PersonStore => {
  const operation = createOperation(writer);
  const committed = point.prepare<[string], PersonRow>(`SELECT ${columns} FROM people WHERE name_key = ?`);
  const all = point.prepare<[], PersonRow>(`SELECT ${columns} FROM people ORDER BY name_key`);
  const rows = createRows(writer);
  return {
    read: async (name) => committed.get(personKey(name)),
    readAll: async () => all.all(),
    insert: operation((person, first) => {
      if (rows.named(person.name) || (first && rows.hasOwner(0))) return undefined;
      const made = rows.add(person);
      if (first) passes.begin("session", made.id, first);
      return made;
    }),
    signIn: operation((id, password, session) => {
      const person = rows.byId(id);
      if (!person || ("checked" in password && password.checked !== person.password_hash)) return undefined;
      const signedIn = "made" in password ? rows.update(null, password.made, id) : person;
      if ("made" in password) passes.endOthers("session", id, "");
      passes.begin("session", id, session);
      return signedIn;
    }),
    update: operation((name, { role, passwordHash }, keptHash) => {
      const person = rows.named(name);
      if (!person) return "nobody";
      if (role !== undefined && role !== "owner" && rows.isLastOwner(person)) return "last owner";
      if (passwordHash !== undefined) passes.endOthers("session", person.id, keptHash);
      return rows.update(role ?? null, passwordHash ?? null, person.id);
    }),
    remove: operation((name) => {
      const person = rows.named(name);
      if (!person) return "nobody";
      if (rows.isLastOwner(person)) return "last owner";
      rows.remove(person.id);
      return person;
    }),
  };
};

/** Rows of people as the open transaction sees them. */
const createRows = (writer: Connections["writer"]) => {
  const named = writer.prepare<[string], PersonRow>(`SELECT ${columns} FROM people WHERE name_key = ?`);
  const byId = writer.prepare<[number], PersonRow>(`SELECT ${columns} FROM people WHERE id = ?`);
  const otherOwner = writer.prepare<[number]>("SELECT 1 FROM people WHERE role = 'owner' AND id <> ?");
  const insert = writer.prepare<unknown[], PersonRow>(
    `INSERT INTO people (name, name_key, role, password_hash, created) VALUES (?, ?, ?, ?, ?) RETURNING ${columns}`,
  );
  const update = writer.prepare<unknown[], PersonRow>(
    `UPDATE people SET role = coalesce(?, role), password_hash = coalesce(?, password_hash) WHERE id = ? RETURNING ${columns}`,
  );
  const remove = writer.prepare("DELETE FROM people WHERE id = ?");
  /** Other than this one. */
  const hasOwner = (besides: number): boolean => otherOwner.get(besides) !== undefined;
  return {
    named: (name: string) => named.get(personKey(name)),
    byId: (id: number) => byId.get(id),
    hasOwner,
    isLastOwner: ({ id, role }: PersonRow): boolean => role === "owner" && !hasOwner(id),
    add: ({ name, role, passwordHash, created }: NewPerson): PersonRow =>
      insert.get(name, personKey(name), role, passwordHash, created) as PersonRow, // RETURNING gives the one row
    /** Null: as it is. */
    update: (role: PersonRow["role"] | null, passwordHash: string | null, id: number): PersonRow =>
      update.get(role, passwordHash, id) as PersonRow, // of a row that was read before
    remove: (id: number) => remove.run(id),
  };
};
