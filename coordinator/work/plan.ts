import { apiTestNeed } from "../../shared/api-test.ts";
import type { Asset } from "../../shared/asset.ts";
import { type Failure, TaskError } from "../../shared/causes.ts";
import type { AnyElement, FactRequest, Plan, PlanContext } from "../../shared/elements/element.ts";
import { elementOf } from "../../shared/elements/index.ts";
import { messageOf } from "../../shared/errors.ts";
import { hasRoomFor, type Instance, instanceLimits } from "../../shared/instances/graph.ts";
import { instanceName } from "../../shared/instances/path.ts";
import { reachNeeds } from "../../shared/reach.ts";
import { danglingReferences } from "../../shared/references.ts";
import { awaitedIn } from "../../shared/waiting.ts";
import type { Step, Work } from "../../shared/work.ts";
import { misfitOf } from "../../shared/work-misfit.ts";
import type { Draft } from "../memory/draft.ts";
import type { JobValue } from "../memory/job-value.ts";
import { Missing } from "../memory/values.ts";
import { countOf, type ElementRunRow, type RunBatches, type TaskRow } from "../store/rows.ts";
import type { Farm } from "./farm.ts";
import { arrivalsOf } from "./inputs.ts";
import { keepCopies } from "./keep-copies.ts";
import { contextOf } from "./plan-context.ts";
import { openPayload } from "./sealed.ts";
import { entryNeedsOf } from "./storage-keys.ts";
import { tagsOf } from "./update.ts";

/** How often an element may ask for facts before it must plan. */
const maxRounds = 12;

/**
 * Asks the element's kind for its plan and notes what follows: a task that gathers facts, tasks that do the work, or
 * the assets themselves. A kind that throws fails the run with a task that says why.
 */
export const planRun = (farm: Farm, draft: Draft, job: JobValue, instance: Instance): void => {
  const run = draft.run(job.id, instance);
  if (!run) return;
  const outcome = decideRun(farm, draft, job, run);
  if ("warnings" in outcome && outcome.warnings) draft.warn(job.id, outcome.warnings);
  if (outcome.next === "fail") failPlanning(farm, draft, job, run, outcome.problem);
  if (outcome.next === "succeed") draft.moveRun(job.id, run, "succeed", { assets: outcome.assets });
  if (!("tasks" in outcome)) return;
  for (const task of outcome.tasks) addTask(farm, draft, job, run, task);
  if (outcome.next === "plan") draft.moveRun(job.id, run, "plan");
  else draft.setRun(job.id, run, { rounds: run.rounds + 1 });
};

type Outcome =
  | { readonly next: "gather"; readonly tasks: readonly TaskShape[] }
  | { readonly next: "plan"; readonly tasks: readonly TaskShape[]; readonly warnings?: readonly string[] | undefined }
  | { readonly next: "succeed"; readonly assets: readonly Asset[]; readonly warnings?: readonly string[] | undefined }
  | { readonly next: "fail"; readonly problem: unknown };

/** Decides what to do for the run. Changes nothing. */
const decideRun = (farm: Farm, draft: Draft, job: JobValue, run: ElementRunRow): Outcome => {
  try {
    // An element of a job of schema api_test is one task, whatever its kind.
    if (run.spec.script) return { next: "plan", tasks: [lightTask(run, "work", [apiTestNeed])] };
    const element = kindOf(run);
    const context = contextOf(farm, draft, job, run, element);
    const plan = element.plan(context);
    if ("need" in plan) return { next: "gather", tasks: fitting([factsTask(draft, run, plan.need)]) };
    if ("stage" in plan) return { next: "gather", tasks: fitting(stageTasks(run, element, context, plan)) };
    const { assets = [], warnings } = plan;
    if (plan.tasks.length === 0) return { next: "succeed", assets, warnings };
    const tasks = plan.tasks.map((task) => workTask(run, element, context, plan, task));
    return { next: "plan", tasks: fitting(tasks), warnings };
  } catch (problem) {
    if (problem instanceof Missing) throw problem; // it is loaded, and the decision made again
    return { next: "fail", problem };
  }
};

