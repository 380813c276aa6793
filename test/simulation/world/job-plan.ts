import type { FarmMount } from "../../../shared/files/mounts.ts";
import { aChain, aFileSource, type ElementJson, type Job } from "../../helpers/farm/job-builders.ts";
import type { Random } from "../engine/random.ts";
import type { FolderNode, Volume } from "../system/volume.ts";
import { mediaStart } from "./films.ts";
import { shareAt } from "./places.ts";

/** A job as it is sent, and what it shows if it completes: whole files by their paths, and no others beside them. */
export type JobPlan = {
  readonly kind: string;
  readonly job: Job;
  readonly targets: ReadonlyMap<string, Buffer>;
  /** Its files may have the names of each other. */
  readonly isInAnyOrder?: boolean;
  /** Files by their paths that lie on the share before it is sent. */
  readonly before?: ReadonlyMap<string, Buffer>;
  /** Files that come into its watched folder once it was sent. */
  readonly dropped?: ReadonlyMap<string, Buffer>;
  /** A prefix that the farm mounts only after it was sent. */
  readonly mount?: FarmMount;
  /** What nobody may read of it but who sent it. */
  readonly secret?: string;
};

/** Masters on the share, there before anything begins. */
export type Sources = ReadonlyMap<string, Buffer>;

export const makeSources = (share: Volume, random: Random, count: number): Sources => {
  const folder = makeFolderIn(share.root, "in");
  makeFolderIn(share.root, "out");
  return new Map(
    Array.from({ length: count }, (_, nr) => {
      const words = random.bytes(random.integer(10, 200)).toString("hex").repeat(random.integer(1, 200));
      const bytes = Buffer.from(mediaStart + words);
      const file = share.newFile(0o644);
      const name = `master-${nr}.mp4`;
      share.change([{ folder, name, node: file }]);
      share.write(file, bytes);
      share.flushFile(file);
      return [name, bytes] as const;
    }),
  );
};

export const makeFolderIn = (folder: FolderNode, name: string): FolderNode => {
  const node = folder.volume.newFolder(0o755);
  folder.volume.change([{ folder, name, node }]);
  return node;
};

export type Drawing = { readonly nr: number; readonly sources: Sources; readonly random: Random };

export const policies = ["fail", "replace", "rename_new"] as const;

export type Connection = { readonly from: readonly string[]; readonly to: readonly string[] };

export const jobOf = (elements: readonly ElementJson[], connections: readonly Connection[], random: Random): Job => {
  const named = (uids: readonly string[]) => uids.map((uid) => ({ element: uid }));
  return {
    ...aChain([], { task_retry: { count: 1000, delay_sec: random.integer(0, 2) } }),
    payload: {
      elements: [...elements],
      connections: connections.map(({ from, to }) => ({ from: named(from), to: { success: named(to) } })),
    },
  };
};

/** A master on the share. */
export const sourceOf = (name: string, uid = "source"): ElementJson => ({
  ...aFileSource(`file://${shareAt}/in/${name}`),
  uid,
});
