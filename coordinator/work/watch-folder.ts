import { normaliseAliases } from "../../shared/aliases.ts";
import { type Failure, isTransient, TaskError } from "../../shared/causes.ts";
import { resolveDefinitions } from "../../shared/definitions.ts";
import { childJob, type Parent } from "../../shared/elements/watchfolder/child.ts";
import { AppError, messageOf } from "../../shared/errors.ts";
import { markOf } from "../../shared/file-state.ts";
import { isEmptied, placeWords } from "../../shared/folder-place.ts";
import type { Answer, QuestionOf } from "../../shared/looks.ts";
import { type FolderFile, isUnfinished, nextFolderLookMs, readFolder } from "../../shared/watching.ts";
import type { Watch } from "../../shared/work.ts";
import type { Draft } from "../memory/draft.ts";
import type { Wait } from "../memory/waits.ts";
import type { TaskRow } from "../store/rows.ts";
import type { Farm } from "./farm.ts";
import { retryOrFail } from "./report.ts";
import { openText } from "./sealed.ts";
import { insertJob, type ReadJob, readSubmission } from "./submit.ts";
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
    if (!(await farm.change([jobId], (draft) => beginJobs(farm, draft, wait, { ...memory, nodeId }, jobs)))) return;
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

type Child = { readonly file: FolderFile } & ({ readonly job: ReadJob } | { readonly problem: string });

/** Reads the job of a file. A job that is not accepted is reported, and not tried again. */
const readChild = async (farm: Farm, parent: Parent, uid: string, file: FolderFile): Promise<Child> => {
  try {
    return { file, job: await readSubmission(farm, childJob(parent, uid, file.uri)) };
  } catch (problem) {
    if (problem instanceof AppError && problem.code === "VALIDATION_FAILED")
      return { file, problem: messageOf(problem).slice(0, 1000) };
    throw problem;
  }
};

const beginJobs = (
  farm: Farm,
  draft: Draft,
  wait: Wait,
  { nodeId, ...memory }: Memory & { readonly nodeId: number },
  all: readonly Child[],
): boolean => {
  if (!stillWaits(draft, wait)) return false;
  const { row, schedule } = draft.job(wait.task.jobId);
  const { name, known, owner } = memory;
  for (const { file, ...child } of all) {
    const mark = markOf(file, nodeId);
    if (isKnownFile(memory, file, nodeId)) continue; // another job of the same key was faster
    const job_id =
      "job" in child && row
        ? insertJob(
            farm,
            draft,
            {
              ...child.job,
              // Changes of the watchfolder's job since its start apply to its children.
              spec: { ...child.job.spec, priority: row.priority, userTag: row.user_tag, tags: schedule.tags },
            },
            { owner: row.owner, origin: "watchfolder", parent_id: row.id },
          )
        : null;
    const problem = "problem" in child ? child.problem : null;
    draft.setWatchedFile(name, known, file.uri, { mark, owner, job_id, at: farm.clock.now(), problem, gone: null });
  }
  return true;
};

const parentOf = (definition: string): Parent => {
  const job = normaliseAliases(resolveDefinitions(JSON.parse(definition)));
  return job as Parent; // it was parsed when it was accepted
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
