import { decodeOnce, type PathFlavour, pathToUri } from "../../shared/files/location.ts";
import { type FarmMount, type Mount, mergeMounts, normalPrefix } from "../../shared/files/mounts.ts";
import { storageKindOf } from "../../shared/files/storage.ts";
import type { Work } from "../../shared/work/work.ts";

/** What nodes declare that decides which addresses they reach: prefixes of roots and mounts, and kinds of storage. */
export type Reach = { readonly prefixes: ReadonlySet<string>; readonly capabilities: ReadonlySet<string> };

type Declared = {
  readonly roots: readonly string[];
  readonly mounts: readonly Mount[];
  readonly platform: PathFlavour;
};

/** The prefixes of addresses that a node reaches as files: its roots, its mounts and the farm's, and their folders. */
export const prefixesOf = (
  { roots, mounts, platform }: Declared,
  farm: readonly FarmMount[] = [],
): ReadonlySet<string> => {
  const all = mergeMounts(mounts, farm, platform);
  const folders = [...roots, ...all.map(({ folder }) => folder)].map((folder) => pathToUri(folder, platform));
  return new Set([...folders, ...all.map(({ prefix }) => prefix)].map(normal));
};

/**
 * What a node must have to reach the addresses of some work: `reach:PREFIX` with the longest prefix that a node declares for
 * the address, otherwise `storage:KIND` for remote storage. Made from prefixes and kinds, never from single files, so that
 * tasks that need the same share few lists. Nothing is required that no node declares: a node that tries gives the best error.
 */
export const reachNeeds = (work: Work, { prefixes, capabilities }: Reach): string[] => {
  const needs = urisOf(work).flatMap((uri) => {
    const prefix = longestOf(normal(uri), prefixes);
    if (prefix !== undefined) return `${reachMark}${prefix}`;
    const need = `storage:${storageKindOf(uri)}`;
    return need !== "storage:file" && capabilities.has(need) ? need : [];
  });
  return [...new Set(needs)];
};

const reachMark = "reach:";

/** The prefix that a need for reach names; undefined for every other need. */
export const prefixNeeded = (need: string): string | undefined =>
  need.startsWith(reachMark) ? need.slice(reachMark.length) : undefined;

/** Whether a node that declares these reaches everything below the prefix. */
export const reaches = (prefix: string, { prefixes, capabilities }: Reach): boolean => {
  if (longestOf(prefix, prefixes) !== undefined) return true;
  const kind = storageKindOf(prefix);
  return kind !== undefined && kind !== "file" && capabilities.has(`storage:${kind}`);
};

/** Whether one of these prefixes covers the address, so that a node that declares them opens it as a file. */
export const coversAsFile = (uri: string, prefixes: ReadonlySet<string>): boolean =>
  longestOf(normal(uri), prefixes) !== undefined;

/** Files by their decoded path, in small letters where Windows has them; other addresses as mounts compare them. */
const normal = (uri: string): string => {
  const path = /^file:\/\/(?:localhost)?(\/.*)$/i.exec(uri)?.[1];
  if (path === undefined) return normalPrefix(uri);
  const decoded = decodeOnce(path)
    .replaceAll(/\/{2,}/g, "/")
    .replace(/\/$/, "");
  return `file://${/^\/[a-z]:/i.test(decoded) ? decoded.toLowerCase() : decoded}`;
};

/** The longest prefix that covers the address. A path that climbs is below nothing: only the node knows where it leads. */
const longestOf = (uri: string, prefixes: ReadonlySet<string>): string | undefined => {
  if (/\/\.\.(\/|$)/.test(uri)) return undefined;
  for (let at = uri; at.includes("/"); at = at.slice(0, at.lastIndexOf("/"))) if (prefixes.has(at)) return at;
  return undefined;
};

/** Every address that the work reads, writes or removes. */
export const urisOf = ({ assets, outputs, after = [], steps, watch }: Work): string[] => {
  const deletes = [...after, ...steps.flatMap((step) => (step.do === "delete" ? [step] : []))];
  return [
    ...Object.values(assets).flatMap(({ uri, pieces = [] }) => [uri, ...pieces.map((piece) => piece.uri)]),
    ...Object.values(outputs).flatMap(({ folder, temp }) => [folder, temp?.folder ?? []].flat()),
    ...(watch ? [watch.folder] : []),
    ...steps.flatMap((step) => (step.do === "list" ? [step.folder] : [])),
    ...deletes.flatMap(({ files, folders = [] }) => [...files.map(({ uri }) => uri), ...folders]),
  ];
};
