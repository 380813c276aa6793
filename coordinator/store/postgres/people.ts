import {
  type LinkRow,
  type NewPerson,
  notNarrowed,
  type PersonChange,
  type PersonRow,
  type PersonStore,
  personKey,
  type VouchedPerson,
} from "../people.ts";
import type { Ask, Database } from "./connection/database.ts";
import { addLink, endVouchedSql, linkColumns, removeLink, useLink } from "./links.ts";
import type { EnginePasses } from "./passes.ts";

const columns = "id, name, role, password_hash, created, issuer, subject, second_steps, only_tags, only_groups";
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
  signIn: passes.operation(async (within, id, { checked }, session) => {
    const person = await byId(within, id);
    if (!person || person.issuer !== null || checked !== person.password_hash) return undefined;
    await passes.begin(within, "session", id, session);
    return person;
  }),
  renew: passes.operation(async (within, id, passwordHash) => {
    const person = await byId(within, id);
    if (!person || person.issuer !== null) return undefined;
    await passes.endOthers(within, "session", id, "");
    return update(within, { passwordHash }, id);
  }),
  update: passes.operation(async (within, name, change, keptHash) => {
    const { role, passwordHash } = change;
    const person = await named(within, name);
    if (!person) return "nobody" as const;
    if (person.issuer !== null && (role ?? passwordHash) !== undefined) return "vouched for" as const;
    if (role !== undefined && role !== "owner" && (await isLastOwner(within, person))) return "last owner" as const;
    if (passwordHash !== undefined) await passes.endOthers(within, "session", person.id, keptHash);
    return update(within, change, person.id);
  }),
  remove: passes.operation(async (within, name) => {
    const person = await named(within, name);
    if (!person) return "nobody" as const;
    if (await isLastOwner(within, person)) return "last owner" as const;
    await within("DELETE FROM people WHERE id = $1", person.id);
    return person;
  }),
  changeSteps: passes.operation(async (within, id, decide) => {
    const person = await byId(within, id);
    if (!person) return undefined;
    const sql = `UPDATE people SET second_steps = $1 WHERE id = $2 RETURNING ${columns}`;
    return (await within<PersonRow>(sql, decide(person.second_steps), id))[0];
  }),
  enter: passes.operation(async (within, vouched, most, session) => {
    const { issuer, sid, role: mostRole } = vouched;
    const linked = await useLink(within, vouched);
    if (linked !== undefined) {
      await passes.begin(within, "session", linked, session, { issuer, sid, mostRole });
      return byId(within, linked);
    }
    const sql = `SELECT ${columns} FROM people WHERE issuer = $1 AND subject = $2`;
    const [known] = await within<PersonRow>(sql, vouched.issuer, vouched.subject);
    const name = await freeName(within, vouched.names, known?.id);
    if (name === undefined || (!known && (await countPeople(within)) >= most)) return undefined;
    const person = known ? await rename(within, name, vouched, known.id) : await addVouched(within, vouched, name);
    await passes.begin(within, "session", person.id, session, { issuer, sid, mostRole: null });
    return person;
  }),
  leave: passes.operation(async (within, issuer, subject) => {
    if (subject === null) await within("DELETE FROM links WHERE issuer = $1", issuer);
    const sql = "DELETE FROM people WHERE issuer = $1 AND subject = coalesce($2, subject) RETURNING id";
    return (await within(sql, issuer, subject)).length;
  }),
  endSessions: passes.operation(async (within, issuer, keptHash) => {
    await within("DELETE FROM sessions WHERE issuer IS NOT DISTINCT FROM $1 AND hash <> $2", issuer, keptHash);
  }),
  endVouched: passes.operation(
    async (within, issuer, { subject, sid }) => (await within(endVouchedSql, issuer, sid, subject)).length,
  ),
  links: (personId) =>
    ask<LinkRow>(
      `SELECT ${linkColumns} FROM links WHERE person_id = coalesce($1, person_id) ORDER BY issuer, subject`,
      personId,
    ),
  link: passes.operation(async (within, link, { hash, now }) => {
    const sql = "SELECT 1 FROM sessions WHERE hash = $1 AND person_id = $2 AND expires > $3";
    const hasSession = (await within(sql, hash, link.person_id, now)).length > 0;
    return hasSession ? addLink(within, link) : ("no session" as const);
  }),
  unlink: passes.operation(removeLink),
});

