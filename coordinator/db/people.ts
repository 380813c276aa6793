import type { Role } from "../../shared/person.ts";
import type { Db } from "./open.ts";

export type PersonRow = {
  readonly id: number;
  readonly name: string;
  readonly role: Role;
  readonly password_hash: string;
  readonly created: number;
};

export type SessionRow = {
  readonly person_id: number;
  readonly name: string;
  readonly role: Role;
  readonly created: number;
  readonly expires: number;
};

export type NewPerson = Pick<PersonRow, "name" | "role" | "created"> & { readonly passwordHash: string };

const columns = "id, name, role, password_hash, created";

const keyOf = (name: string): string => name.normalize("NFKC").trim().toLowerCase();

/** Who may sign in to the pages, and who is signed in. */
export const createPersonStore = ({ writer, point }: Db) => {
  const byName = `SELECT ${columns} FROM people WHERE name_key = ?`;
  const current = writer.prepare<[string], PersonRow>(byName);
  const committed = point.prepare<[string], PersonRow>(byName);
  const all = point.prepare<[], PersonRow>(`SELECT ${columns} FROM people ORDER BY name_key`);
  const byId = writer.prepare<[number], PersonRow>(`SELECT ${columns} FROM people WHERE id = ?`);
  const count = writer.prepare<[], { n: number }>("SELECT count(*) AS n FROM people");
  const otherOwners = writer.prepare<[number], { n: number }>(
    "SELECT count(*) AS n FROM people WHERE role = 'owner' AND id <> ?",
  );
  const insert = writer.prepare<unknown[], PersonRow>(
    `INSERT INTO people (name, name_key, role, password_hash, created) VALUES (?, ?, ?, ?, ?)
     RETURNING ${columns}`,
  );
  const update = writer.prepare(
    "UPDATE people SET role = coalesce(?, role), password_hash = coalesce(?, password_hash) WHERE id = ?",
  );
  const remove = writer.prepare("DELETE FROM people WHERE id = ?");
  const session = point.prepare<[string], SessionRow>(
    `SELECT person_id, name, role, sessions.created, expires FROM sessions JOIN people ON people.id = person_id
     WHERE hash = ?`,
  );
  const createSession = writer.prepare("INSERT INTO sessions (hash, person_id, created, expires) VALUES (?, ?, ?, ?)");
  const extendSession = writer.prepare("UPDATE sessions SET expires = max(expires, ?) WHERE hash = ?");
  const dropSession = writer.prepare("DELETE FROM sessions WHERE hash = ?");
  const dropExpired = writer.prepare("DELETE FROM sessions WHERE expires <= ?");
  const dropOthers = writer.prepare("DELETE FROM sessions WHERE person_id = ? AND hash <> ?");

  const dropBeyond = writer.prepare(
    `DELETE FROM sessions WHERE hash IN
       (SELECT hash FROM sessions WHERE person_id = ? ORDER BY expires DESC LIMIT -1 OFFSET ?)`,
  );

  return {
    /** Inside a commit; names are the same whatever their case. */
    get: (name: string): PersonRow | undefined => current.get(keyOf(name)),
    getById: (id: number): PersonRow | undefined => byId.get(id),
    count: (): number => count.get()?.n ?? 0,
    hasOtherOwner: (id: number): boolean => (otherOwners.get(id)?.n ?? 0) > 0,
    insert: ({ name, role, passwordHash, created }: NewPerson): PersonRow =>
      insert.get(name, keyOf(name), role, passwordHash, created) as PersonRow, // RETURNING gives the one row
    update: (id: number, change: { readonly role?: Role; readonly passwordHash?: string }): void => {
      update.run(change.role ?? null, change.passwordHash ?? null, id);
    },
    remove: (id: number): void => {
      remove.run(id);
    },
    createSession: (hash: string, personId: number, created: number, expires: number): void => {
      createSession.run(hash, personId, created, expires);
    },
    extendSession: (hash: string, expires: number): void => {
      extendSession.run(expires, hash);
    },
    dropSession: (hash: string): void => {
      dropSession.run(hash);
    },
    dropExpiredSessions: (now: number): void => {
      dropExpired.run(now);
    },
    /** Keeps so many of a person's that end last. */
    dropSessionsBeyond: (personId: number, most: number): void => {
      dropBeyond.run(personId, most);
    },
    /** Ends all sessions of a person but one. */
    dropOtherSessions: (personId: number, keptHash: string): void => {
      dropOthers.run(personId, keptHash);
    },
    /** Outside of one. */
    read: (name: string): PersonRow | undefined => committed.get(keyOf(name)),
    readAll: (): PersonRow[] => all.all(),
    session: (hash: string): SessionRow | undefined => session.get(hash),
  };
};
