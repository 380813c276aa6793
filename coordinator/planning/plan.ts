import type { AnyElement } from "../../media/elements/element.ts";
import { elementOf } from "../../media/elements/index.ts";
import type { Instance } from "../../media/instances/graph-state.ts";
import { messageOf } from "../../shared/basics/errors.ts";
import { apiTestNeed } from "../../shared/model/api-test.ts";
import type { Asset } from "../../shared/model/asset.ts";
import { type Failure, TaskError } from "../../shared/model/failure.ts";
import { CacheMiss } from "../kernel/cache-miss.ts";
import type { JobValue } from "../kernel/job-value.ts";
import type { Transaction } from "../kernel/transaction.ts";
import type { Secrets } from "../secrets/secrets.ts";
import type { ElementRunRow } from "../store/rows.ts";
import { inOneBuild } from "./common-build.ts";
import { describeInvalidWork } from "./invalid-work.ts";
import { buildPlanContext } from "./plan-context.ts";
import { addTask, factsTask, lightTask, stageTasks, type TaskShape, workTask } from "./plan-tasks.ts";

/**
 * Asks the element's kind for its plan and notes what follows: a task that gathers facts, tasks that do the work, or
 * the assets themselves. A kind that throws fails the run with a task that says why.
 */
export const planRun = (farm: Secrets, draft: Transaction, job: JobValue, instance: Instance): void => {
  const run = draft.run(job.id, instance);
  if (!run) return;
  const outcome = decideRun(farm, draft, job, run);
  if ("warnings" in outcome && outcome.warnings) draft.warn(job.id, outcome.warnings);
  if (outcome.next === "fail") failPlanning(farm, draft, job, run, outcome.problem);
  if (outcome.next === "succeed") draft.moveRun(job.id, run, "succeed", { assets: outcome.assets });
  if (!("tasks" in outcome)) return;
  for (const task of inOneBuild(farm, job, run, outcome.tasks)) addTask(farm, draft, job, run, task);
  if (outcome.next === "plan") draft.moveRun(job.id, run, "plan");
  else draft.setRun(job.id, run, { rounds: run.rounds + 1 });
};

type Outcome =
  | { readonly next: "gather"; readonly tasks: readonly TaskShape[] }
  | { readonly next: "plan"; readonly tasks: readonly TaskShape[]; readonly warnings?: readonly string[] | undefined }
  | { readonly next: "succeed"; readonly assets: readonly Asset[]; readonly warnings?: readonly string[] | undefined }
  | { readonly next: "fail"; readonly problem: unknown };

/** Decides what to do for the run. Changes nothing. */
const decideRun = (farm: Secrets, draft: Transaction, job: JobValue, run: ElementRunRow): Outcome => {
  try {
    // An element of a job of schema api_test is one task, whatever its kind.
    if (run.spec.script) return { next: "plan", tasks: [lightTask(run, "work", [apiTestNeed])] };
    const element = kindOf(run);
    const context = buildPlanContext(farm, draft, job, run, element);
    const plan = element.plan(context);
    if ("need" in plan) return { next: "gather", tasks: fitting([factsTask(farm, draft, run, plan.need)]) };
    if ("stage" in plan) return { next: "gather", tasks: fitting(stageTasks(run, element, context, plan)) };
    const { assets = [], warnings } = plan;
    if (plan.tasks.length === 0) return { next: "succeed", assets, warnings };
    const tasks = plan.tasks.map((task) => workTask(run, element, context, plan, task));
    return { next: "plan", tasks: fitting(tasks), warnings };
  } catch (problem) {
    if (problem instanceof CacheMiss) throw problem; // it is loaded, and the decision made again
    return { next: "fail", problem };
  }
};

/** Refuses work that a node could not read: it would disconnect again and again. */
const fitting = (tasks: readonly TaskShape[]): readonly TaskShape[] => {
  for (const { name, work } of tasks) {
    const misfit = work.watch ? undefined : describeInvalidWork(work);
    if (misfit !== undefined)
      throw new TaskError("definition", `"${name}" asks for more than a node can be sent: ${misfit}`);
  }
  return tasks;
};

const kindOf = ({ kind, uid }: ElementRunRow): AnyElement => {
  const element = elementOf(kind);
  if (element) return element;
  throw new TaskError("capability", `${uid}: elements of kind "${kind}" are not implemented in this version`);
};

/** Fails a run that cannot be planned, with a task of its own that lists, results and retries can refer to. */
export const failPlanning = (
  farm: Secrets,
  draft: Transaction,
  job: JobValue,
  run: ElementRunRow,
  problem: unknown,
): void => {
  if (!(problem instanceof TaskError))
    farm.log.error({ err: problem, job: job.id, element: run.uid }, "planning failed");
  const failure: Failure =
    problem instanceof TaskError
      ? problem.failure
      : { cause: "definition", message: `${run.uid} cannot be planned: ${messageOf(problem)}` };
  const task = addTask(farm, draft, job, run, lightTask(run, "work", []));
  const results = problem instanceof TaskError ? problem.results : undefined;
  const published = results && { outputs: {}, found: {}, results };
  draft.moveTask(task, "fail", { failure, ...(published && { published }), end_time: farm.clock.now() });
  draft.moveRun(job.id, run, "fail", { failure });
};
