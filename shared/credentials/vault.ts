import { z } from "zod";
import { credential } from "./credentials.ts";

/** Jobs name an entry as `access.credentials_key`. */
const credentialName = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,199}$/, "must be a name such as archive-bucket");

const prefix = z
  .string()
  .max(2000)
  .regex(/^[a-z][a-z0-9+.-]+:\/\/[^/]/i, "must begin with a scheme and a host or bucket, such as s3://bucket");

/** Only these nodes, by id, and the nodes of these compute groups may use an entry. Both empty: all nodes. */
const bound = {
  nodes: z
    .array(z.string().regex(/^\d{1,15}$/, "must be the id of a node"))
    .max(1000)
    .optional(),
  groups: z.array(z.string().min(1).max(200)).max(1000).optional(),
};
export type Bound = { readonly nodes: readonly string[]; readonly groups: readonly string[] };

/** Whether a node may use an entry that is bound like this. */
export const mayUse = (
  { nodes, groups }: Bound,
  node: { readonly id: number; readonly group: string | null },
): boolean => nodes.includes(String(node.id)) || (node.group !== null && groups.includes(node.group));

/** Whether an entry bound like `next` would reach nodes that it does not reach now. */
export const isWider = (before: Bound | null, next: Bound | null): boolean => {
  if (before === null) return false;
  if (next === null) return true;
  return (
    next.nodes.some((id) => !before.nodes.includes(id)) || next.groups.some((name) => !before.groups.includes(name))
  );
};

/** What a task requires whose storage is opened by a bound entry. Nodes cannot declare it: the farm knows who may use it. */
export const entryNeed = (name: string): string => `${entryMark}${name}`;
const entryMark = "credential:";

/** The entry that a need names; undefined for every other need. */
export const entryNeeded = (need: string): string | undefined =>
  need.startsWith(entryMark) ? need.slice(entryMark.length) : undefined;

/** An entry of the credentials vault as it is stored. Its secrets are never returned. */
export const vaultEntry = z.strictObject({
  name: credentialName,
  /** It is used below this address only: where a job names it, and if a job gives no credentials. */
  prefix,
  credential: credential,
  ...bound,
});

/**
 * What changes in a stored entry; everything absent stays, and so do fields of the credential, whose values nobody needs
 * to know for that. Null takes a field away; the prefix can only be replaced.
 */
export const vaultChange = z.strictObject({
  prefix: prefix.optional(),
  credential: z
    .record(z.string().max(100), z.union([z.string().max(60_000), z.number(), z.boolean(), z.null()]))
    .optional()
    .describe("Fields of the credential that change; null takes one away. The kind stays."),
  ...bound,
});

/** The same as shown to people. */
export const vaultHead = z.strictObject({
  name: credentialName,
  kind: z.string(),
  prefix: prefix.optional(),
  ...bound,
  /** Unix milliseconds. */
  changed: z.number(),
});
export type VaultHead = z.output<typeof vaultHead>;

/** What each node that tried a credential found. */
export const credentialTrial = z.strictObject({ node: z.string(), success: z.boolean(), message: z.string() });

/** A stored entry by its name, or one that was not stored yet. */
export const credentialTest = z.union([
  z.strictObject({ name: credentialName }),
  z.strictObject({ prefix, credential }),
]);
