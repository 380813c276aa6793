import { z } from "zod";
import { Secret, secretOf, toRevealedJson } from "../basics/secret.ts";
import { isBelow } from "./prefix.ts";

/**
 * Storage credentials. People keep them under a name in the farm's vault; jobs name such an entry or contain their own.
 * Either way an agent gets them in this form along with its assignment, and keeps them only in memory.
 */
const word = z.string().min(1).max(1000);
const secret = secretOf(z.string().min(1).max(4000));
const pem = z.string().min(1).max(60_000);
const secretPem = secretOf(pem);
const port = z.number().int().min(1).max(65_535);

/** PEM certificates to trust in addition to the system's, for servers with private certificates. */
const ca = pem.optional();

const s3 = z.strictObject({
  kind: z.literal("s3"),
  access_key_id: word,
  secret_access_key: secret,
  session_token: secret.optional(),
  region: word.optional(),
  /** For services other than Amazon's: `https://minio.example.com:9000`. */
  endpoint: z
    .url({ protocol: /^https?$/ })
    .max(1000)
    .optional(),
  /**
   * `endpoint/bucket/key` instead of `bucket.endpoint/key`; default whenever an endpoint is set, unless this is false.
   */
  path_style: z.boolean().optional(),
  /** Whether the service honours If-None-Match: Amazon does; others only if this is true. */
  conditional_writes: z.boolean().optional(),
  /** Whether the bytes of uploads are signed, which takes time. Default: only without TLS, which protects them itself. */
  sign_payload: z.boolean().optional(),
  ca,
});

const http = z.strictObject({
  kind: z.literal("http"),
  username: word.optional(),
  password: secret.optional(),
  /** Sent as a bearer token instead of a name and a password. */
  token: secret.optional(),
  ca,
});

const ftp = z.strictObject({
  kind: z.literal("ftp"),
  username: word.optional(),
  password: secret.optional(),
  port: port.optional(),
  /** Default: `explicit` for the scheme ftps, `none` for ftp. */
  tls: z.enum(["none", "explicit", "implicit"]).optional(),
  ca,
});

const sftp = z.strictObject({
  kind: z.literal("sftp"),
  username: word.optional(),
  password: secret.optional(),
  /** In PEM or OpenSSH's own format. */
  private_key: secretPem.optional(),
  passphrase: secret.optional(),
  port: port.optional(),
  /** `SHA256:…` as printed by `ssh-keygen -l`. Absent: each node remembers the first key that a host shows. */
  host_key: z
    .string()
    .regex(/^SHA256:[A-Za-z0-9+/]{43}=?$/, "must be a fingerprint such as SHA256:…, as ssh-keygen -l prints it")
    .optional(),
});

const swift = z.strictObject({
  kind: z.literal("swift"),
  /** `https://swift.example.com/auth/v1.0`. */
  auth_url: z.url({ protocol: /^https?$/ }).max(1000),
  /** `account:user`. */
  username: word,
  password: secret,
  ca,
});

/** Every kind of storage but `file` has credentials of its own. */
const byKind = { s3, http, ftp, sftp, swift };

export type CredentialKind = keyof typeof byKind;
type AnyKind = (typeof byKind)[CredentialKind];
// Object.values forgets that there is a first one.
export const credential = z.discriminatedUnion("kind", Object.values(byKind) as [AnyKind, ...AnyKind[]]);
export type Credential = z.output<typeof credential>;
/** As it is written in requests and jobs, with its secrets as texts. */
export type WrittenCredential = z.input<typeof credential>;
export type CredentialOf<K extends CredentialKind> = Extract<Credential, { kind: K }>;
/** The names of a kind's fields. */
export type FieldOf<K extends CredentialKind> = K extends unknown ? Exclude<keyof CredentialOf<K>, "kind"> : never;

/**
 * What each field is. `secret`: removed from every message. `destination`: decides which server gets
 * the secrets, or who can read them on their way, so that whoever changes it must know them. `plain`: anything else.
 */
