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
const atOnce = 25;

type Caller = { readonly by: string | null; readonly reached: ReadonlySet<number> };

const actions: Record<JobAction, (farm: Jobs, jobId: number, input: Input, by: string | null) => Promise<unknown>> = {
  stop: (farm, jobId, { note }, by) => stopJob(farm, jobId, { by, note }),
  pause: pauseJob,
  resume: resumeJob,
  retry: (farm, jobId) => retryJob(farm, jobId, { scope: "failed", taskIds: [], replan: undefined }),
  priority: (farm, jobId, { priority }) => updateJob(farm, jobId, { priority }),
  delete: (farm, jobId) => deleteJob(farm, jobId),
};

/** Applies one action to many jobs and returns a result for each. A refused job does not
 * affect the others, and one that the caller does not reach is answered like one that does not exist. */
export const changeJobs = async (farm: Jobs, input: Input, { by, reached }: Caller): Promise<Answer[]> => {
  const answers = new Map<string, Answer>([...new Set(input.ids)].map((id) => [id, missing(id)]));
  const found = [...answers.keys()].flatMap((id) => {
    const [jobId] = idsIn([id]);
    return jobId !== undefined && reached.has(jobId) ? [{ id, jobId }] : [];
  });
  for (let from = 0; from < found.length; from += atOnce) {
    const some = found.slice(from, from + atOnce);
    for (const answer of await Promise.all(some.map((each) => changeOne(farm, each, input, by))))
      answers.set(answer.id, answer);
  }
  return [...answers.values()];
};

const missing = (id: string): Answer => ({
  ...{ id, success: false, error: "NOT_FOUND", message: `There is no job ${id}` },
});

const changeOne = async (
  farm: Jobs,
  { id, jobId }: { readonly id: string; readonly jobId: number },
  input: Input,
  by: string | null,
): Promise<Answer> => {
  try {
    await actions[input.action](farm, jobId, input, by);
    return { id, success: true };
  } catch (problem) {
    if (!(problem instanceof AppError)) throw problem;
    return { id, success: false, error: problem.code, message: problem.message };
  }
};
