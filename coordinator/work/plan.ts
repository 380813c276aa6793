import { apiTestNeed } from "../../shared/api-test.ts";
import type { Asset } from "../../shared/asset.ts";
import { type Failure, TaskError } from "../../shared/causes.ts";
import type { Demand } from "../../shared/demand.ts";
import type { AnyElement, FactRequest, FoundFacts, Plan, PlanContext } from "../../shared/elements/element.ts";
import { elementOf } from "../../shared/elements/index.ts";
import { messageOf } from "../../shared/errors.ts";
import { answers } from "../../shared/frame-listing.ts";
import { ancestorsOf, feedersOf } from "../../shared/graph.ts";
import { ofGroups } from "../../shared/processing-groups.ts";
import { danglingReferences } from "../../shared/references.ts";
import { awaitedIn } from "../../shared/waiting.ts";
import type { Step, Work } from "../../shared/work.ts";
import type { Draft } from "../memory/draft.ts";
import { type JobValue, Missing } from "../memory/values.ts";
import type { ElementRunRow, TaskRow } from "../store/rows.ts";
import type { Farm } from "./farm.ts";
import { reachNeedsOf } from "./reach.ts";
import { modificationsOf, payloadOf } from "./scripted.ts";
import { openPayload } from "./sealed.ts";
import { tagsOf } from "./update.ts";

/** How often an element may ask for facts before it must plan. */
const maxRounds = 12;

/**
 * Asks the element's kind for its plan and notes what follows: a task that gathers facts, tasks that do the work, or
 * the assets themselves. A kind that throws fails the run with a task that says why.
 */
export const planRun = (farm: Farm, draft: Draft, job: JobValue, uid: string): void => {
  const run = job.runs.get(uid);
  if (!run) return;
  const outcome = decideRun(farm, draft, job, run);
  if ("warnings" in outcome && outcome.warnings) draft.warn(job.id, outcome.warnings);
  if (outcome.next === "fail") failPlanning(farm, draft, job, run, outcome.problem);
  if (outcome.next === "succeed") draft.moveRun(job.id, uid, "succeed", { assets: outcome.assets });
  if (!("tasks" in outcome)) return;
  for (const task of outcome.tasks) addTask(farm, draft, job, run, task);
  if (outcome.next === "plan") draft.moveRun(job.id, uid, "plan");
  else draft.setRun(job.id, uid, { rounds: run.rounds + 1 });
};

type Outcome =
  | { readonly next: "gather"; readonly tasks: readonly TaskShape[] }
  | { readonly next: "plan"; readonly tasks: readonly TaskShape[]; readonly warnings?: readonly string[] | undefined }
  | { readonly next: "succeed"; readonly assets: readonly Asset[]; readonly warnings?: readonly string[] | undefined }
  | { readonly next: "fail"; readonly problem: unknown };

/** What is to be done for the run; nothing is changed. */
const decideRun = (farm: Farm, draft: Draft, job: JobValue, run: ElementRunRow): Outcome => {
  try {
    if (run.spec.script) return { next: "plan", tasks: [pretence(run)] };
    const element = kindOf(run);
    const context = contextOf(farm, job, run, element);
    const plan = element.plan(context);
    if ("need" in plan) return { next: "gather", tasks: [factsTask(draft, run, plan.need)] };
    if ("stage" in plan) return { next: "gather", tasks: stageTasks(run, element, context, plan) };
    const { assets = [], warnings } = plan;
    if (plan.tasks.length === 0) return { next: "succeed", assets, warnings };
    return { next: "plan", tasks: plan.tasks.map((task) => workTask(run, element, context, plan, task)), warnings };
  } catch (problem) {
    if (problem instanceof Missing) throw problem; // it is loaded, and the decision made again
    return { next: "fail", problem };
  }
};

/** An element of a job of schema api_test is one task, whatever its kind: nothing is looked at. */
const pretence = ({ uid, spec: { name } }: ElementRunRow): TaskShape => {
  const work: Work = { assets: {}, outputs: {}, steps: [] };
  return { uid, name, purpose: "work", requires: [apiTestNeed], weight: "light", demand: {}, work };
};

const kindOf = ({ kind, uid }: ElementRunRow): AnyElement => {
  const element = elementOf(kind);
  if (element) return element;
  throw new TaskError("capability", `${uid}: elements of kind "${kind}" are not implemented in this version`);
};

