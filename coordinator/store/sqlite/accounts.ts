import type { Power } from "../../../shared/people/scopes.ts";
import { type RawRow, readJson } from "../json.ts";
import type { AccountRow, AccountStore, ApiUserRow, KnownApiUser, NewApiUser } from "../people.ts";
import type { Connections } from "./connections.ts";
import { createOperation, createSwiftOperation } from "./operation.ts";
import { type EnginePasses, powerColumns } from "./passes.ts";

export const createAccountStore = ({ writer, point }: Connections, passes: EnginePasses): AccountStore => {
  const operation = createOperation(writer);
  const account = point.prepare<[], AccountRow>("SELECT oapi_key, oapi_secret, created, renewed FROM account");
  const create = writer.prepare(
    "INSERT INTO account (id, oapi_key, oapi_secret, created) VALUES (1, ?, ?, ?) ON CONFLICT (id) DO NOTHING",
  );
  const renew = writer.prepare("UPDATE account SET oapi_key = ?, oapi_secret = ?, renewed = ?");
  const insertUser = writer.prepare(
    `INSERT INTO api_users (auth_key, secret_hash, name, created, expires, scopes, reach, group_name)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const [byKey, byId] = ["auth_key", "id"].map((column) =>
    point.prepare<[string | number], KnownApiUser>(
      `SELECT id, secret_hash, expires FROM api_users WHERE ${column} = ? AND revoked IS NULL`,
    ),
  );
  const users = point.prepare<[number], RawRow>(
    `SELECT id, auth_key, name, created, last_login, last_used, expires, ${powerColumns},
       (SELECT count(*) FROM tokens WHERE user_id = api_users.id AND tokens.expires > ?) AS live_tokens
     FROM api_users WHERE revoked IS NULL ORDER BY id`,
  );
  const powers = point.prepare<[number], RawRow>(`SELECT ${powerColumns} FROM api_users WHERE id = ?`);
  const count = writer.prepare<[], number>("SELECT count(*) FROM api_users WHERE revoked IS NULL").pluck();
  const revoke = writer.prepare<[number, string], { id: number }>(
    "UPDATE api_users SET revoked = ? WHERE auth_key = ? AND revoked IS NULL RETURNING id",
  );
  const noteLogin = writer.prepare("UPDATE api_users SET last_login = @at, last_used = @at WHERE id = @userId");
  const add = ({ auth_key, secretHash, name, created, expires, scopes, reach, group }: NewApiUser) =>
    insertUser.run(auth_key, secretHash, name, created, expires, JSON.stringify(scopes), reach, group);

  return {
    account: async () => account.get(),
    create: operation(({ oapi_key, oapi_secret }, first, now) => {
      if (create.run(oapi_key, oapi_secret, now).changes === 0) return false;
      add(first);
      return true;
    }),
    renew: operation(({ oapi_key, oapi_secret }, now) => {
      renew.run(oapi_key, oapi_secret, now);
    }),
    user: async (name) => (typeof name === "string" ? byKey : byId)?.get(name),
    power: async (id) => {
      const raw = powers.get(id);
      return raw && readJson<Power>(raw, "scopes");
    },
    users: async (now) => users.all(now).map((raw) => readJson<ApiUserRow>(raw, "scopes")),
    createUser: operation((made, most) => {
      if ((count.get() ?? 0) >= most) return false;
      add(made);
      return true;
    }),
    revokeUser: operation((authKey, now) => {
      const id = revoke.get(now, authKey)?.id;
      if (id !== undefined) passes.endOthers("token", id, "");
      return id !== undefined;
    }),
    logIn: createSwiftOperation(writer)((userId, token, at) => {
      passes.begin("token", userId, token);
      noteLogin.run({ at, userId });
    }),
  };
};
