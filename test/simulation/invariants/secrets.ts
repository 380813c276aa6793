import type { FolderNode } from "../system/volume.ts";
import { dataDir, shareAt } from "../world/places.ts";
import type { Invariant, Seen } from "./invariant.ts";

/** Messages by which a node joins, is known again, and gets its key. */
const mayTell = new Set(["hello", "welcome"]);

const filesIn = (folder: FolderNode, at: string): (readonly [string, Buffer])[] =>
  [...folder.names].flatMap(([name, node]) => {
    if (node.kind === "folder") return filesIn(node, `${at}/${name}`);
    return node.kind === "file" ? [[`${at}/${name}`, node.bytes] as const] : [];
  });

const inStore = ({ storeAt }: Seen): Buffer => {
  const database = storeAt.databases.get(`${dataDir}/farm.db`) as { serialize: () => Buffer }; // made by the store
  return database.serialize();
};

/** A secret is known by its text, in files too. */
const whereIn = (secret: string, places: readonly (readonly [string, Buffer])[]): string[] =>
  places.flatMap(([place, bytes]) => (bytes.includes(secret) ? [place] : []));

export const secrets: readonly Invariant[] = [
  {
    name: "secrets stay secret",
    says: "No secret of a job, a node or the farm is in a message, a file of the share or the store as it is; a node's key is with that node alone.",
    check: (seen) => ({
      said: (node, { type }, text) =>
        mayTell.has(type)
          ? []
          : [...seen.secrets()].filter((each) => text.includes(each)).map(() => `${type} of ${node} holds a secret`),
      ended: () => {
        const common = [["the store", inStore(seen)] as const, ...filesIn(seen.share.root, shareAt)];
        const own = seen.agents.map(({ name, disk }) => filesIn(disk.root, name));
        return [...seen.secrets()].flatMap((secret) => {
          const told = whereIn(secret, common).map((place) => `${place} holds a secret`);
          const holders = own.filter((files) => whereIn(secret, files).length > 0).length;
          return holders > 1 ? [...told, `${holders} nodes hold one secret`] : told;
        });
      },
    }),
  },
];
