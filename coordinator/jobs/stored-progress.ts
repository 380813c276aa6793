import { changeEach } from "../kernel/committer.ts";
import type { Nodes } from "../nodes/nodes.ts";

/** The number of jobs whose progress is written at once. */
const writtenAtOnce = 500;

/** Stores the progress of running jobs, so that a restart continues from it. */
export const writeProgress = async (farm: Pick<Nodes, "change" | "progress">): Promise<void> => {
  const jobs = farm.progress.takeUnwritten(writtenAtOnce).map((jobId) => ({ jobId }));
  await changeEach(farm, jobs, (draft, { jobId }) => {
    const progress = farm.progress.job(jobId);
    if (progress !== undefined && draft.job(jobId).row?.end_time === null) draft.setJob(jobId, { progress });
  });
};
