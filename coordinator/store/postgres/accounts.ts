import type { Power } from "../../../shared/people/scopes.ts";
import { readJson } from "../json.ts";
import type { AccountRow, AccountStore, ApiUserRow, KnownApiUser, NewApiUser } from "../people.ts";
import type { Ask, Database } from "./connection/database.ts";
import type { EnginePasses } from "./passes.ts";
import { powerColumns } from "./tables.ts";

export const createAccountStore = ({ ask }: Database, passes: EnginePasses): AccountStore => ({
  account: async () => (await ask<AccountRow>("SELECT oapi_key, oapi_secret, created, renewed FROM account"))[0],
  create: passes.operation(async (within, { oapi_key, oapi_secret }, first, now) => {
    const made = await within(createSql, oapi_key, oapi_secret, now);
    if (made.length === 0) return false;
    await addUser(within, first);
    return true;
  }),
  renew: passes.operation(async (within, { oapi_key, oapi_secret }, now) => {
    await within("UPDATE account SET oapi_key = $1, oapi_secret = $2, renewed = $3", oapi_key, oapi_secret, now);
  }),
  user: async (name) => {
    const column = typeof name === "string" ? "auth_key" : "id";
    const sql = `SELECT id, secret_hash, expires FROM api_users WHERE ${column} = $1 AND revoked IS NULL`;
    return (await ask<KnownApiUser>(sql, name))[0];
  },
  power: async (id) => {
    const [raw] = await ask(`SELECT ${powerColumns} FROM api_users WHERE id = $1`, id);
    return raw && readJson<Power>(raw, "scopes");
  },
  users: async (now) => (await ask(usersSql, now)).map((raw) => readJson<ApiUserRow>(raw, "scopes")),
  createUser: passes.operation(async (within, made, most) => {
    const [found] = await within<{ n: number }>("SELECT count(*) AS n FROM api_users WHERE revoked IS NULL");
    if ((found?.n ?? 0) >= most) return false;
    await addUser(within, made);
    return true;
  }),
  revokeUser: passes.operation(async (within, authKey, now) => {
    const [user] = await within<{ id: number }>(revokeSql, now, authKey);
    if (user) await passes.endOthers(within, "token", user.id, "");
    return user !== undefined;
  }),
  logIn: passes.operation(async (within, userId, token, at) => {
    await passes.begin(within, "token", userId, token);
    await within("UPDATE api_users SET last_login = $1, last_used = $1 WHERE id = $2", at, userId);
  }),
});

const createSql = `INSERT INTO account (id, oapi_key, oapi_secret, created) VALUES (1, $1, $2, $3)
  ON CONFLICT (id) DO NOTHING RETURNING id`;
const revokeSql = "UPDATE api_users SET revoked = $1 WHERE auth_key = $2 AND revoked IS NULL RETURNING id";
const usersSql = `SELECT id, auth_key, name, created, last_login, last_used, expires, ${powerColumns},
    (SELECT count(*) FROM tokens WHERE user_id = api_users.id AND tokens.expires > $1) AS live_tokens
  FROM api_users WHERE revoked IS NULL ORDER BY id`;

const addUser = async (ask: Ask, user: NewApiUser): Promise<void> => {
  const { auth_key, secretHash, name, created, expires, scopes, reach, group } = user;
  await ask(
    `INSERT INTO api_users (auth_key, secret_hash, name, created, expires, scopes, reach, group_name)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    ...[auth_key, secretHash, name, created, expires, JSON.stringify(scopes), reach, group],
  );
};
