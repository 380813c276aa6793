import { toRevealedJson } from "../../shared/basics/secret.ts";
import { decodeOnce } from "../../shared/files/location.ts";
import { definitionError } from "../../shared/model/failure.ts";

/** A file on a host, parsed from an address. */
export type HostAddress = {
  readonly host: string;
  readonly port: number | undefined;
  readonly username: string | undefined;
  /** Absolute, decoded once. */
  readonly path: string;
};

/** `ftp://user@host:21/folder/file`. Throws TaskError for names that a command could not hold, or that contain `..`. */
export const readHostAddress = (uri: string): HostAddress => {
  const [, user, bracketed, plain, port, rest = ""] =
    /^[a-z]+:\/\/(?:([^/?#@]*)@)?(?:\[([0-9a-f:.]+)\]|([^/:?#[\]]+))(?::(\d{1,5}))?(\/.*)?$/is.exec(uri) ?? [];
  const host = bracketed ?? plain;
  if (host === undefined) throw definitionError(`${uri} is not an address such as sftp://host/folder/file`);
  const parts = rest.split("/").filter(Boolean).map(decodeOnce);
  // A line break would end the command and begin another one.
  const bad = parts.find((part) => part === ".." || /[/\p{Cc}]/u.test(part));
  if (bad !== undefined) throw definitionError(`${uri} has a part that no file's name can be`);
  const username = user ? decodeOnce(user) : undefined;
  return { host, port: port === undefined ? undefined : Number(port), username, path: `/${parts.join("/")}` };
};

/** What a login depends on: the host, and the credentials for the address. */
export const readLogin = (uri: string, credential: unknown): string => {
  const { host, port, username } = readHostAddress(uri);
  return toRevealedJson([host, port, username, credential]);
};

/** Every folder on the way to a path, top first. */
export const listParentFolders = (path: string): string[] => {
  const parts = path.split("/").filter(Boolean);
  return parts.map((_, index) => `/${parts.slice(0, index + 1).join("/")}`);
};
