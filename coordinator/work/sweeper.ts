import { sweepCapability } from "../../shared/node-files.ts";
import { mostSwept } from "../../shared/section-files.ts";
import type { Farm } from "./farm.ts";
import { askNode } from "./node-files.ts";

/** Files that no node could remove are tried again after this many milliseconds, this many times: a week in all. */
export const sweepEveryMs = 10 * 60_000;
export const mostTries = 1000;

export type Sweeper = ReturnType<typeof createSweeper>;

/**
 * Lets nodes remove the sections of transcodes of deleted jobs. A node removes those in folders that it lends and leaves
 * the others to other nodes.
 */
export const createSweeper = (farm: Farm) => {
  let isAsking = false;
  let next = 0;

  const sweep = async (): Promise<void> => {
    const { store, log } = farm;
    let left = await store.sectionFiles.some(mostSwept);
    const asked = left.length;
    for (const id of nodesThatSweep(farm)) {
      if (left.length === 0) break;
      const told = await askNode(farm, id, { do: "sweep", files: [...left] }, "swept").catch(() => undefined);
      if (!told) continue;
      await store.sectionFiles.forget(told.uris);
      left = left.filter(({ uri }) => !told.uris.includes(uri));
    }
    const uris = left.map(({ uri }) => uri);
    const forgotten = await store.sectionFiles.tried(uris, mostTries);
    if (forgotten.length > 0) log.warn({ files: forgotten }, "no node could remove these sections of deleted jobs");
    const mayBeMore = asked === mostSwept && left.length < asked;
    next = mayBeMore ? 0 : farm.clock.monotonic() + sweepEveryMs;
  };

  return {
    /** Begins, if it is time to; nobody waits for it. */
    look: (): void => {
      if (isAsking || farm.clock.monotonic() < next) return;
      isAsking = true;
      sweep()
        .catch((problem) => farm.log.error({ err: problem }, "sections of deleted jobs are left for later"))
        .finally(() => {
          isAsking = false;
        });
    },
    /** A job was deleted: there may be something to remove now. */
    soon: (): void => {
      next = 0;
    },
  };
};

const nodesThatSweep = ({ registry }: Farm): number[] =>
  registry
    .rows()
    .filter(({ id, profile }) => registry.isConnected(id) && profile.tools.capabilities.includes(sweepCapability))
    .map(({ id }) => id);
