import { normaliseAliases } from "../../shared/aliases.ts";
import { resolveDefinitions } from "../../shared/definitions.ts";
import { childJob, type Parent } from "../../shared/elements/watchfolder/child.ts";
import { AppError, messageOf } from "../../shared/errors.ts";
import { markOf } from "../../shared/file-state.ts";
import type { FolderFile } from "../../shared/watching.ts";
import type { Draft } from "../memory/draft.ts";
import type { Farm } from "./farm.ts";
import { insertJob, type ReadJob, readSubmission } from "./submit.ts";
import { isKnownFile, type Memory } from "./watched-files.ts";

/** A file that a watch takes, with the job that it begins, or why it begins none. */
export type Child = { readonly file: FolderFile } & ({ readonly job: ReadJob } | { readonly problem: string });

/** Reads the job of a file. A job that is not accepted is reported, and not tried again. */
export const readChild = async (farm: Farm, parent: Parent, uid: string, file: FolderFile): Promise<Child> => {
  try {
    return { file, job: await readSubmission(farm, childJob(parent, uid, file.uri)) };
  } catch (problem) {
    if (problem instanceof AppError && problem.code === "VALIDATION_FAILED")
      return { file, problem: messageOf(problem).slice(0, 1000) };
    throw problem;
  }
};

/** Stores the jobs of taken files, and which files they were. */
export const beginChildren = (
  farm: Farm,
  draft: Draft,
  jobId: number,
  { nodeId, ...memory }: Memory & { readonly nodeId: number },
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
            { owner: row.owner, origin: "watchfolder", parent_id: row.id },
          )
        : null;
    const problem = "problem" in child ? child.problem : null;
    draft.setWatchedFile(name, known, file.uri, { mark, owner, job_id, at: farm.clock.now(), problem, gone: null });
  }
};

/** The job of a watch, in the form from which its children are made. */
export const parentOf = (definition: string): Parent => {
  const job = normaliseAliases(resolveDefinitions(JSON.parse(definition)));
  return job as Parent; // it was parsed when it was accepted
};
