import type { z } from "zod";
import type { bulkAnswer, bulkInput, JobAction } from "../../shared/api/job-actions.ts";
import { AppError } from "../../shared/basics/errors.ts";
import type { Within } from "../../shared/rights/narrowing.ts";
import type { JobHold } from "../../shared/state/job.ts";
import { requireJobWithin } from "../nodes/narrowing.ts";
import type { JobSelection } from "../store/job-reads.ts";
import type { JobSchedule } from "../store/rows.ts";
import { idsIn } from "./job-ids.ts";
import type { Jobs } from "./jobs.ts";
import { pauseJob, restoreSchedule, resumeJob } from "./pause.ts";
import { retryJob } from "./retry.ts";
import { deleteJob, stopJob } from "./stop.ts";
import type { UndoStep } from "./undo.ts";
import { stepPriority, updateJob } from "./update.ts";

type Input = z.output<typeof bulkInput>;
type Answer = z.output<typeof bulkAnswer>["items"][number];

/** Jobs that are changed in parallel: they share a batch, and thousands at once would block the loop. */
const atOnce = 25;

type Meant = { readonly id: string; readonly jobId: number };

/** `step` takes the change back; undefined where nothing changed, or nothing can be taken back. */
type Did = { readonly step?: UndoStep | undefined; readonly held?: JobHold };

const scheduleStep = (jobId: number, schedule: JobSchedule | undefined): Did => ({
  step: schedule && { jobId, schedule: { paused: schedule.paused, startAfter: schedule.startAfter } },
});

const actions: Record<JobAction, (farm: Jobs, jobId: number, input: Input, by: string | null) => Promise<Did>> = {
  stop: async (farm, jobId, { note }, by) => {
    const stopped = await stopJob(farm, jobId, { by, note });
    return { step: stopped && { jobId, stopped } };
  },
  pause: async (farm, jobId) => scheduleStep(jobId, await pauseJob(farm, jobId)),
  resume: async (farm, jobId) => scheduleStep(jobId, await resumeJob(farm, jobId)),
  retry: async (farm, jobId) => {
    const { held } = await retryJob(farm, jobId, { scope: "failed", taskIds: [], replan: undefined });
    return { held };
  },
  priority: async (farm, jobId, { priority, priority_step: step }) => {
    const change = priority === undefined ? stepPriority(farm, jobId, step ?? 0) : updateJob(farm, jobId, { priority });
    return { step: { jobId, priority: (await change).priority } };
  },
  schedule: async (farm, jobId, { start_after }) =>
    scheduleStep(jobId, (await updateJob(farm, jobId, { start_after })).schedule),
  delete: async (farm, jobId) => {
    await deleteJob(farm, jobId);
    return {};
  },
};

export type Changed = { readonly items: Answer[]; readonly steps: readonly UndoStep[] };

/** Who changes jobs, now and as long as it takes. */
type Limits = {
  /** Other jobs are refused. */
  readonly within: Within;
  /** Throws once they may not do so any more; what is changed by then stays so. */
  readonly look: () => unknown;
};

type Caller = Limits & { readonly by: string | null; readonly reached: ReadonlySet<number> };

/** Applies one action to many jobs and returns a result for each. A refused job does not
 * affect the others, and one that the caller does not reach is answered like one that does not exist. */
export const changeJobs = async (
  farm: Jobs,
  input: Input & { readonly ids: readonly string[] },
  { by, reached, within, look }: Caller,
): Promise<Changed> => {
  const answers = new Map<string, Answer>([...new Set(input.ids)].map((id) => [id, missing(id)]));
  const found = [...answers.keys()].flatMap((id): Meant[] => {
    const [jobId] = idsIn([id]);
    return jobId !== undefined && reached.has(jobId) ? [{ id, jobId }] : [];
  });
  const steps: UndoStep[] = [];
  await inParts(found, look, async (each) => {
    const { answer, step } = await changeOne(each.id, async () => {
      await requireJobWithin(farm, within, each.jobId);
      return actions[input.action](farm, each.jobId, input, by);
    });
    answers.set(answer.id, answer);
    if (step) steps.push(step);
  });
  return { items: [...answers.values()], steps };
};

/** Takes changes back, each job for itself; what was stopped goes on, or waits for its turn again. */
export const undoChanges = async (
  farm: Jobs,
  steps: readonly UndoStep[],
  { within, look }: Limits = { within: "all", look: () => undefined },
): Promise<Answer[]> => {
  const answers: Answer[] = [];
  await inParts(steps, look, async (step) => {
    const { answer } = await changeOne(String(step.jobId), () => takeBack(farm, step, within));
    answers.push(answer);
  });
  return answers.sort((a, b) => Number(a.id) - Number(b.id));
};

const takeBack = async (farm: Jobs, step: UndoStep, within: Within): Promise<Did> => {
  const { jobId } = step;
  await requireJobWithin(farm, within, jobId);
  if ("priority" in step) await updateJob(farm, jobId, { priority: step.priority });
  else if ("schedule" in step) await restoreSchedule(farm, jobId, step.schedule);
  else await retryJob(farm, jobId, { scope: "failed", taskIds: step.stopped, replan: undefined });
  return {};
};

/**
 * The jobs that match now, by id. Throws AppError CONFLICT if they are more than the caller meant: nobody acts on jobs that
 * arrived after the question.
 */
export const matchingJobs = async (
  { store: { jobs } }: Pick<Jobs, "store">,
  selection: JobSelection,
  { count, except }: { readonly count: number; readonly except: readonly number[] },
): Promise<number[]> => {
  const left = new Set(except);
  const page = { sort: "id", order: "asc", skip: 0, take: count + left.size + 1 } as const;
  const rows = await jobs.list({ ...selection, ...page });
  const found = rows.flatMap(({ id }) => (left.has(id) ? [] : [id]));
  if (found.length <= count) return found;
  const all = Math.max(found.length, (await jobs.count(selection)) - left.size);
  const [now, meant] = [all, count].map((each) => each.toLocaleString("en"));
  throw new AppError("CONFLICT", `${now} jobs match by now, and ${meant} were meant: nothing was changed`);
};

const inParts = async <T>(all: readonly T[], look: Limits["look"], act: (each: T) => Promise<void>): Promise<void> => {
  for (let from = 0; from < all.length; from += atOnce) {
    await look();
    await Promise.all(all.slice(from, from + atOnce).map(act));
  }
};

const missing = (id: string): Answer => ({
  ...{ id, success: false, error: "NOT_FOUND", message: `There is no job ${id}` },
});

const changeOne = async (
  id: string,
  act: () => Promise<Did>,
): Promise<{ readonly answer: Answer; readonly step?: UndoStep | undefined }> => {
  try {
    const { step, held } = await act();
    return { answer: { id, success: true, ...(held && { held }) }, step };
  } catch (problem) {
    if (!(problem instanceof AppError)) throw problem;
    return { answer: { id, success: false, error: problem.code, message: problem.message } };
  }
};
