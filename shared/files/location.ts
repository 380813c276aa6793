import { z } from "zod";
import { listOf, looseInteger, openObject, optionalObject } from "../basics/loose-values.ts";
import { definitionError } from "../model/failure.ts";
import { hasFolders, storageProviders } from "./storage.ts";

/** Credentials for a location: the name of a vault entry, or the provider's own fields. */
const access = openObject({
  credentials_key: z.string().max(200).optional(),
  max_cross_region_mb: looseInteger(-1).optional(),
});

/**
 * Job JSON names a provider with a `url` (a file) or a `path` (a folder); internally, every place is one URI. Local
 * files are `file:///abs/path`, percent-encoded; object stores keep their own form (`s3://bucket/key`).
 */
export const location = z.looseObject({
  storage_provider: z.enum(storageProviders).optional(),
  url: z.string().min(1).max(4000).optional(),
  path: z.string().min(1).max(4000).optional(),
  access: access.optional(),
  permissions: optionalObject({}),
  encryption: optionalObject({}),
  attributes: listOf(z.looseObject({ name: z.string().max(200), value: z.string().max(4000) }), 100).optional(),
});
export type Location = z.output<typeof location>;

type Place = { readonly storage_provider?: string; readonly url?: string; readonly path?: string };

const scheme = /^[a-z][a-z0-9+.-]+:\/\//i;
const windowsDrive = /^[a-z]:[\\/]/i;

/** The URI of a file or folder as written in a job. Throws TaskError `definition` if it is not an address. */
export const toUri = (text: string, what: string): string => {
  if (text.includes("\0")) throw definitionError(`${what} contains a NUL character`);
  if (scheme.test(text)) return withoutPassword(text);
  if (windowsDrive.test(text)) return pathToUri(text, "win32");
  if (text.startsWith("/")) return pathToUri(text, "posix");
  throw definitionError(`${what} is neither an absolute path nor an address with a scheme: "${text}"`);
};

/** Addresses appear in facts, results, events and logs; passwords stay in the element's payload. */
const withoutPassword = (uri: string): string => uri.replace(/^(\w[\w+.-]*:\/\/[^/?#:@]*):[^/?#@]*@/, "$1@");

/** The folder of a target. `relative` locations are joined to their parent's. */
export const folderUri = (place: Place | undefined, parent: string | undefined, what: string): string => {
  const text = place?.path ?? place?.url;
  if (text === undefined) {
    if (parent !== undefined) return parent;
    throw definitionError(`${what} has no path: it says where the files go`);
  }
  if (place?.storage_provider !== "relative") return toUri(text, what);
  if (parent === undefined) throw definitionError(`${what} is relative, but has no parent location`);
  return text.split("/").filter(Boolean).reduce(joinUri, parent);
};

export type PathFlavour = "posix" | "win32";

/** `file:///a%20b` for `/a b`; `file:///C:/x` for `C:\x`. */
export const pathToUri = (path: string, flavour: PathFlavour): string => {
  const slashed = flavour === "win32" ? path.replaceAll("\\", "/") : path;
  const encoded = slashed.split("/").map((part) => encodeURIComponent(part).replaceAll("%3A", ":"));
  return `file://${slashed.startsWith("/") ? "" : "/"}${encoded.join("/")}`;
};

/** A name below a folder. The name is plain text, so it is encoded if the folder's URI is. */
export const joinUri = (folder: string, name: string): string =>
  `${folder.replace(/\/+$/, "")}/${encodedFor(folder, name)}`;

/** Object stores take their keys literally; of other addresses as little is encoded as they need to stay unambiguous. */
const encodedFor = (folder: string, name: string): string => {
  if (folder.startsWith("file:")) return encodeURIComponent(name);
  // Web addresses also read a backslash as a slash, and lose line breaks and a space at the end.
  return hasFolders(folder) ? name.replaceAll(/[%?#\\\p{Cc}]| $/gu, encodeURIComponent) : name;
};

/** The names of an address below a folder, each decoded; undefined where it is not below it, or climbs out of it. */
export const namesBelow = (folder: string, uri: string): string[] | undefined => {
  const start = `${folder.replace(/\/+$/, "")}/`;
  if (!uri.startsWith(start) || uri.length === start.length) return undefined;
  const names = uri.slice(start.length).split("/").map(decodeOnce);
  return names.some((name) => name === "." || name === ".." || /[/\0]/.test(name)) ? undefined : names;
};

/** The last part of a URI for people: decoded once, without query. Keys of object stores are taken literally. */
export const nameOf = (uri: string): string => {
  if (!hasFolders(uri)) return uri.replace(/\/+$/, "").split("/").at(-1) ?? "";
  const last = uri.split(/[?#]/, 1)[0]?.replace(/\/+$/, "").split("/").at(-1) ?? "";
  return decodeOnce(last);
};

/** The name without its last extension; `.hidden` and `archive` stay unchanged. */
export const basenameOf = (name: string): string => name.replace(/(?<=.)\.[^.]*$/, "");

export const decodeOnce = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a lone % is a character of the name, not an error
  }
};
