import { maxListedFiles } from "../../shared/files/file-selection.ts";
import { describeEmptyFolder, isEmptied } from "../../shared/files/folder-identity.ts";
import { namesBelow } from "../../shared/files/location.ts";
import { type Failure, isTransient, TaskError } from "../../shared/model/failure.ts";
import type { PollRequestOf, PollResponse } from "../../shared/protocol/polling.ts";
import type { Reach } from "../../shared/rights/reach.ts";
import { isUnfinished, nextFolderPollMs, readFolder } from "../../shared/work/folder-watch.ts";
import type { Watch } from "../../shared/work/work.ts";
import { retryOrFail } from "../attempts/failed-attempts.ts";
import type { Transaction } from "../kernel/transaction.ts";
import { noteBreachLater } from "../nodes/health/breaches.ts";
import type { Poll } from "../schedule/polls.ts";
import { openText } from "../secrets/sealing.ts";
import type { TaskRow } from "../store/rows.ts";
import { beginChildren, childJobsOf, readChild, senderOfWatch } from "./child-jobs.ts";
import { type FolderLook, isKnownFile, noteFiles, recallFiles, type WatchMemory } from "./watched-files.ts";
import type { Watches } from "./watches.ts";

/**
 * A watchfolder's task waits for files until it is stopped. Nodes list the folder; files that stopped growing begin
 * child jobs. A file and its child are stored in one batch, so that no crash loses one or takes it twice.
 */

/** The number of files whose jobs are stored in one batch. */
const together = 20;

export const buildFolderQuestion = ({ folder, selection }: Watch, { watched }: Poll): PollRequestOf<"folder"> => {
  const last = [...watched].flatMap(([uri, { seen }]) =>
    seen ? [[uri, { size: seen.size, modified: seen.modified }] as const] : [],
  );
  return { what: "folder", folder, selection, last: Object.fromEntries(last) };
};

/**
 * The name under which the files of a watch are remembered. A key is shared by those who reach each other's jobs, and by
 * nobody else: whoever names another's key begins a memory of its own.
 */
export const watchName = (
  { key }: Watch,
  { job_id, element_uid }: Pick<TaskRow, "job_id" | "element_uid">,
  reach: Reach,
): string => {
  if (key === undefined) return `job:${job_id}:${element_uid}`;
  return reach === "all" ? `key:${key}` : `key of ${reach.field} ${JSON.stringify(reach.value)}:${key}`;
};

/** Takes what a node listed in the folder of a watch. */
export const takeFolderAnswer = async (farm: Watches, wait: Poll, answer: PollResponse): Promise<void> => {
  if (answer.what === "failure") return afterFailure(farm, wait, answer.failure);
  if (answer.what !== "folder") return;
  wait.listed.push(...answer.files);
  if (wait.listed.length > maxListedFiles) return disbelieve(farm, wait, `listed more than ${maxListedFiles} files`);
  if (!answer.isLast) return;
  const files = wait.listed.splice(0);
  wait.next = Number.POSITIVE_INFINITY; // no further check before this one is processed
  try {
    await workOff(farm, wait, { files, place: answer.place, nodeId: wait.lastAnswer?.nodeId ?? 0 });
  } catch (problem) {
    wait.next = farm.clock.steady() + againMs;
    if (!(problem instanceof TaskError)) throw problem;
    await afterFailure(farm, wait, problem.failure);
  }
};

const againMs = 5000;

/** Nothing of such a listing is used, and another node is asked: child jobs would read what it names. */
const disbelieve = (farm: Watches, wait: Poll, how: string): void => {
  farm.polls.settle(wait);
  Object.assign(wait, { listed: [], isDoubtful: true, next: farm.clock.steady() + failingMs } satisfies Partial<Poll>);
  if (wait.lastAnswer) noteBreachLater(farm, wait.lastAnswer.nodeId, how);
};

const workOff = async (farm: Watches, wait: Poll, listed: FolderLook): Promise<void> => {
  const { jobId, id } = wait.task;
  const watch = (await farm.store.load.row("works", id))?.work.watch;
  const made = await farm.store.load.row("definitions", jobId);
  if (!watch || !made) return;
  const foreign = listed.files.find(({ uri }) => namesBelow(watch.folder, uri) === undefined);
  if (foreign) return disbelieve(farm, wait, `listed ${foreign.uri}, which is not in ${watch.folder}`);
  const look = { ...listed, files: listed.files.filter(({ uri }) => !isUnfinished(uri, watch.selection)) };
  const { files, place, nodeId } = look;
  const task = await farm.store.jobs.task(id);
  if (!task) return;
  const as = await senderOfWatch(farm, jobId);
  const name = watchName(watch, task, as.reach);
  const jobOf = childJobsOf(openText(farm.vault, made.definition), task);
  jobOf(watch.folder); // throws if the graph gives no job, before anything is taken
  wait.name = name;
  const known = await recallFiles(farm, name);
  const memory: WatchMemory = { name, known, owner: watch.key === undefined ? jobId : null };
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
    const jobs = await Promise.all(some.map((file) => readChild(farm, file, jobOf, as)));
    const isTaken = await farm.change([jobId], (draft) => {
      if (!stillWaits(draft, wait)) return false;
      beginChildren(farm, draft, jobId, { ...memory, nodeId }, jobs);
      return true;
    });
    if (!isTaken) return;
  }
  const { counts: taken } = await farm.store.watches.page(name, 0, 0);
  const counts = { pending: pending.size, ...taken };
  const empty = files.length > 0 ? undefined : describeEmptyFolder(look, wait.seenOn, remembers);
  Object.assign(wait, {
    watched: pending,
    why: [...(empty ? [empty] : []), describeFolder(counts)].join("; "),
    isDoubtful: files.length === 0 && remembers && place?.on !== undefined && !isEmptied(look, wait.seenOn),
    ...(files.length > 0 && place?.on && { seenOn: { nodeId, on: place.on } }),
  } satisfies Partial<Poll>);
  // If more files are there than can be watched at a time, the next check is at once.
  wait.next = farm.clock.steady() + nextFolderPollMs(watch.intervalSec, pending, now);
};

const stillWaits = (draft: Transaction, { task: { id, jobId } }: Poll): TaskRow | undefined => {
  const task = draft.task({ job_id: jobId, id });
  return task?.state === "ready" && task.awaits ? task : undefined;
};

/** False if the job was stopped. */
const noteLook = (
  farm: Pick<Watches, "clock">,
  draft: Transaction,
  watched: Parameters<typeof noteFiles>[2],
  look: FolderLook,
): boolean => {
  const task = stillWaits(draft, watched.wait);
  if (!task) return false;
  if (task.start_time === null) {
    draft.setTask(task, { start_time: farm.clock.now() });
    draft.touch(task.job_id);
  }
  noteFiles(farm, draft, watched, look);
  return true;
};

type FolderCounts = Record<"pending" | "existing" | "taken" | "refused", number>;

const describeFolder = ({ pending, existing, taken, refused }: FolderCounts): string =>
  [
    `${taken} taken`,
    ...(pending > 0 ? [`${pending} may still grow`] : []),
    ...(existing > 0 ? [`${existing} lay there before`] : []),
    ...(refused > 0 ? [`${refused} begin no job`] : []),
  ].join(", ");

/** A folder that cannot be reached is checked again later. A mistake in the job fails the task. */
const afterFailure = async (farm: Watches, wait: Poll, failure: Failure): Promise<void> => {
  if (isTransient(failure)) {
    const later: Partial<Poll> = { isDoubtful: true, listed: [], next: farm.clock.steady() + failingMs };
    Object.assign(wait, later, { why: failure.message });
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
