import { z } from "zod";
import { AppError } from "../basics/errors.ts";

/** What a program may do, in words for people. `settings`: compute groups, limits, views · `mounts`: outbound rules too. */
export const scopeWords = {
  "jobs:read": "look at jobs, their tasks, results and events",
  "jobs:write": "submit, change, stop, retry and delete jobs",
  "presets:read": "look at presets",
  "presets:write": "make, replace and delete presets",
  "nodes:read": "look at nodes, compute groups, limits and mounts",
  "nodes:write": "drain, pause, retag and revoke nodes",
  vault: "list, store, change, test and delete entries of the credentials vault",
  settings: "look at views; change views, compute groups and limits",
  mounts: "change the farm's mounts and what jobs may reach over the network, on every node",
  webhooks: "make, change and delete webhooks, which hear of everybody's jobs and of nodes; send messages again",
} as const;
export type Scope = keyof typeof scopeWords;
export const scopes = Object.keys(scopeWords) as [Scope, ...Scope[]]; // Object.keys forgets the names

/** Whose jobs and presets a program reaches: its own, those of its group, or everybody's. */
export const reachKinds = ["own", "group", "all"] as const;
export type ReachKind = (typeof reachKinds)[number];

/** Of a new API user for which nothing else was said. */
export const usualScopes: readonly Scope[] = ["jobs:read", "jobs:write", "presets:read", "presets:write", "nodes:read"];

/** What an API user may do, and to whose. */
export type Power = { readonly scopes: readonly Scope[]; readonly reach: ReachKind; readonly group: string | null };

export const groupName = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .regex(/^\P{Cc}*$/u, "must not contain control characters");

/** What an owner asks for; `may_mount` is how the scope `mounts` was asked for before there were scopes. */
export const powerInput = {
  scopes: z.array(z.enum(scopes)).max(100).optional(),
  reach: z.enum(reachKinds).default("own"),
  group: groupName.nullable().default(null),
  may_mount: z.boolean().default(false),
};

/** Throws AppError VALIDATION_FAILED for a reach that needs a group without one. */
export const powerOf = (asked: z.output<z.ZodObject<typeof powerInput>>): Power => {
  const { reach, group, may_mount } = asked;
  if (reach === "group" && group === null) {
    const message = "is needed for the reach group: name the group whose jobs and presets it reaches";
    throw new AppError("VALIDATION_FAILED", `group ${message}`, { details: [{ path: "group", message }] });
  }
  const wanted = new Set<Scope>([...(asked.scopes ?? usualScopes), ...(may_mount ? (["mounts"] as const) : [])]);
  return { scopes: scopes.filter((each) => wanted.has(each)), reach, group };
};