const contextOf = (farm: Farm, job: JobValue, run: ElementRunRow, element: AnyElement): PlanContext<unknown> => {
  const feeders = feedingRuns(run, job);
  const tasks = [...job.tasks.values()];
  const gathered = tasks.filter(({ element_uid, purpose }) => element_uid === run.uid && purpose === "facts");
  const found = gathered.flatMap(({ published }) => Object.values(published?.found ?? {}));
  const led = behind(run.uid, job, tasks);
  return {
    uid: run.uid,
    payload: payloadOf(farm, run, element, led.analyses),
    job: {
      id: job.id,
      name: job.row?.name ?? "",
      userTag: job.row?.user_tag ?? null,
      ownerEmail: farm.config.ownerEmail,
    },
    inputs: inputsOf(farm, run, feeders),
    ...led,
    assetsOf: (uid) => job.runs.get(uid)?.assets,
    modifications: modificationsOf(farm, run.uid, job),
    failures: feeders.flatMap(({ uid, kind, state, failure, spec: { name } }) =>
      state === "failed" ? [{ uid, kind, name, failure }] : [],
    ),
    stageResults: (uid) => gathered.findLast((each) => each.uid === uid)?.published?.results,
    factsOf: (uri): FoundFacts | undefined => {
      const file = found.findLast((each) => each.file.uri === uri && each.file.facts)?.file;
      if (file?.facts === undefined || file.size === undefined || file.modified === undefined) return undefined;
      const { size, modified, facts, images } = file;
      return { size, modified, facts, ...(images && { images }) };
    },
    manifestOf: (uri) => found.findLast((each) => each.file.uri === uri && each.manifest)?.manifest,
    framesOf: (uri, question) =>
      found.find((each) => each.file.uri === uri && each.frames && answers(each.frames, question))?.frames,
  };
};

/** What the elements that led here gave: the job's source, and what was found out, the nearest first. */
const behind = (uid: string, { runs, connections }: JobValue, tasks: readonly TaskRow[]) => {
  const leading = ancestorsOf(uid, connections).flatMap((each) => runs.get(each) ?? []);
  const source = leading.find(({ kind }) => kind === "source" || kind === "source_provider")?.assets;
  const analyses = leading.flatMap((run) => {
    const own = tasks.filter(({ element_uid, purpose }) => element_uid === run.uid && purpose === "work");
    const results = Object.assign({}, ...own.map(({ published }) => published?.results ?? {}));
    return Object.keys(results).length > 0 ? [{ uid: run.uid, kind: run.kind, results }] : [];
  });
  return { ...(source && { source }), analyses };
};

/** What an element passes on: what its tasks made, and what came in where the kind says so. */
export const passedOn = (
  farm: Farm,
  draft: Draft,
  job: JobValue,
  run: ElementRunRow,
  own: readonly TaskRow[],
): Asset[] => {
  const made = assetsOf(own, draft.works(own.map(({ id }) => id)));
  if (!passesInputs(farm, run)) return made;
  return [...inputsOf(farm, run, feedingRuns(run, job)), ...made];
};

const passesInputs = (farm: Farm, { kind, spec }: ElementRunRow): boolean => {
  const element = elementOf(kind);
  const passes = element?.passesInputs ?? false;
  return typeof passes === "boolean" ? passes : passes(element?.payload.parse(openPayload(farm.vault, spec.payload)));
};

const feedingRuns = ({ uid }: ElementRunRow, { runs, connections }: JobValue): ElementRunRow[] =>
  feedersOf(uid, [...runs.values()], connections).flatMap((each) => runs.get(each) ?? []);

const inputsOf = (farm: Farm, { uid, spec: { groups = [] } }: ElementRunRow, feeders: readonly ElementRunRow[]) =>
  ofGroups(
    // Payloads are opened only where somebody looks into them.
    feeders.map(({ spec, assets }) => ({
      payload: groups.length > 0 ? openPayload(farm.vault, spec.payload) : {},
      assets: assets ?? [],
    })),
    groups,
    uid,
  );

