import { z } from "zod";
import { reachKinds, scopes } from "./scopes.ts";

/** The account as shown to an owner; the pair's secret only on a separate request. */
export const accountInfo = z.strictObject({
  oapi_key: z.string(),
  created: z.string(),
  /** When the pair was last replaced. */
  renewed: z.string().nullable(),
});

export const oapiPair = z.strictObject({ oapi_key: z.string(), oapi_secret: z.string() });

export const apiUserName = z
  .string()
  .trim()
  .max(100)
  .regex(/^\P{Cc}*$/u, "must not contain control characters");

/** For how long an API user may log in; null: until it is revoked. */
export const apiUserDays = z.number().positive().max(3660).nullable().default(null);

export const apiUser = z.strictObject({
  auth_key: z.string(),
  name: z.string(),
  created: z.string(),
  last_login: z.string().nullable(),
  /** When it last used a token, to about a minute; null: not since this is noted. */
  last_used: z.string().nullable(),
  /** From then on it opens nothing; null: once it is revoked. */
  expires: z.string().nullable(),
  /** Tokens that are valid now. */
  live_tokens: z.number().int(),
  scopes: z.array(z.enum(scopes)),
  reach: z.enum(reachKinds),
  group: z.string().nullable(),
  /** Has the scope `mounts`, as clients from before there were scopes ask. */
  may_mount: z.boolean(),
});
export type ApiUser = z.output<typeof apiUser>;

/** The secret is shown only once. */
export const newApiUser = z.strictObject({ auth_key: z.string(), auth_secret: z.string() });
