import { elementOf } from "../../media/elements/index.ts";
import { normaliseAliases } from "../../media/jobs/aliases.ts";
import { AppError, messageOf } from "../../shared/basics/errors.ts";
import { markOf } from "../../shared/files/file-state.ts";
import { resolveDefinitions } from "../../shared/model/definitions.ts";
import { nobodys, type Owned, type Reach, reachOf } from "../../shared/rights/reach.ts";
import type { FolderFile } from "../../shared/work/folder-watch.ts";
import type { Jobs } from "../jobs/jobs.ts";
import { insertJob, type ReadJob, readSubmission } from "../jobs/submit.ts";
import type { Transaction } from "../kernel/transaction.ts";
import type { Secrets } from "../secrets/secrets.ts";
import type { TaskRow } from "../store/rows.ts";
import { isKnownFile, type WatchMemory } from "./watched-files.ts";

/** A file that a watch takes, with the job that it begins, or why it begins none. */
export type Child = { readonly file: FolderFile } & ({ readonly job: ReadJob } | { readonly problem: string });

/**
 * Whose presets the jobs of a watch may use, and who shares its key: as far as its owner reaches, also once it is revoked.
 * People, and what is nobody's, reach all.
 */
export const reachOfOwner = async ({ store }: Pick<Secrets, "store">, jobId: number): Promise<Reach> => {
  const owner = (await store.load.row("jobs", jobId))?.owner_id ?? null;
  const id = /^api user (\d+)$/.exec(owner ?? "")?.[1];
  if (owner === null || id === undefined) return "all";
  const power = await store.accounts.power(Number(id));
  return reachOf(owner, power ?? { reach: "own", group: null });
};

/** Whose the jobs of a watch are, and whose presets they may use. */
export const senderOfWatch = async (farm: Pick<Secrets, "store">, jobId: number) => ({
  reach: await reachOfOwner(farm, jobId),
  sender: (await farm.store.load.row("jobs", jobId)) ?? nobodys,
});

/** Reads the job of a file. A job that is not accepted is reported, and not tried again. */
export const readChild = async (
  farm: Pick<Jobs, "store" | "timeSlice" | "vault" | "credentials" | "jobReader" | "retention">,
  file: FolderFile,
  jobOf: ChildJobOf,
  as: { readonly reach: Reach; readonly sender: Owned },
): Promise<Child> => {
  try {
    return { file, job: await readSubmission(farm, jobOf(file.uri), as) };
  } catch (problem) {
    if (problem instanceof AppError && problem.code === "VALIDATION_FAILED")
      return { file, problem: messageOf(problem).slice(0, 1000) };
    throw problem;
  }
};

/** Stores the jobs of taken files, and which files they were. */
export const beginChildren = (
  farm: Pick<Jobs, "clock" | "change" | "pausedJobs" | "jobStarter">,
  draft: Transaction,
  jobId: number,
  { nodeId, ...memory }: WatchMemory & { readonly nodeId: number },
  all: readonly Child[],
): void => {
  const { row, schedule } = draft.job(jobId);
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
            {
              owner: row.owner,
              owner_id: row.owner_id,
              owner_group: row.owner_group,
              origin: "watchfolder",
              parent_id: row.id,
              traceparent: row.traceparent,
            },
          )
        : null;
    const problem = "problem" in child ? child.problem : null;
    draft.setWatchedFile(name, known, file.uri, { mark, owner, job_id, at: farm.clock.now(), problem, gone: null });
  }
};

export type ChildJobOf = (fileUri: string) => Record<string, unknown>;

/** Makes the jobs that files of a watch begin, from the job of the watch. */
export const childJobsOf = (
  definition: string,
  { kind, element_uid }: Pick<TaskRow, "kind" | "element_uid">,
): ChildJobOf => {
  const job = normaliseAliases(resolveDefinitions(JSON.parse(definition)));
  const childJob = elementOf(kind)?.childJob;
  if (!childJob) throw new Error(`elements of kind ${kind} watch no folder`);
  return (fileUri) => childJob(job, element_uid, fileUri);
};
