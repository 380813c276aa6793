import type { z } from "zod";
import type { bulkAnswer, bulkInput, JobAction } from "../../shared/api/job-actions.ts";
import { AppError } from "../../shared/basics/errors.ts";
import { idsIn } from "./job-ids.ts";
import type { Jobs } from "./jobs.ts";
import { pauseJob, resumeJob } from "./pause.ts";
import { retryJob } from "./retry.ts";
import { deleteJob, stopJob } from "./stop.ts";
import { updateJob } from "./update.ts";

type Input = z.output<typeof bulkInput>;
type Answer = z.output<typeof bulkAnswer>["items"][number];

/** Jobs that are changed in parallel: they share a batch, and thousands at once would block the loop. */
const atOnce = 100;

const actions: Record<JobAction, (farm: Jobs, jobId: number, input: Input) => Promise<unknown>> = {
  stop: stopJob,
  pause: pauseJob,
  resume: resumeJob,
  retry: (farm, jobId) => retryJob(farm, jobId, { scope: "failed", taskIds: [], replan: undefined }),
  priority: (farm, jobId, { priority }) => updateJob(farm, jobId, { priority }),
  delete: deleteJob,
};

/** Applies one action to many jobs and returns a result for each. A refused job does not
 * affect the others, and one that the caller does not reach is answered like one that does not exist. */
export const changeJobs = async (farm: Jobs, input: Input, reached: ReadonlySet<number>): Promise<Answer[]> => {
  const ids = [...new Set(input.ids)];
  const answers: Answer[] = [];
  for (let from = 0; from < ids.length; from += atOnce) {
    answers.push(
      ...(await Promise.all(ids.slice(from, from + atOnce).map((id) => changeOne(farm, id, input, reached)))),
    );
  }
  return answers;
};

const changeOne = async (farm: Jobs, id: string, input: Input, reached: ReadonlySet<number>): Promise<Answer> => {
  try {
    const [jobId] = idsIn([id]);
    if (jobId === undefined || !reached.has(jobId)) throw new AppError("NOT_FOUND", `There is no job ${id}`);
    await actions[input.action](farm, jobId, input);
    return { id, success: true };
  } catch (problem) {
    if (!(problem instanceof AppError)) throw problem;
    return { id, success: false, error: problem.code, message: problem.message };
  }
};
