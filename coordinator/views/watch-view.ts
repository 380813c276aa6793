import { elementOf } from "../../media/elements/index.ts";
import type { WatchView } from "../../shared/api/watch-view.ts";
import type { Watch } from "../../shared/work/work.ts";
import { isoTime } from "../iso-time.ts";
import type { Nodes } from "../nodes/nodes.ts";
import type { Poll } from "../schedule/polls.ts";
import type { TaskViewRow } from "../store/job-reads.ts";
import { reachOfOwner } from "../watch/child-jobs.ts";
import { watchName } from "../watch/folder-polling.ts";

type Parts = Pick<Nodes, "clock" | "polls" | "store">;

const mostWaiting = 100;

type Page = { readonly skip: number; readonly take: number };

/** The watched folders of a job. */
export const listWatches = async (farm: Parts, jobId: number, page: Page): Promise<WatchView[]> => {
  const tasks = (await farm.store.jobs.tasks(jobId)).filter(({ kind }) => elementOf(kind)?.childJob);
  const reach = await reachOfOwner(farm, jobId);
  const views = await Promise.all(
    tasks.map(async (task) => {
      const watch = (await farm.store.load.row("works", task.id))?.work.watch;
      return watch && viewOf(farm, task, watch, { ...page, name: watchName(watch, task, reach) });
    }),
  );
  return views.filter((view) => view !== undefined);
};

const viewOf = async (
  farm: Parts,
  task: TaskViewRow,
  watch: Watch,
  { name, skip, take }: Page & { readonly name: string },
): Promise<WatchView> => {
  const { counts, files } = await farm.store.watches.page(name, skip, take);
  const wait = farm.polls.get(task.id);
  const at = (moment: number | undefined) =>
    moment === undefined || moment === Number.POSITIVE_INFINITY ? null : isoTime(farm.clock.wallOf(moment));
  return {
    element_uid: task.element_uid,
    folder: watch.folder,
    interval_sec: watch.intervalSec,
    is_watching: wait !== undefined,
    summary: wait?.why ?? task.failure?.message ?? "it is not watched now",
    last_look: at(wait?.lastAnswer?.at),
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

const waitingIn = ({ watched }: Poll): WatchView["waiting"] =>
  [...watched].slice(0, mostWaiting).flatMap(([uri, { seen }]) => {
    if (!seen) return [];
    const why = seen.size === 0 ? "it is empty" : (seen.lacks ?? "it was just written to");
    return [{ uri, size: seen.size, why }];
  });
