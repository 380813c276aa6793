import { type Failure, isTransient, TaskError } from "../../shared/causes.ts";
import { childJob } from "../../shared/elements/watchfolder/child.ts";
import { isEmptied, placeWords } from "../../shared/folder-place.ts";
import type { Answer, QuestionOf } from "../../shared/looks.ts";
import { isUnfinished, nextFolderLookMs, readFolder } from "../../shared/watching.ts";
import type { Watch } from "../../shared/work.ts";
import type { Draft } from "../memory/draft.ts";
import type { Wait } from "../memory/waits.ts";
import type { TaskRow } from "../store/rows.ts";
import { retryOrFail } from "./failed-attempts.ts";
import type { Farm } from "./farm.ts";
import { openText } from "./sealed.ts";
import { beginChildren, parentOf, readChild } from "./watch-children.ts";
import { type FolderLook, isKnownFile, type Memory, noteFiles, recallFiles } from "./watched-files.ts";

/**
 * A watchfolder's task waits for files until it is stopped. Nodes list the folder; files that stopped growing begin
 * child jobs. A file and its child are stored in one batch, so that no crash loses one or takes it twice.
 */

/** The number of files whose jobs are stored in one batch. */
const together = 20;

export const folderQuestion = ({ folder, selection }: Watch, { watched }: Wait): QuestionOf<"folder"> => {
  const last = [...watched].flatMap(([uri, { seen }]) =>
    seen ? [[uri, { size: seen.size, modified: seen.modified }] as const] : [],
  );
  return { what: "folder", folder, selection, last: Object.fromEntries(last) };
};

/** The name under which the files of a watch are remembered. */
export const watchName = ({ key }: Watch, { job_id, element_uid }: Pick<TaskRow, "job_id" | "element_uid">): string =>
  key === undefined ? `job:${job_id}:${element_uid}` : `key:${key}`;

/** Takes what a node listed in the folder of a watch. */
export const takeFolder = async (farm: Farm, wait: Wait, answer: Answer): Promise<void> => {
  if (answer.what === "failure") return afterFailure(farm, wait, answer.failure);
  if (answer.what !== "folder") return;
  wait.listed.push(...answer.files);
  if (!answer.isLast) return;
  const files = wait.listed.splice(0);
  wait.next = Number.POSITIVE_INFINITY; // no further check before this one is processed
  try {
    await workOff(farm, wait, { files, place: answer.place, nodeId: wait.looked?.nodeId ?? 0 });
  } catch (problem) {
    wait.next = farm.clock.steady() + againMs;
    if (!(problem instanceof TaskError)) throw problem;
    await afterFailure(farm, wait, problem.failure);
  }
};

const againMs = 5000;

const workOff = async (farm: Farm, wait: Wait, listed: FolderLook): Promise<void> => {
  const { jobId, id } = wait.task;
  const watch = (await farm.store.load.work(id))?.watch;
  const definition = await farm.store.jobs.definition(jobId);
  if (!watch || definition === undefined) return;
  const { place, nodeId } = listed;
  const files = listed.files.filter(({ uri }) => !isUnfinished(uri, watch.selection));
  const look = { files, place, nodeId };
  const element = (await farm.store.jobs.task(id))?.element_uid ?? "";
  const name = watchName(watch, { job_id: jobId, element_uid: element });
  const parent = parentOf(openText(farm.vault, definition));
  childJob(parent, element, watch.folder); // throws if the graph gives no job, before anything is taken
  wait.name = name;
  const known = await recallFiles(farm, name);
  const memory: Memory = { name, known, owner: watch.key === undefined ? jobId : null };
  const remembers = known.size > 1;
  if (!(await farm.change([jobId], (draft) => noteLook(farm, draft, { wait, watch, memory }, look)))) return;
  const now = farm.clock.steady();
  const { take, pending } = readFolder({
    files,
    now,
    pending: wait.watched,
    isKnown: (file) => isKnownFile(memory, file, nodeId),
  });
  for (let at = 0; at < take.length; at += together) {
    const some = take.slice(at, at + together);
    const jobs = await Promise.all(some.map((file) => readChild(farm, parent, element, file)));
    const isTaken = await farm.change([jobId], (draft) => {
      if (!stillWaits(draft, wait)) return false;
      beginChildren(farm, draft, jobId, { ...memory, nodeId }, jobs);
      return true;
    });
    if (!isTaken) return;
  }
  const counts = { pending: pending.size, ...(await farm.store.watches.counts(name)) };
  const empty = files.length > 0 ? undefined : placeWords(look, wait.lay, remembers);
  Object.assign(wait, {
    watched: pending,
    why: [...(empty ? [empty] : []), wordsOf(counts)].join("; "),
    isDoubtful: files.length === 0 && remembers && place?.on !== undefined && !isEmptied(look, wait.lay),
    ...(files.length > 0 && place?.on && { lay: { nodeId, on: place.on } }),
  });
  // If more files are there than can be watched at a time, the next check is at once.
  wait.next = farm.clock.steady() + nextFolderLookMs(watch.intervalSec, pending, now);
};

const stillWaits = (draft: Draft, { task: { id, jobId } }: Wait): TaskRow | undefined => {
  const task = draft.task({ job_id: jobId, id });
  return task?.state === "ready" && task.awaits ? task : undefined;
};

/** False if the job was stopped. */
const noteLook = (farm: Farm, draft: Draft, watched: Parameters<typeof noteFiles>[2], look: FolderLook): boolean => {
  const task = stillWaits(draft, watched.wait);
  if (!task) return false;
  if (task.start_time === null) {
    draft.setTask(task, { start_time: farm.clock.now() });
    draft.touch(task.job_id);
  }
  noteFiles(farm, draft, watched, look);
  return true;
};

const wordsOf = (counts: { pending: number; existing: number; taken: number; refused: number }): string => {
  const { pending, existing, taken, refused } = counts;
  const parts = [
    `${taken} taken`,
    ...(pending > 0 ? [`${pending} may still grow`] : []),
    ...(existing > 0 ? [`${existing} lay there before`] : []),
    ...(refused > 0 ? [`${refused} begin no job`] : []),
  ];
  return parts.join(", ");
};

/** A folder that cannot be reached is checked again later. A mistake in the job fails the task. */
const afterFailure = async (farm: Farm, wait: Wait, failure: Failure): Promise<void> => {
  if (isTransient(failure)) {
    Object.assign(wait, { why: failure.message, isDoubtful: true, listed: [], next: farm.clock.steady() + failingMs });
    return;
  }
  await farm.change([wait.task.jobId], (draft) => {
    const task = stillWaits(draft, wait);
    if (!task) return;
    retryOrFail(farm, draft, task, failure);
    draft.touch(task.job_id);
  });
};

const failingMs = 30_000;
