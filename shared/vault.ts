import { z } from "zod";
import { credential } from "./credentials.ts";

/** Jobs name an entry as `access.credentials_key`. */
const credentialName = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,199}$/, "must be a name such as archive-bucket");

const prefix = z
  .string()
  .max(2000)
  .regex(/^[a-z][a-z0-9+.-]+:\/\/[^/]/i, "must begin with a scheme and a host or bucket, such as s3://bucket");

/** An entry of the credentials vault as it is stored. Its secrets are never returned. */
export const vaultEntry = z.strictObject({
  name: credentialName,
  /** Applies to addresses below it if a job gives no credentials. */
  prefix: prefix.optional(),
  credential: credential,
});

/** The same as shown to people. */
export const vaultHead = z.strictObject({
  name: credentialName,
  kind: z.string(),
  prefix: prefix.optional(),
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