/** One light task probes all that is asked for; facts that are kept already are only checked against the file. */
const factsTask = (
  draft: Draft,
  { uid, kind, rounds, spec }: ElementRunRow,
  need: readonly FactRequest[],
): TaskShape => {
  if (rounds >= maxRounds) throw new Error(`${kind} asked for facts ${maxRounds} times and still cannot plan`);
  const work: Work = { assets: {}, outputs: {}, steps: [] };
  for (const [index, request] of need.entries()) {
    const { fact, uri, pieces, images, waitSec } = request;
    const asset = String(index);
    work.assets[asset] = { uri, images, waitSec, ...(pieces && { pieces: [...pieces] }) };
    work.steps.push(stepOf(draft, request, `${fact}_${index}`, asset));
  }
  return { uid, name: spec.name, purpose: "facts", requires: ["ffprobe"], weight: "light", demand: {}, work };
};

const stepOf = (draft: Draft, request: FactRequest, id: string, asset: string): Step => {
  const { fact, question } = request;
  if (fact === "manifest") return { do: "manifest", id, asset };
  if (fact === "probe") return { do: "probe", id, asset, known: knownOf(draft, request) };
  if (!question) throw new Error("frames are listed to answer a question");
  return { do: "frames", id, asset, question };
};

/** Only what one file says of itself is kept: what is joined or counted is another thing the next time. */
const knownOf = (draft: Draft, { uri, pieces, images }: FactRequest) => {
  const kept = pieces || images ? undefined : draft.facts(uri);
  return kept && { size: kept.size, modified: kept.modified, tool: kept.tool };
};

type Tasks = Exclude<Plan<unknown>, { need: unknown } | { stage: string }>;
type Stage = Extract<Plan<unknown>, { stage: string }>;

/** Their results go into the next round of planning; what they make is nobody's asset. */
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
  const work = element.compile(task, context);
  const dangling = danglingReferences(work);
  if (dangling.length > 0) throw new Error(`${run.kind} compiled references to nothing: ${dangling.join(", ")}`);
  const { uid, requires, weight, demand = element.demand ?? {} } = task;
  const name = tasks.length === 1 ? run.spec.name : task.name;
  return { uid, name, purpose: "work", requires, weight, demand, work };
};

type TaskShape = {
  readonly uid: string;
  readonly name: string;
  readonly purpose: "facts" | "work";
  readonly requires: readonly string[];
  readonly weight: "full" | "light";
  readonly demand: Demand;
  readonly work: Work;
};

const addTask = (farm: Farm, draft: Draft, job: JobValue, run: ElementRunRow, shape: TaskShape): TaskRow => {
  const { kind, priority = null, tags, retry } = run.spec;
  const { work, ...own } = shape;
  const requires = [...new Set([...own.requires, ...reachNeedsOf(farm, work)])];
  const row: Omit<TaskRow, "id"> = {
    ...{
      ...own,
      requires,
      job_id: job.id,
      element_uid: run.uid,
      kind,
      state: "ready" as const,
      priority,
      tags: tagsOf(job.schedule.tags, tags),
    },
    ...{
      retry_count: retry.count,
      retry_delay_sec: retry.delaySec,
      retry_nr: 0,
      losses: 0,
      attempt: null,
      node_id: null,
    },
    ...{ creation_time: farm.clock.now(), ready_time: farm.clock.steady(), start_time: null, end_time: null },
    ...{ awaits: awaitedIn(work), failure: undefined, intent: undefined, published: undefined },
  };
  return draft.insertTask(row, work);
};

/** The failure gets a task of its own, so that lists, results and retries by hand have something to name. */
const failPlanning = (farm: Farm, draft: Draft, job: JobValue, run: ElementRunRow, problem: unknown): void => {
  if (!(problem instanceof TaskError))
    farm.log.error({ err: problem, job: job.id, element: run.uid }, "planning broke");
  const failure: Failure =
    problem instanceof TaskError
      ? problem.failure
      : { cause: "definition", message: `${run.uid} cannot be planned: ${messageOf(problem)}` };
  const work: Work = { assets: {}, outputs: {}, steps: [] };
  const shape = {
    uid: run.uid,
    name: run.spec.name,
    purpose: "work",
    requires: [],
    weight: "light",
    demand: {},
    work,
  } as const;
  const task = addTask(farm, draft, job, run, shape);
  const results = problem instanceof TaskError ? problem.results : undefined;
  const published = results && { outputs: {}, found: {}, results };
  draft.moveTask(task, "fail", { failure, ...(published && { published }), end_time: farm.clock.now() });
  draft.moveRun(job.id, run.uid, "fail", { failure });
};

/** What a finished element passes on: its tasks' outputs, those of one version together. */
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
