import {
  type NewPerson,
  notNarrowed,
  type PersonChange,
  type PersonRow,
  type PersonStore,
  personKey,
  type VouchedPerson,
} from "../people.ts";
import type { Connections } from "./connections.ts";
import { createLinks } from "./links.ts";
import { createOperation } from "./operation.ts";
import type { EnginePasses } from "./passes.ts";

const columns = "id, name, role, password_hash, created, issuer, subject, second_steps, only_tags, only_groups";

export const createPersonStore = ({ writer, point }: Connections, passes: EnginePasses): PersonStore => {
  const operation = createOperation(writer);
  const committed = point.prepare<[string], PersonRow>(`SELECT ${columns} FROM people WHERE name_key = ?`);
  const all = point.prepare<[], PersonRow>(`SELECT ${columns} FROM people ORDER BY name_key`);
  const rows = createRows(writer);
  const links = createLinks({ writer, point });
  return {
    read: async (name) => committed.get(personKey(name)),
    readAll: async () => all.all(),
    insert: operation((person, first) => {
      if (rows.named(person.name) || (first && rows.hasOwner(0))) return undefined;
      const made = rows.add(person);
      if (first) passes.begin("session", made.id, first);
      return made;
    }),
    signIn: operation((id, { checked }, session) => {
      const person = rows.byId(id);
      if (!person || person.issuer !== null || checked !== person.password_hash) return undefined;
      passes.begin("session", id, session);
      return person;
    }),
    renew: operation((id, passwordHash) => {
      const person = rows.byId(id);
      if (!person || person.issuer !== null) return undefined;
      passes.endOthers("session", id, "");
      return rows.update({ passwordHash }, id);
    }),
    update: operation((name, change, keptHash) => {
      const { role, passwordHash } = change;
      const person = rows.named(name);
      if (!person) return "nobody";
      if (person.issuer !== null && (role ?? passwordHash) !== undefined) return "vouched for";
      if (role !== undefined && role !== "owner" && rows.isLastOwner(person)) return "last owner";
      if (passwordHash !== undefined) passes.endOthers("session", person.id, keptHash);
      return rows.update(change, person.id);
    }),
    remove: operation((name) => {
      const person = rows.named(name);
      if (!person) return "nobody";
      if (rows.isLastOwner(person)) return "last owner";
      rows.remove(person.id);
      return person;
    }),
    changeSteps: operation((id, decide) => {
      const person = rows.byId(id);
      return person && rows.setSteps(decide(person.second_steps), id);
    }),
    enter: operation((vouched, most, session) => {
      const { issuer, sid, role: mostRole } = vouched;
      const linked = links.use(vouched);
      if (linked !== undefined) {
        passes.begin("session", linked, session, { issuer, sid, mostRole });
        return rows.byId(linked);
      }
      const known = rows.vouched(vouched.issuer, vouched.subject);
      const name = vouched.names.find((each) => [undefined, known?.id].includes(rows.named(each)?.id));
      if (name === undefined || (!known && rows.count() >= most)) return undefined;
      const person = known ? rows.rename(name, vouched, known.id) : rows.addVouched(vouched, name);
      passes.begin("session", person.id, session, { issuer, sid, mostRole: null });
      return person;
    }),
    leave: operation((issuer, subject) => {
      if (subject === null) links.removeOf(issuer);
      return rows.leave(issuer, subject);
    }),
    endSessions: operation((issuer, keptHash) => links.endSessions(issuer, keptHash)),
    endVouched: operation((issuer, which) => links.endVouched(issuer, which)),
    links: async (personId) => links.read(personId),
    link: operation((link, session) => (links.hasSession(link.person_id, session) ? links.add(link) : "no session")),
    unlink: operation((personId, issuer, how) => links.remove(personId, issuer, how)),
  };
};

