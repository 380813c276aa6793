import { z } from "zod";
import { capabilityError, definitionError, sourceError } from "../model/failure.ts";
import { decodeOnce, type PathFlavour } from "./location.ts";
import { schemeOf, storageKindOf } from "./storage.ts";

/** A mount of one node: addresses with the prefix are files below the folder. */
export const mount = z.strictObject({ prefix: z.string().min(1).max(2000), folder: z.string().min(1).max(4000) });
export type Mount = z.output<typeof mount>;

/** An absolute path. `/` is refused as a mount on POSIX nodes: it would open every file to every job. */
const posixFolder = z
  .string()
  .max(4000)
  .regex(/^(?!.*\/\.{1,2}(?:\/|$))\/+[^/\0][^\0]*$/, "must be an absolute path such as /mnt/bucket, not / itself");
const windowsFolder = z
  .string()
  .max(4000)
  .regex(
    /^([a-z]:[\\/]|\\\\[^\\/]+\\[^\\/]+)[^\0]*$/i,
    "must be an absolute path such as Z:\\bucket or \\\\server\\share",
  );

/** A mount of the whole farm: each node uses the folder for its platform. */
export const farmMount = z.strictObject({
  prefix: z
    .string()
    .max(2000)
    .regex(/^[a-z][a-z0-9+.-]+:\/\//i, "must begin with a scheme, such as s3://bucket"),
  folders: z
    .strictObject({ posix: posixFolder.optional(), win32: windowsFolder.optional() })
    .refine(({ posix, win32 }) => posix !== undefined || win32 !== undefined, "must name a posix or a win32 folder"),
});
export type FarmMount = z.output<typeof farmMount>;
export const farmMounts = z.array(farmMount).max(1000);

/**
 * Maps a URI to a path on one node, as text; `agent/roots/roots.ts` decides whether the path may be used. The longest mount
 * prefix that ends at a `/` boundary wins, `//` counts as `/`, the rest is percent-decoded once.
 */
export const resolveUri = (uri: string, mounts: readonly Mount[], flavour: PathFlavour): string => {
  const wanted = collapse(uri);
  const best = mountOf(uri, mounts);
  if (best) return below(best.folder, wanted.slice(best.prefix.length), flavour);
  const local = /^file:\/\/(?:localhost)?(\/.*)$/.exec(wanted)?.[1];
  if (local !== undefined) return localPath(local, flavour);
  throw capabilityError(`${uri}: ${whyUnmounted(uri)}`);
};

const whyUnmounted = (uri: string): string => {
  const scheme = schemeOf(uri);
  if (scheme === "") return "is neither an absolute path nor an address with a scheme, such as s3://bucket/film.mov";
  if (scheme === "file") return "a file on another host can only be reached through a mount";
  const isKnown = storageKindOf(uri) !== undefined;
  return `${isKnown ? "" : `storage "${scheme}" is not implemented and `}no mount of this node covers it; ${howToMount(uri)}`;
};

/** What makes an address reachable as a folder, for messages: its host or bucket is named, so that it can be typed as it is. */
export const howToMount = (uri: string): string => {
  const prefix = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i.exec(uri)?.[0] ?? "PREFIX";
  return `start the agent with --mount ${prefix.replace(/\/\/[^/]*@/, "//")}=FOLDER`;
};

/** The mount that covers an address, its prefix without a trailing slash. */
export const mountOf = (uri: string, mounts: readonly Mount[]): Mount | undefined => {
  const wanted = collapse(uri);
  return mounts
    .map((mount) => ({ ...mount, prefix: normalPrefix(mount.prefix).replace(/\/$/, "") }))
    .filter(({ prefix }) => wanted === prefix || wanted.startsWith(`${prefix}/`))
    .sort((a, b) => b.prefix.length - a.prefix.length)[0];
};

/** The normal form of a prefix: `s3://bucket//a/` is `s3://bucket/a`. */
export const normalPrefix = (prefix: string): string => collapse(prefix).replace(/(?<!:\/)\/$/, "");

/** The mounts of one node: its own, and the farm's whose prefix it does not mount itself. */
export const mergeMounts = (own: readonly Mount[], farm: readonly FarmMount[], flavour: PathFlavour): Mount[] => {
  const taken = new Set(own.map(({ prefix }) => normalPrefix(prefix)));
  const others = farm.flatMap(({ prefix, folders }) => {
    const folder = folders[flavour];
    return folder === undefined || taken.has(normalPrefix(prefix)) ? [] : [{ prefix, folder }];
  });
  return [...own, ...others];
};

/** A mount of the farm. The form of its folder tells which nodes it is for. */
export const mountAt = (prefix: string, folder: string): FarmMount => {
  const isWindows = /^([a-z]:|\\\\)/i.test(folder);
  return { prefix: normalPrefix(prefix), folders: isWindows ? { win32: folder } : { posix: folder } };
};

/** Applies a change to the mounts. A prefix keeps its folders for other platforms. */
export const changedMounts = (
  mounts: readonly FarmMount[],
  { set, remove }: { readonly set: readonly FarmMount[]; readonly remove: readonly string[] },
): FarmMount[] => {
  const all = new Map(mounts.map(({ prefix, folders }) => [prefix, folders]));
  for (const prefix of remove) all.delete(prefix);
  for (const { prefix, folders } of set) all.set(prefix, { ...all.get(prefix), ...folders });
  return [...all].map(([prefix, folders]) => ({ prefix, folders }));
};

/** `s3://bucket=/mnt/bucket`: split at the last `=`, because prefixes may contain one and folders rarely do. */
export const splitMount = (text: string): Mount | undefined => {
  const at = text.lastIndexOf("=");
  if (at <= 0 || at === text.length - 1) return undefined;
  return { prefix: text.slice(0, at), folder: text.slice(at + 1) };
};

/** `a//b` is `a/b`, but the two slashes after a scheme stay. */
const collapse = (uri: string): string => {
  const [, head = "", rest = uri] = /^([a-z][a-z0-9+.-]+:\/\/)(.*)$/i.exec(uri) ?? [];
  return head + rest.replace(/(?<=.)\/{2,}/g, "/").replace(/^\/{2,}/, "/");
};

const below = (folder: string, rest: string, flavour: PathFlavour): string => {
  const parts = rest.split("/").filter(Boolean).map(decodeOnce);
  refuseClimbing(parts, rest, flavour);
  if (parts.length === 0) return folder;
  const separator = flavour === "win32" ? "\\" : "/";
  return [folder.replace(/[\\/]+$/, ""), ...parts].join(separator);
};

const localPath = (encoded: string, flavour: PathFlavour): string => {
  const parts = encoded.split("/").map(decodeOnce);
  refuseClimbing(parts, encoded, flavour);
  const path = parts.join("/");
  if (flavour === "posix") return path;
  // "C:x" without a slash would mean the drive's current folder.
  if (!/^\/[a-z]:(\/|$)/i.test(path)) {
    throw sourceError(`${path} has no drive letter, and this node runs Windows`);
  }
  return path.length === 3 ? `${path.slice(1)}\\` : path.slice(1).replaceAll("/", "\\");
};

/** No part may be `..` or hide a separator: decoding must not turn a name into a path. */
const refuseClimbing = (parts: readonly string[], whole: string, flavour: PathFlavour): void => {
  const hidden = flavour === "win32" ? /[/\\\0]/ : /[/\0]/;
  const bad = parts.find((part) => part === ".." || hidden.test(part));
  if (bad !== undefined) throw definitionError(`${whole} leaves its folder by "${bad}"`);
};
