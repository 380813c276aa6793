import {
  type Credential,
  type CredentialKind,
  type Key,
  readCredential,
} from "../../shared/credentials/credentials.ts";
import { redactText } from "../../shared/credentials/redact.ts";
import { decodeOnce, toUri } from "../../shared/files/location.ts";
import { storageKindOf, storageKinds } from "../../shared/files/storage.ts";
import { TaskError } from "../../shared/model/failure.ts";

/** Storage credentials in the payloads of a job: inline credentials, and names of vault entries. */
export type Access = {
  readonly keys: readonly Key[];
  /** `isBeside`: the folder of a named file. */
  readonly named: readonly { readonly prefix: string; readonly name: string; readonly isBeside?: true }[];
};

type Location = {
  readonly url?: unknown;
  readonly path?: unknown;
  readonly storage_provider?: unknown;
  readonly access?: unknown;
};

/**
 * Every location in a payload, at any depth, with an `access` or a password in its address. Throws TaskError
 * `definition` naming the address, never the secret.
 */
export const accessIn = (payload: unknown): Access => {
  const found: Access[] = [];
  visit(payload, found);
  return { keys: found.flatMap(({ keys }) => keys), named: found.flatMap(({ named }) => named) };
};

const visit = (value: unknown, found: Access[]): void => {
  if (Array.isArray(value)) {
    for (const each of value) visit(each, found);
    return;
  }
  if (typeof value !== "object" || value === null) return;
  const access = accessOf(value);
  if (access) found.push(access);
  for (const [name, each] of Object.entries(value)) if (name !== "access") visit(each, found);
};

const accessOf = ({ url, path, access }: Location): Access | undefined => {
  const place = typeof url === "string" ? url : path;
  if (typeof place !== "string" || !place.includes("://")) return undefined;
  const kind = credentialKindOf(place);
  if (kind === undefined) return undefined;
  const uri = toUri(place, "a location");
  // A playlist's segments are in the same folder.
  const prefixes = typeof url === "string" ? [uri, uri.slice(0, uri.lastIndexOf("/"))] : [uri];
  const name = nameIn(access);
  if (name !== undefined)
    return {
      keys: [],
      named: prefixes.map((prefix, at) => ({ prefix, name, ...(at > 0 && { isBeside: true as const }) })),
    };
  const credential = inAccess(access, kind, uri) ?? inAddress(place, kind, uri);
  return credential && { keys: prefixes.map((prefix) => ({ prefix, credential })), named: [] };
};

const credentialKindOf = (address: string): CredentialKind | undefined => {
  const kind = storageKindOf(address);
  return kind === "file" ? undefined : kind;
};

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

const nameIn = (access: unknown): string | undefined => {
  const name = isObject(access) ? access.credentials_key : undefined;
  return typeof name === "string" && name !== "" ? name : undefined;
};

/** `{"s3": {…}}`, or only the fields. */
const inAccess = (access: unknown, kind: CredentialKind, uri: string): Credential | undefined => {
  if (!isObject(access)) return undefined;
  const { max_cross_region_mb: _region, credentials_key: _name, ...rest } = access;
  const names = [...storageKinds[kind].words, ...(kind === "sftp" ? ["ssh"] : [])];
  const fields = names.map((name) => rest[name]).find(isObject) ?? rest;
  return Object.keys(fields).length === 0 ? undefined : valid(readCredential(kind, fields), uri);
};

const inAddress = (address: string, kind: CredentialKind, uri: string): Credential | undefined => {
  const [, user, password] = /^\w[\w+.-]*:\/\/([^/?#:@]*):([^/?#@]*)@/.exec(address) ?? [];
  if (user === undefined || password === undefined || !storageKinds[kind].hasLogin) return undefined;
  return valid(readCredential(kind, { username: decodeOnce(user), password: decodeOnce(password) }), uri);
};

const valid = (credential: Credential | string, uri: string): Credential => {
  if (typeof credential !== "string") return credential;
  throw new TaskError("definition", `The access of ${redactText(uri)} cannot be used: ${credential}`);
};
