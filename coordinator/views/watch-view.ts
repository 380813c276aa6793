import type { WatchView } from "../../shared/watch-view.ts";
import type { Watch } from "../../shared/work.ts";
import type { Wait } from "../memory/waits.ts";
import type { ReadTask } from "../store/job-reads.ts";
import type { Farm } from "./farm.ts";
import { isoTime } from "./info.ts";
import { watchName } from "./watch-folder.ts";

const mostWaiting = 100;

type Page = { readonly skip: number; readonly take: number };

/** The watched folders of a job. */
export const watchesOf = async (farm: Farm, jobId: number, page: Page): Promise<WatchView[]> => {
  const tasks = (await farm.store.jobs.tasks(jobId)).filter(({ kind }) => kind === "watchfolder");
  const views = await Promise.all(
    tasks.map(async (task) => {
      const watch = (await farm.store.load.work(task.id))?.watch;
      return watch && viewOf(farm, task, watch, page);
    }),
  );
  return views.filter((view) => view !== undefined);
};

const viewOf = async (farm: Farm, task: ReadTask, watch: Watch, { skip, take }: Page): Promise<WatchView> => {
  const name = watchName(watch, task);
  const [counts, files] = await Promise.all([
    farm.store.watches.counts(name),
    farm.store.watches.files(name, skip, take),
  ]);
  const wait = farm.waits.get(task.id);
  const at = (moment: number | undefined) =>
    moment === undefined || moment === Number.POSITIVE_INFINITY ? null : isoTime(farm.clock.wallOf(moment));
  return {
    element_uid: task.element_uid,
    folder: watch.folder,
    interval_sec: watch.intervalSec,
    is_watching: wait !== undefined,
    summary: wait?.why ?? task.failure?.message ?? "it is not watched now",
    last_look: at(wait?.looked?.at),
    next_look: at(wait?.next),
    counts: { ...counts, waiting: wait?.watched.size ?? 0 },
    waiting: wait ? waitingIn(wait) : [],
    files: files.map(({ uri, at: taken, job_id, problem }) => ({
      uri,
      taken: isoTime(taken),
      job_id: job_id === null ? null : String(job_id),
      problem,
    })),
  };
};

const waitingIn = ({ watched }: Wait): WatchView["waiting"] =>
  [...watched].slice(0, mostWaiting).flatMap(([uri, { seen }]) => {
    if (!seen) return [];
    const why = seen.size === 0 ? "it is empty" : (seen.lacks ?? "it was just written to");
    return [{ uri, size: seen.size, why }];
  });
