import type { NewPass, NewPerson, PersonRow, PersonStore, SessionRow } from "../people.ts";
import type { Connections } from "./connections.ts";
import { createOperation } from "./operation.ts";

const columns = "id, name, role, password_hash, created";
const byName = `SELECT ${columns} FROM people WHERE name_key = ?`;
const keyOf = (name: string): string => name.normalize("NFKC").trim().toLowerCase();

export const createPersonStore = ({ writer, point }: Connections): PersonStore => {
  const operation = createOperation(writer);
  const current = writer.prepare<[string], PersonRow>(byName);
  const committed = point.prepare<[string], PersonRow>(byName);
  const all = point.prepare<[], PersonRow>(`SELECT ${columns} FROM people ORDER BY name_key`);
  const byId = writer.prepare<[number], PersonRow>(`SELECT ${columns} FROM people WHERE id = ?`);
  const count = writer.prepare<[], number>("SELECT count(*) FROM people WHERE role = 'owner'").pluck();
  const otherOwners = writer
    .prepare<[number], number>("SELECT count(*) FROM people WHERE role = 'owner' AND id <> ?")
    .pluck();
  const insert = writer.prepare<unknown[], PersonRow>(
    `INSERT INTO people (name, name_key, role, password_hash, created) VALUES (?, ?, ?, ?, ?) RETURNING ${columns}`,
  );
  const update = writer.prepare(
    "UPDATE people SET role = coalesce(?, role), password_hash = coalesce(?, password_hash) WHERE id = ?",
  );
  const remove = writer.prepare("DELETE FROM people WHERE id = ?");
  const sessions = createSessions({ writer, point });

  const add = ({ name, role, passwordHash, created }: NewPerson): PersonRow =>
    insert.get(name, keyOf(name), role, passwordHash, created) as PersonRow; // RETURNING gives the one row
  const isLastOwner = ({ id, role }: PersonRow): boolean => role === "owner" && otherOwners.get(id) === 0;

  return {
    countOwners: async () => count.get() ?? 0,
    read: async (name) => committed.get(keyOf(name)),
    readAll: async () => all.all(),
    session: sessions.read,
    insertFirst: operation((person, session) => {
      if ((count.get() ?? 0) > 0 || current.get(keyOf(person.name))) return undefined;
      const made = add(person);
      sessions.begin(made.id, session);
      return made;
    }),
    insert: operation((person) => (current.get(keyOf(person.name)) ? undefined : add(person))),
    signIn: operation((name, checkedHash, session) => {
      const person = current.get(keyOf(name));
      if (person?.password_hash !== checkedHash) return undefined;
      sessions.begin(person.id, session);
      return person;
    }),
    signInAnew: operation((id, passwordHash, session) => {
      const person = byId.get(id);
      if (!person) return undefined;
      update.run(null, passwordHash, id);
      sessions.dropOthers(id, "");
      sessions.begin(id, session);
      return person;
    }),
    update: operation((name, { role, passwordHash }, keptHash) => {
      const person = current.get(keyOf(name));
      if (!person) return "nobody";
      if (role !== undefined && role !== "owner" && isLastOwner(person)) return "last owner";
      update.run(role ?? null, passwordHash ?? null, person.id);
      if (passwordHash !== undefined) sessions.dropOthers(person.id, keptHash);
      return { ...person, role: role ?? person.role };
    }),
    remove: operation((name) => {
      const person = current.get(keyOf(name));
      if (!person) return "nobody";
      if (isLastOwner(person)) return "last owner";
      remove.run(person.id);
      return person;
    }),
    extendSession: operation((hash, expires) => {
      sessions.extend.run(expires, hash);
    }),
    dropSession: operation((hash) => {
      sessions.drop.run(hash);
    }),
  };
};

const createSessions = ({ writer, point }: Pick<Connections, "writer" | "point">) => {
  const one = point.prepare<[string], SessionRow>(
    `SELECT person_id, name, role, sessions.created, expires FROM sessions JOIN people ON people.id = person_id
     WHERE hash = ?`,
  );
  const create = writer.prepare("INSERT INTO sessions (hash, person_id, created, expires) VALUES (?, ?, ?, ?)");
  const dropExpired = writer.prepare("DELETE FROM sessions WHERE expires <= ?");
  const dropBeyond = writer.prepare(
    `DELETE FROM sessions WHERE hash IN
       (SELECT hash FROM sessions WHERE person_id = ? ORDER BY expires DESC LIMIT -1 OFFSET ?)`,
  );
  const dropOthers = writer.prepare("DELETE FROM sessions WHERE person_id = ? AND hash <> ?");
  return {
    read: async (hash: string) => one.get(hash),
    extend: writer.prepare("UPDATE sessions SET expires = max(expires, ?) WHERE hash = ?"),
    drop: writer.prepare("DELETE FROM sessions WHERE hash = ?"),
    begin: (personId: number, { hash, now, expires, most }: NewPass): void => {
      dropExpired.run(now);
      dropBeyond.run(personId, most - 1);
      create.run(hash, personId, now, expires);
    },
    dropOthers: (personId: number, keptHash: string): void => {
      dropOthers.run(personId, keptHash);
    },
  };
};