const fieldRoles: Readonly<Record<FieldOf<CredentialKind>, FieldRole>> = {
  access_key_id: "plain",
  secret_access_key: "secret",
  session_token: "secret",
  region: "destination",
  endpoint: "destination",
  path_style: "destination",
  conditional_writes: "plain",
  sign_payload: "plain",
  ca: "destination",
  username: "plain",
  password: "secret",
  token: "secret",
  port: "destination",
  tls: "destination",
  private_key: "secret",
  passphrase: "secret",
  host_key: "destination",
  auth_url: "destination",
};
type FieldRole = "secret" | "destination" | "plain";

const fieldsThatAre = (role: FieldRole): string[] =>
  Object.entries(fieldRoles).flatMap(([name, each]) => (each === role ? [name] : []));
const secretFields: ReadonlySet<string> = new Set(fieldsThatAre("secret"));
const destinations = fieldsThatAre("destination");

/** What a credential applies to: every address that equals the prefix or is below it. */
export const key = z.strictObject({ prefix: z.string().min(1).max(4000), credential });
export type Key = z.output<typeof key>;

/** Sent along with an assignment, never in it, because assignments are written to disk. */
export const secrets = z.array(key).max(2000);

/** Other programs' names for our fields. */
const spellings: Readonly<Record<string, string>> = {
  ...{ aws_access_key_id: "access_key_id", aws_secret_access_key: "secret_access_key" },
  ...{ aws_session_token: "session_token", access_key: "access_key_id", secret_key: "secret_access_key" },
  ...{ user: "username", user_name: "username", pass: "password", key_file: "private_key" },
};

/** Reads a credential from fields as people write them. Never throws: returns what is wrong, without the values. */
export const readCredential = (kind: CredentialKind, fields: object): Credential | string => {
  const named = Object.entries(fields).map(([name, value]) => [spellings[name] ?? name, read(name, value)]);
  const result = credential.safeParse({ ...Object.fromEntries(named), kind });
  if (result.success) return result.data;
  const { issues } = result.error;
  // Fields of another kind say more than those that are missing then.
  const issue = issues.find(({ code }) => code === "unrecognized_keys") ?? issues[0];
  if (issue?.code === "unrecognized_keys") {
    const known = Object.keys(byKind[kind].shape).filter((name) => name !== "kind");
    return `${issue.keys.join(", ")}: credentials of kind ${kind} have ${known.join(", ")}`;
  }
  return `${issue?.path.join(".") || "it"} is missing or not as it should be`;
};

/**
 * The credential with some fields changed, null taking one away, or a sentence that says what is wrong. Its secrets must be
 * given anew for another server, or if others get it (`isMoved`): whoever changes an entry need not know them, and must
 * not learn them.
 */
export const changedCredential = (
  old: Credential,
  change: Readonly<Record<string, unknown>>,
  isMoved = false,
): Credential | string => {
  const { kind = old.kind, ...fields } = change;
  if (kind !== old.kind) return `its kind is ${old.kind}, which stays: store another entry`;
  const before: Readonly<Record<string, unknown>> = old;
  const isSentElsewhere =
    isMoved || destinations.some((name) => name in fields && (fields[name] ?? undefined) !== before[name]);
  const kept = [...secretFields].filter((name) => name in before && !(name in fields));
  if (isSentElsewhere && kept.length > 0) return `it would be sent elsewhere: give ${kept.join(" and ")} as well`;
  const known: Readonly<Record<string, unknown>> = JSON.parse(toRevealedJson(old));
  const merged = Object.entries({ ...known, ...fields }).filter(([name, value]) => name !== "kind" && value !== null);
  return readCredential(old.kind, Object.fromEntries(merged));
};

/** Job JSON may contain numbers and booleans as text. */
const read = (name: string, value: unknown): unknown => {
  if (name === "port" && typeof value === "string" && /^\d+$/.test(value)) return Number(value);
  if (value === "true") return true;
  return value === "false" ? false : value;
};

/** The credential for an address: the one with the longest prefix; of several the first. */
export const keyFor = (uri: string, keys: readonly Key[]): Credential | undefined => {
  let best: Key | undefined;
  for (const each of keys) {
    if (isBelow(uri, each.prefix) && (!best || each.prefix.length > best.prefix.length)) best = each;
  }
  return best?.credential;
};

/** Every secret of a credential. */
export const secretsIn = (credential: Credential): Secret[] =>
  Object.entries(credential).flatMap(([name, value]) =>
    secretFields.has(name) && value instanceof Secret ? [value] : [],
  );