/** Rows of people as the open transaction sees them. */
const createRows = (writer: Connections["writer"]) => {
  const named = writer.prepare<[string], PersonRow>(`SELECT ${columns} FROM people WHERE name_key = ?`);
  const byId = writer.prepare<[number], PersonRow>(`SELECT ${columns} FROM people WHERE id = ?`);
  const otherOwner = writer.prepare<[number]>("SELECT 1 FROM people WHERE role = 'owner' AND id <> ?");
  const insert = writer.prepare<unknown[], PersonRow>(
    `INSERT INTO people (name, name_key, role, password_hash, created, only_tags, only_groups)
     VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING ${columns}`,
  );
  const update = writer.prepare<unknown[], PersonRow>(
    `UPDATE people SET role = coalesce(?, role), password_hash = coalesce(?, password_hash),
     only_tags = coalesce(?, only_tags), only_groups = coalesce(?, only_groups) WHERE id = ? RETURNING ${columns}`,
  );
  const setSteps = writer.prepare<unknown[], PersonRow>(
    `UPDATE people SET second_steps = ? WHERE id = ? RETURNING ${columns}`,
  );
  const remove = writer.prepare("DELETE FROM people WHERE id = ?");
  const vouched = writer.prepare<[string, string], PersonRow>(
    `SELECT ${columns} FROM people WHERE issuer = ? AND subject = ?`,
  );
  const count = writer.prepare<[], { readonly n: number }>("SELECT count(*) AS n FROM people");
  const addVouched = writer.prepare<unknown[], PersonRow>(
    `INSERT INTO people (name, name_key, role, password_hash, created, issuer, subject, only_tags, only_groups)
     VALUES (?, ?, ?, '', ?, ?, ?, ?, ?) RETURNING ${columns}`,
  );
  const rename = writer.prepare<unknown[], PersonRow>(
    `UPDATE people SET name = ?, name_key = ?, role = ?, only_tags = coalesce(?, only_tags),
     only_groups = coalesce(?, only_groups) WHERE id = ? RETURNING ${columns}`,
  );
  const leave = writer.prepare("DELETE FROM people WHERE issuer = @issuer AND subject = coalesce(@subject, subject)");
  /** Other than this one. */
  const hasOwner = (besides: number): boolean => otherOwner.get(besides) !== undefined;
  return {
    named: (name: string) => named.get(personKey(name)),
    byId: (id: number) => byId.get(id),
    hasOwner,
    isLastOwner: ({ id, role }: PersonRow): boolean => role === "owner" && !hasOwner(id),
    add: ({ name, role, passwordHash, created, narrowed = notNarrowed }: NewPerson): PersonRow => {
      const { only_tags, only_groups } = narrowed;
      const values = [name, personKey(name), role, passwordHash, created, only_tags, only_groups];
      return insert.get(...values) as PersonRow; // RETURNING gives the one row
    },
    /** What is absent stays. */
    update: ({ role, passwordHash, only_tags, only_groups }: PersonChange, id: number): PersonRow => {
      const changes = [role, passwordHash, only_tags, only_groups].map((each) => each ?? null);
      return update.get(...changes, id) as PersonRow; // of a row that was read before
    },
    setSteps: (steps: string, id: number): PersonRow => setSteps.get(steps, id) as PersonRow, // of a row that was read before
    remove: (id: number) => remove.run(id),
    vouched: (issuer: string, subject: string) => vouched.get(issuer, subject),
    count: (): number => count.get()?.n ?? 0,
    addVouched: (
      { issuer, subject, role, created, narrowed = notNarrowed }: VouchedPerson,
      name: string,
    ): PersonRow => {
      const values = [name, personKey(name), role, created, issuer, subject, narrowed.only_tags, narrowed.only_groups];
      return addVouched.get(...values) as PersonRow; // RETURNING gives the one row
    },
    rename: (name: string, { role, narrowed }: VouchedPerson, id: number): PersonRow => {
      const only = [narrowed?.only_tags ?? null, narrowed?.only_groups ?? null];
      return rename.get(name, personKey(name), role, ...only, id) as PersonRow; // of a row that was read before
    },
    leave: (issuer: string, subject: string | null): number => leave.run({ issuer, subject }).changes,
  };
};
