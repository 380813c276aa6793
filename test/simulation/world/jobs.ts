import { aChain, aCopyTo, aFileSource, type Job } from "../../helpers/farm/job-builders.ts";
import type { Random } from "../engine/random.ts";
import type { FolderNode, Volume } from "../system/volume.ts";
import { shareAt } from "./places.ts";
import { mediaStart } from "./programs.ts";

/** A job as it is sent, and what it shows if it completes: whole files by their paths. */
export type JobPlan = {
  readonly job: Job;
  readonly targets: ReadonlyMap<string, Buffer>;
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

const makeFolderIn = (folder: FolderNode, name: string): FolderNode => {
  const node = folder.volume.newFolder(0o755);
  folder.volume.change([{ folder, name, node }]);
  return node;
};

/** One source that is copied to some folders of the job's own. */
export const drawJob = (nr: number, sources: Sources, random: Random): JobPlan => {
  const [name, bytes] = random.one([...sources]);
  const folders = Array.from({ length: random.integer(1, 3) }, (_, copy) => `${shareAt}/out/job-${nr}/${copy}`);
  const copies = folders.map((folder, copy) => ({
    ...aCopyTo(folder, { existing_files: random.one(["fail", "replace", "rename_new"]) }),
    uid: `copy${copy}`,
  }));
  const source = aFileSource(`file://${shareAt}/in/${name}`);
  const job = aChain([source], { task_retry: { count: 1000, delay_sec: random.integer(0, 2) } });
  const connections = [{ from: [{ element: "source" }], to: { success: copies.map(({ uid }) => ({ element: uid })) } }];
  return {
    job: { ...job, payload: { elements: [source, ...copies], connections } },
    targets: new Map(folders.map((folder) => [`${folder}/${name}`, bytes])),
  };
};
