import { isBelow } from "./credentials.ts";
import { storageKindOf } from "./storage.ts";
import type { Work } from "./work.ts";

/** What nodes declare that decides which addresses they reach. */
export type Reach = { readonly mounts: readonly string[]; readonly capabilities: ReadonlySet<string> };

/**
 * What a node must have to reach the addresses of some work: `storage:KIND` for each kind of remote storage, unless a mount
 * of somebody covers the address. Made from kinds and prefixes, never from single files, so that tasks that need the same
 * stay few lists. What nobody declares is required of nobody: a node that tries says best what is wrong.
 */
export const reachNeeds = (work: Work, { mounts, capabilities }: Reach): string[] => {
  const needs = urisOf(work).flatMap((uri) => {
    const kind = storageKindOf(uri);
    if (kind === undefined || kind === "file" || mounts.some((prefix) => isBelow(uri, prefix))) return [];
    return `storage:${kind}`;
  });
  return [...new Set(needs)].filter((need) => capabilities.has(need));
};

/** Every address that the work reads, writes or removes. */
export const urisOf = ({ assets, outputs, after = [], steps, watch }: Work): string[] => {
  const deletes = [...after, ...steps.flatMap((step) => (step.do === "delete" ? [step] : []))];
  return [
    ...Object.values(assets).flatMap(({ uri, pieces = [] }) => [uri, ...pieces.map((piece) => piece.uri)]),
    ...Object.values(outputs).map(({ folder }) => folder),
    ...(watch ? [watch.folder] : []),
    ...steps.flatMap((step) => (step.do === "list" ? [step.folder] : [])),
    ...deletes.flatMap(({ files, folders = [] }) => [...files.map(({ uri }) => uri), ...folders]),
  ];
};