/** Refuses work that a node could not read: it would disconnect again and again. */
const fitting = (tasks: readonly TaskShape[]): readonly TaskShape[] => {
  for (const { name, work } of tasks) {
    const misfit = work.watch ? undefined : misfitOf(work);
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

/** Ends a run whose tasks are done. It passes on the assets that they made, or the batches that they found. */
export const succeedRun = (
  farm: Farm,
  draft: Draft,
  job: JobValue,
  run: ElementRunRow,
  own: readonly TaskRow[],
): void => {
  const found = batchesOf(farm, run, own);
  if (!found) {
    draft.moveRun(job.id, run, "succeed", { assets: passedOn(farm, draft, job, run, own) });
    return;
  }
  const count = countOf(found);
  if (hasRoomFor(job.graph, run.uid, count)) draft.moveRun(job.id, run, "succeed", { batches: found });
  else failPlanning(farm, draft, job, run, tooMany(job, run, count));
};

/** Undefined for kinds without batches, and for simulated tasks, which find nothing. */
const batchesOf = (farm: Farm, run: ElementRunRow, own: readonly TaskRow[]): RunBatches | undefined => {
  const task = own.findLast(({ purpose }) => purpose === "work");
  const element = elementOf(run.kind);
  if (!element?.batches || !task || run.spec.script) return undefined;
  const payload = element.payload.parse(openPayload(farm.vault, run.spec.payload));
  return { task: task.id, ...element.batches(payload, task.published?.results ?? {}) };
};

const tooMany = ({ graph }: JobValue, { uid }: ElementRunRow, count: number): TaskError => {
  const elements = graph.shape.members.get(uid)?.length ?? 0;
  const [runs, most] = [count * elements, instanceLimits.inJob].map((each) => each.toLocaleString("en"));
  const message = `${count.toLocaleString("en")} batches would run ${elements} elements each, ${runs} runs in all; a job may have ${most}`;
  return new TaskError("definition", message);
};

/** The assets that a run passes on: those that its tasks made, after its inputs if the kind passes these on. */
const passedOn = (farm: Farm, draft: Draft, job: JobValue, run: ElementRunRow, own: readonly TaskRow[]): Asset[] => {
  const made = assetsOf(own, draft.works(own.map(({ id }) => id)));
  if (!passesInputs(farm, run)) return made;
  return [...arrivalsOf(farm, draft, job, run), ...made];
};

const passesInputs = (farm: Farm, { kind, spec }: ElementRunRow): boolean => {
  const element = elementOf(kind);
  const passes = element?.passesInputs ?? false;
  return typeof passes === "boolean" ? passes : passes(element?.payload.parse(openPayload(farm.vault, spec.payload)));
};

/** One light task that probes all requested files. Stored facts are only checked against the file. */
const factsTask = (draft: Draft, run: ElementRunRow, need: readonly FactRequest[]): TaskShape => {
  if (run.rounds >= maxRounds) throw new Error(`${run.kind} asked for facts ${maxRounds} times and still cannot plan`);
  const work: Work = { assets: {}, outputs: {}, steps: [] };
  for (const [index, request] of need.entries()) {
    const { fact, uri, pieces, images, waitSec, cacheSec } = request;
    const asset = String(index);
    work.assets[asset] = {
      uri,
      images,
      waitSec,
      ...(cacheSec && { cacheSec }),
      ...(pieces && { pieces: [...pieces] }),
    };
    work.steps.push(stepOf(draft, request, `${fact}_${index}`, asset));
  }
  return lightTask(run, "facts", ["ffprobe"], work);
};

const stepOf = (draft: Draft, request: FactRequest, id: string, asset: string): Step => {
  const { fact, question } = request;
  if (fact === "manifest") return { do: "manifest", id, asset };
  if (fact === "probe") return { do: "probe", id, asset, known: knownOf(draft, request) };
  if (!question) throw new Error("frames are listed to answer a question");
  return { do: "frames", id, asset, question };
};

/** Only facts of single files are stored: joined pieces and image sequences may differ the next time. */
const knownOf = (draft: Draft, { uri, pieces, images }: FactRequest) => {
  const kept = pieces || images ? undefined : draft.facts(uri);
  return kept && { size: kept.size, modified: kept.modified, tool: kept.tool };
};

type Tasks = Exclude<Plan<unknown>, { need: unknown } | { stage: string }>;
type Stage = Extract<Plan<unknown>, { stage: string }>;

/** The tasks of a stage. Their results go into the next round of planning; their outputs are no assets. */
const stageTasks = (
  run: ElementRunRow,
  element: AnyElement,
  context: PlanContext<unknown>,
  { stage, tasks }: Stage,
): TaskShape[] => {
  if (run.rounds >= maxRounds) throw new Error(`${run.kind} asked for ${maxRounds} stages and still cannot plan`);
  if (tasks.length === 0) throw new Error(`${run.kind} planned a stage "${stage}" without tasks`);
  return tasks.map((task) => ({ ...workTask(run, element, context, { tasks }, task), purpose: "facts" }));
};

const workTask = (
  run: ElementRunRow,
  element: AnyElement,
  context: PlanContext<unknown>,
  { tasks }: Tasks,
  task: Tasks["tasks"][number],
): TaskShape => {
  const work = keepCopies(element.compile(task, context), [...context.inputs, ...(context.source ?? [])]);
  const dangling = danglingReferences(work);
  if (dangling.length > 0) throw new Error(`${run.kind} compiled references to nothing: ${dangling.join(", ")}`);
  const { uid, requires, weight, demand = element.demand ?? {} } = task;
  const name = tasks.length === 1 ? run.spec.name : task.name;
  return { uid, name, purpose: "work", requires, weight, demand, work };
};

/** A task that is not stored yet. */
type TaskShape = Pick<TaskRow, "uid" | "name" | "purpose" | "requires" | "weight" | "demand"> & { readonly work: Work };

/** A light task of the run itself. */
const lightTask = (
  { uid, path, spec: { name } }: ElementRunRow,
  purpose: TaskRow["purpose"],
  requires: readonly string[],
  work: Work = { assets: {}, outputs: {}, steps: [] },
): TaskShape => ({ uid: instanceName(uid, path), name, purpose, requires, weight: "light", demand: {}, work });

const addTask = (farm: Farm, draft: Draft, job: JobValue, run: ElementRunRow, shape: TaskShape): TaskRow => {
  const { kind, priority = null, tags, retry } = run.spec;
  const { work, ...own } = shape;
  const requires = [
    ...new Set([
      ...own.requires,
      ...reachNeeds(work, farm.registry.reach()),
      ...entryNeedsOf(farm, job, run.uid, work),
    ]),
  ];
  const row: Omit<TaskRow, "id"> = {
    ...own,
    requires,
    job_id: job.id,
    element_uid: run.uid,
    path: run.path,
    kind,
    state: "ready" as const,
    priority,
    tags: tagsOf(job.schedule.tags, tags),
    retry_count: retry.count,
    retry_delay_sec: retry.delaySec,
    retry_nr: 0,
    losses: 0,
    attempt: null,
    node_id: null,
    creation_time: farm.clock.now(),
    ready_time: farm.clock.steady(),
    start_time: null,
    end_time: null,
    awaits: awaitedIn(work),
    failure: undefined,
    intent: undefined,
    published: undefined,
  };
  return draft.insertTask(row, work);
};

/** Fails a run that cannot be planned, with a task of its own that lists, results and retries can refer to. */
const failPlanning = (farm: Farm, draft: Draft, job: JobValue, run: ElementRunRow, problem: unknown): void => {
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

/** The assets that tasks made: their outputs, grouped by version. */
export const assetsOf = (tasks: readonly TaskRow[], works: ReadonlyMap<number, Work>): Asset[] => {
  const versions = new Map<string, Asset>();
  for (const { id, purpose, published } of tasks) {
    if (purpose !== "work") continue;
    const outputs = works.get(id)?.outputs ?? {};
    for (const [outputId, files] of Object.entries(published?.outputs ?? {})) {
      const { version = outputId, layer } = outputs[outputId] ?? {};
      const asset = versions.get(version) ?? { version, files: [], ...(layer && { layer }) };
      versions.set(version, { ...asset, files: [...asset.files, ...files] });
    }
  }
  return [...versions.values()].filter(({ files }) => files.length > 0);
};