/** The first name that nobody else has. */
const freeName = async (ask: Ask, names: readonly string[], own: number | undefined): Promise<string | undefined> => {
  for (const each of names) if ([undefined, own].includes((await named(ask, each))?.id)) return each;
  return undefined;
};

const countPeople = async (ask: Ask): Promise<number> =>
  (await ask<{ readonly n: number }>("SELECT count(*)::int AS n FROM people"))[0]?.n ?? 0;

const addVouched = async (ask: Ask, who: VouchedPerson, name: string): Promise<PersonRow> => {
  const { only_tags, only_groups } = who.narrowed ?? notNarrowed;
  const [made] = await ask<PersonRow>(
    `INSERT INTO people (name, name_key, role, password_hash, created, issuer, subject, only_tags, only_groups)
     VALUES ($1, $2, $3, '', $4, $5, $6, $7, $8) RETURNING ${columns}`,
    ...[name, personKey(name), who.role, who.created, who.issuer, who.subject, only_tags, only_groups],
  );
  return made as PersonRow; // RETURNING gives the one row
};

const rename = async (ask: Ask, name: string, who: VouchedPerson, id: number): Promise<PersonRow> => {
  const { role, narrowed } = who;
  const [changed] = await ask<PersonRow>(
    `UPDATE people SET name = $1, name_key = $2, role = $3, only_tags = coalesce($4, only_tags),
     only_groups = coalesce($5, only_groups) WHERE id = $6 RETURNING ${columns}`,
    ...[name, personKey(name), role, narrowed?.only_tags ?? null, narrowed?.only_groups ?? null, id],
  );
  return changed as PersonRow; // of a row that was read before
};

const byId = async (ask: Ask, id: number): Promise<PersonRow | undefined> =>
  (await ask<PersonRow>(`SELECT ${columns} FROM people WHERE id = $1`, id))[0];

const named = async (ask: Ask, name: string): Promise<PersonRow | undefined> =>
  (await ask<PersonRow>(namedSql, personKey(name)))[0];

/** Other than this one. */
const hasOwner = async (ask: Ask, besides: number): Promise<boolean> =>
  (await ask("SELECT 1 FROM people WHERE role = 'owner' AND id <> $1 LIMIT 1", besides)).length > 0;

const isLastOwner = async (ask: Ask, { id, role }: PersonRow): Promise<boolean> =>
  role === "owner" && !(await hasOwner(ask, id));

const add = async (ask: Ask, person: NewPerson): Promise<PersonRow> => {
  const { name, role, passwordHash, created, narrowed = notNarrowed } = person;
  const [made] = await ask<PersonRow>(
    `INSERT INTO people (name, name_key, role, password_hash, created, only_tags, only_groups)
     VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING ${columns}`,
    ...[name, personKey(name), role, passwordHash, created, narrowed.only_tags, narrowed.only_groups],
  );
  return made as PersonRow; // RETURNING gives the one row
};

/** What is absent stays. */
const update = async (ask: Ask, change: PersonChange, id: number): Promise<PersonRow> => {
  const { role, passwordHash, only_tags, only_groups } = change;
  const [changed] = await ask<PersonRow>(
    `UPDATE people SET role = coalesce($1, role), password_hash = coalesce($2, password_hash),
     only_tags = coalesce($3, only_tags), only_groups = coalesce($4, only_groups) WHERE id = $5 RETURNING ${columns}`,
    ...[role, passwordHash, only_tags, only_groups].map((each) => each ?? null),
    id,
  );
  return changed as PersonRow; // of a row that was read before
};
