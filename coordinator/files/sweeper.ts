import { redactText } from "../../shared/credentials/redact.ts";
import { maxSweptFiles } from "../../shared/files/section-files.ts";
import { sweepCapability } from "../../shared/protocol/node-files.ts";
import { dropOldKeys } from "../jobs/idempotency.ts";
import type { Files, Sweeper } from "./files.ts";
import { requestFromNode, trustedWith } from "./node-files.ts";

/** Files that no node could remove are tried again after this many milliseconds, this many times: a week in all. */
export const sweepEveryMs = 10 * 60_000;
export const mostTries = 1000;

/**
 * Lets nodes remove the sections of transcodes of deleted jobs. A node removes those in folders that it lends and leaves
 * the others to other nodes.
 */
export const createSweeper = (farm: Files): Sweeper => {
  let isAsking = false;
  let next = 0;

  const sweep = async (): Promise<void> => {
    const { store, log } = farm;
    let left = await store.sectionFiles.some(maxSweptFiles);
    const asked = left.length;
    const removed: string[] = [];
    for (const id of trustedWith(farm, sweepCapability)) {
      if (left.length === 0) break;
      const told = await requestFromNode(farm, id, { do: "sweep", files: [...left] }, "swept").catch(() => undefined);
      if (!told) continue;
      const gone = new Set(told.uris);
      removed.push(...left.flatMap(({ uri }) => (gone.has(uri) ? [uri] : []))); // and nothing that it was not asked about
      left = left.filter(({ uri }) => !gone.has(uri));
    }
    const forgotten = await store.sectionFiles.tried({ removed, left: left.map(({ uri }) => uri) }, mostTries);
    if (forgotten.length > 0)
      log.warn({ files: forgotten.map(redactText) }, "no node could remove these sections of deleted jobs");
    const mayBeMore = asked === maxSweptFiles && left.length < asked;
    next = mayBeMore ? 0 : farm.clock.monotonic() + sweepEveryMs;
  };

  return {
    look: (): void => {
      if (isAsking || farm.clock.monotonic() < next) return;
      isAsking = true;
      sweep()
        .catch((problem) => farm.log.error({ err: problem }, "sections of deleted jobs are left for later"))
        .finally(() => {
          isAsking = false;
        });
    },
    soon: (): void => {
      next = 0;
    },
  };
};

/** The time for this in one tick; the next one continues. */
const maintainForMs = 200;

/** Clears away what nobody needs, a little at a time, so that requests are answered in between. */
export const maintain = async (
  farm: Pick<Files, "clock" | "store" | "timeSlice" | "sweeper" | "values">,
): Promise<void> => {
  const { clock, timeSlice, store, sweeper } = farm;
  const [until, old] = [clock.monotonic() + maintainForMs, { submissions: dropOldKeys(farm) }];
  while (clock.monotonic() < until && (await timeSlice(() => store.maintain(old)))) sweeper.soon();
  sweeper.look();
};
