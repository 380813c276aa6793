import type { Random } from "../engine/random.ts";
import type { FileNode, FolderNode, Volume } from "../system/volume.ts";
import { makeFolderIn } from "./job-plan.ts";
import type { Sent } from "./people.ts";
import { dataDir, shareAt } from "./places.ts";
import type { World } from "./world.ts";

/** Writes a file as a machine does that belongs to no farm. */
export const putOnShare = (share: Volume, path: string, bytes: Buffer): FileNode => {
  const names = path.slice(shareAt.length + 1).split("/");
  const name = names.pop() ?? "";
  const folder = names.reduce<FolderNode>((at, each) => {
    const found = at.names.get(each);
    return found?.kind === "folder" ? found : makeFolderIn(at, each);
  }, share.root);
  const file = share.newFile(0o644);
  share.change([{ folder, name, node: file }], "people");
  share.write(file, bytes, "people");
  share.flushFile(file);
  return file;
};

/** Whoever writes a file pauses for less than the time after which it counts as whole. */
const longestPauseMs = 3000;
const lookMs = 5000;

type Later = (ms: number, act: () => Promise<void> | undefined) => void;

/** People drop files into a watched folder, and stop watching it once each of them has begun a job. */
export const watchOver = (world: World, each: Sent, later: Later, random: Random): void => {
  const { share, people, loop } = world;
  const files = [...(each.plan.dropped ?? [])];
  let left = files.length;
  for (const [path, bytes] of files) {
    later(random.wait(20_000), () => {
      const begun = Math.floor(random.fraction() * bytes.length);
      const file = putOnShare(share, path, bytes.subarray(0, begun));
      loop.after(random.between(0, longestPauseMs), () => {
        share.write(file, bytes, "people");
        share.flushFile(file);
        left -= 1;
      });
      return undefined;
    });
  }
  const look = (): void =>
    later(lookMs, () => {
      const taken = new Set(childrenOf(world, each.id ?? 0).map(({ name }) => name));
      if (left === 0 && taken.size >= files.length) return people.wish(each, "stop");
      look();
      return undefined;
    });
  look();
};

type Child = { readonly id: number; readonly name: string; readonly status: string };

/** The jobs that files of a watched folder began, as the store has them. */
const childrenOf = ({ storeAt }: Pick<World, "storeAt">, id: number): readonly Child[] => {
  const database = storeAt.databases.get(`${dataDir}/farm.db`) as
    | { prepare: (sql: string) => { all: (id: number) => readonly Child[] } }
    | undefined; // made by the store
  return database?.prepare("SELECT id, name, status FROM jobs WHERE parent_id = ?").all(id) ?? [];
};
