import type { Role } from "../../../shared/people/person.ts";
import { type RawRow, readJson } from "../json.ts";
import type { NewPass, PassKind, PassStore, SessionHead, SessionRow, TokenRow } from "../people.ts";
import type { Connections } from "./connections.ts";
import { createOperation } from "./operation.ts";

/** The number of tokens kept in memory. */
const mostKept = 1000;

/** What an API user may do; `scopes` is JSON. */
export const powerColumns = 'scopes, reach, group_name AS "group"';

const sessionsSql = `SELECT hash, created, expires, origin, browser FROM sessions
  WHERE person_id = ? AND expires > ? ORDER BY created DESC, hash`;

const sqlOf = {
  token: {
    ...{ table: "tokens", owner: "user_id" },
    read: `SELECT tokens.expires, user_id, name, api_users.expires AS user_expires, ${powerColumns} FROM tokens JOIN api_users ON api_users.id = user_id
      WHERE hash = ? AND revoked IS NULL`,
    create: "INSERT INTO tokens (hash, user_id, expires) VALUES (@hash, @owner, @expires)",
  },
  session: {
    ...{ table: "sessions", owner: "person_id" },
    read: `SELECT person_id, name, role, most_role, only_tags, only_groups, sessions.issuer, people.issuer AS home,
      sessions.created, expires FROM sessions JOIN people ON people.id = person_id
      WHERE hash = ?`,
    create: `INSERT INTO sessions (hash, person_id, created, expires, issuer, provider_session, most_role)
      VALUES (@hash, @owner, @now, @expires, @issuer, @sid, @mostRole)`,
  },
} as const;

/** Passes, and what changes of their owners do to them inside their own transactions. */
export type EnginePasses = PassStore & {
  readonly begin: (kind: PassKind, owner: number, pass: NewPass, by?: BegunBy) => void;
  /** Ends all passes of an owner but one. */
  readonly endOthers: (kind: PassKind, owner: number, keptHash: string) => void;
};

/** By which provider a session was begun, if by one. */
type BegunBy = Pick<SessionRow, "issuer"> & { readonly sid: string | null; readonly mostRole: Role | null };
const byPassword: BegunBy = { issuer: null, sid: null, mostRole: null };

export const createPasses = ({ writer, point }: Pick<Connections, "writer" | "point">): EnginePasses => {
  const operation = createOperation(writer);
  const tables = { token: createTable({ writer, point }, "token"), session: createTable({ writer, point }, "session") };
  // Every request asks for a token, and this process is the only one that writes.
  const kept = new Map<string, TokenRow>();
  const tokenOf = (hash: string): TokenRow | undefined => {
    const remembered = kept.get(hash);
    if (remembered) return remembered;
    const raw = tables.token.read.get(hash);
    if (!raw) return undefined;
    if (kept.size >= mostKept) kept.clear();
    const found = readJson<TokenRow>(raw as RawRow, "scopes"); // the table's own statement
    kept.set(hash, found);
    return found;
  };
  const describe = writer.prepare("UPDATE sessions SET origin = ?, browser = ? WHERE hash = ?");
  const noteUse = writer.prepare(
    "UPDATE api_users SET last_used = ? WHERE id = (SELECT user_id FROM tokens WHERE hash = ?)",
  );
  const sessions = point.prepare<[number, number], SessionHead>(sessionsSql);
  const changed = (kind: PassKind) => {
    if (kind === "token") kept.clear();
    return tables[kind];
  };
  return {
    read: async (kind, hash) => (kind === "token" ? tokenOf(hash) : tables.session.read.get(hash)) as never, // by its kind
    extend: operation((kind, hash, expires, at) => {
      changed(kind).extend.run(expires, hash);
      if (kind === "token") noteUse.run(at, hash);
    }),
    end: operation((kind, hash) => void changed(kind).end.run(hash)),
    describe: operation((hash, origin, browser) => void describe.run(origin, browser, hash)),
    sessions: async (personId, now) => sessions.all(personId, now),
    begin: (kind, owner, pass, by = byPassword) => {
      const { dropExpired, dropBeyond, create } = changed(kind);
      dropExpired.run(pass.now);
      dropBeyond.run(owner, pass.most - 1);
      create.run({ ...pass, owner, ...(kind === "session" && by) });
    },
    endOthers: (kind, owner, keptHash) => void changed(kind).endOthers.run(owner, keptHash),
  };
};

const createTable = ({ writer, point }: Pick<Connections, "writer" | "point">, kind: PassKind) => {
  const { table, owner, read, create } = sqlOf[kind];
  return {
    read: point.prepare<[string]>(read),
    create: writer.prepare(create),
    extend: writer.prepare(`UPDATE ${table} SET expires = max(expires, ?) WHERE hash = ?`),
    end: writer.prepare(`DELETE FROM ${table} WHERE hash = ?`),
    endOthers: writer.prepare(`DELETE FROM ${table} WHERE ${owner} = ? AND hash <> ?`),
    dropExpired: writer.prepare(`DELETE FROM ${table} WHERE expires <= ?`),
    dropBeyond: writer.prepare(
      `DELETE FROM ${table} WHERE hash IN
         (SELECT hash FROM ${table} WHERE ${owner} = ? ORDER BY expires DESC LIMIT -1 OFFSET ?)`,
    ),
  };
};
