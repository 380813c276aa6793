import type { Role } from "../../../shared/people/person.ts";
import { readJson } from "../json.ts";
import type { NewPass, PassKind, PassStore, SessionHead, SessionRow } from "../people.ts";
import type { Ask, Database } from "./connection/database.ts";
import type { Leading, Operation } from "./operation.ts";
import { powerColumns } from "./tables.ts";

/** The number of tokens kept in memory. */
const mostKept = 1000;

const sessionsSql = `SELECT hash, created, expires, origin, browser FROM sessions
  WHERE person_id = $1 AND expires > $2 ORDER BY created DESC, hash`;

const noteUseSql = "UPDATE api_users SET last_used = $1 WHERE id = (SELECT user_id FROM tokens WHERE hash = $2)";

const sqlOf = {
  token: {
    ...{ table: "tokens", owner: "user_id" },
    read: `SELECT tokens.expires, user_id, name, api_users.expires AS user_expires, ${powerColumns} FROM tokens JOIN api_users ON api_users.id = user_id
      WHERE hash = $1 AND revoked IS NULL`,
    create: "INSERT INTO tokens (hash, user_id, expires) VALUES ($1, $2, $3)",
  },
  session: {
    ...{ table: "sessions", owner: "person_id" },
    read: `SELECT person_id, name, role, most_role, only_tags, only_groups, sessions.issuer, people.issuer AS home,
      sessions.created, expires FROM sessions JOIN people ON people.id = person_id
      WHERE hash = $1`,
    create: `INSERT INTO sessions (hash, person_id, expires, created, issuer, provider_session, most_role)
      VALUES ($1, $2, $3, $4, $5, $6, $7)`,
  },
} as const;

/** Passes, and what changes of their owners do to them inside their own transactions. */
export type EnginePasses = PassStore & {
  /** An operation after which no token is remembered. */
  readonly operation: Operation;
  readonly begin: (ask: Ask, kind: PassKind, owner: number, pass: NewPass, by?: BegunBy) => Promise<void>;
  /** Ends all passes of an owner but one. */
  readonly endOthers: (ask: Ask, kind: PassKind, owner: number, keptHash: string) => Promise<void>;
};

/** By which provider a session was begun, if by one. */
type BegunBy = Pick<SessionRow, "issuer"> & { readonly sid: string | null; readonly mostRole: Role | null };
const byPassword: BegunBy = { issuer: null, sid: null, mostRole: null };

export const createPasses = ({ ask }: Database, operation: Operation, leading: Leading): EnginePasses => {
  const kept = createKeptTokens(leading);
  const read = async (kind: PassKind, hash: string) => {
    const known = kind === "token" ? kept.get(hash) : undefined;
    if (known) return known;
    const asked = kept.version();
    const [raw] = await ask(sqlOf[kind].read, hash);
    if (!raw || kind === "session") return raw;
    return kept.put(hash, readJson<{ readonly scopes: unknown }>(raw, "scopes"), asked);
  };
  const changing: Operation = (run) => {
    const change = operation(run);
    // Also after a failure: it may have been stored after all.
    return (...args) => change(...args).finally(kept.clear);
  };
  return {
    operation: changing,
    read: async (kind, hash) => (await read(kind, hash)) as never, // by its kind
    extend: changing(async (within, kind, hash, expires, at) => {
      if (kind === "token") await within(noteUseSql, at, hash);
      await within(`UPDATE ${sqlOf[kind].table} SET expires = greatest(expires, $1) WHERE hash = $2`, expires, hash);
    }),
    end: changing(async (within, kind, hash) => {
      await within(`DELETE FROM ${sqlOf[kind].table} WHERE hash = $1`, hash);
    }),
    describe: changing(async (within, hash, origin, browser) => {
      await within("UPDATE sessions SET origin = $1, browser = $2 WHERE hash = $3", origin, browser, hash);
    }),
    sessions: (personId, now) => ask<SessionHead>(sessionsSql, personId, now),
    begin: async (within, kind, owner, { hash, now, expires, most }, by = byPassword) => {
      const { table, owner: column, create } = sqlOf[kind];
      await within(`DELETE FROM ${table} WHERE expires <= $1`, now);
      await within(
        `DELETE FROM ${table} WHERE hash IN
           (SELECT hash FROM ${table} WHERE ${column} = $1 ORDER BY expires DESC OFFSET $2)`,
        ...[owner, most - 1],
      );
      await within(create, hash, owner, expires, ...(kind === "session" ? [now, by.issuer, by.sid, by.mostRole] : []));
    },
    endOthers: async (within, kind, owner, keptHash) => {
      const { table, owner: column } = sqlOf[kind];
      await within(`DELETE FROM ${table} WHERE ${column} = $1 AND hash <> $2`, owner, keptHash);
    },
  };
};

/** Every request asks for a token. Only the leader changes them, so only it may remember them. */
const createKeptTokens = (leading: Leading) => {
  const kept = new Map<string, object>();
  let cleared = 0;
  return {
    get: (hash: string) => (leading.epoch === undefined ? undefined : kept.get(hash)),
    version: () => cleared,
    /** Keeps what was read, unless something has changed since it was asked for. */
    put: (hash: string, found: object, asked: number) => {
      if (asked !== cleared || leading.epoch === undefined) return found;
      if (kept.size >= mostKept) kept.clear();
      kept.set(hash, found);
      return found;
    },
    clear: () => {
      cleared += 1;
      kept.clear();
    },
  };
};
