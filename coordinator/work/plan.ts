import { apiTestNeed } from "../../shared/api-test.ts";
import type { Asset } from "../../shared/asset.ts";
import { type Failure, TaskError } from "../../shared/causes.ts";
import type { Demand } from "../../shared/demand.ts";
import type { AnyElement, FactRequest, FoundFacts, Plan, PlanContext } from "../../shared/elements/element.ts";
import { elementOf } from "../../shared/elements/index.ts";
import { messageOf } from "../../shared/errors.ts";
import { answers } from "../../shared/frame-listing.ts";
import { ancestorsOf, feedersOf, type GraphConnection } from "../../shared/graph.ts";
import { ofGroups } from "../../shared/processing-groups.ts";
import { danglingReferences, type Step, type Work } from "../../shared/work.ts";
import type { ElementRunRow } from "../db/element-runs.ts";
import type { TaskRow } from "../db/tasks.ts";
import type { Changes, Farm } from "./farm.ts";
import { modificationsOf, payloadOf } from "./scripted.ts";
import { openPayload } from "./sealed.ts";
import { tagsOf } from "./update.ts";

/** The job as it was read for this decision: elements that feed a run which is planned do not change any more. */
type Graph = { readonly runs: readonly ElementRunRow[]; readonly connections: readonly GraphConnection[] };

/** How often an element may ask for facts before it must plan. */
const maxRounds = 12;

/**
 * Asks the element's kind for its plan and stores what follows: a task that gathers facts, tasks that do the work, or
 * the assets themselves. A kind that throws fails the run with a task that says why; what the store throws goes on to
 * whoever wanted the commit.
 */
export const planRun = (farm: Farm, changes: Changes, jobId: number, run: ElementRunRow, graph: Graph): void => {
  const { elementRuns, jobs } = farm.stores;
  const outcome = decideRun(farm, jobId, run, graph);
  if ("warnings" in outcome && outcome.warnings) jobs.warn(jobId, outcome.warnings);
  if (outcome.next === "fail") failPlanning(farm, changes, jobId, run, outcome.problem);
  if (outcome.next === "succeed") elementRuns.move(jobId, run, "succeed", { assets: outcome.assets });
  if (!("tasks" in outcome)) return;
  for (const task of outcome.tasks) addTask(farm, changes, jobId, run, task);
  if (outcome.next === "plan") elementRuns.move(jobId, run, "plan");
  else elementRuns.countRound(jobId, run.uid);
};

type Outcome =
  | { readonly next: "gather"; readonly tasks: readonly TaskShape[] }
  | { readonly next: "plan"; readonly tasks: readonly TaskShape[]; readonly warnings?: readonly string[] | undefined }
  | { readonly next: "succeed"; readonly assets: readonly Asset[]; readonly warnings?: readonly string[] | undefined }
  | { readonly next: "fail"; readonly problem: unknown };

/** What is to be done for the run; nothing is written. */
const decideRun = (farm: Farm, jobId: number, run: ElementRunRow, graph: Graph): Outcome => {
  try {
    if (run.spec.script) return { next: "plan", tasks: [pretence(run)] };
    const element = kindOf(run);
    const context = contextOf(farm, jobId, run, element, graph);
    const plan = element.plan(context);
    if ("need" in plan) return { next: "gather", tasks: [factsTask(farm, run, plan.need)] };
    if ("stage" in plan) return { next: "gather", tasks: stageTasks(run, element, context, plan) };
    const { assets = [], warnings } = plan;
    if (plan.tasks.length === 0) return { next: "succeed", assets, warnings };
    return { next: "plan", tasks: plan.tasks.map((task) => workTask(run, element, context, plan, task)), warnings };
  } catch (problem) {
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

const contextOf = (
  farm: Farm,
  jobId: number,
  run: ElementRunRow,
  element: AnyElement,
  { runs, connections }: Graph,
): PlanContext<unknown> => {
  const { jobs, tasks } = farm.stores;
  const feeders = feedingRuns(run, { runs, connections });
  const jobTasks = tasks.ofJob(jobId);
  const gathered = jobTasks.filter(({ element_uid, purpose }) => element_uid === run.uid && purpose === "facts");
  const found = gathered.flatMap(({ published }) => Object.values(published?.found ?? {}));
  const job = jobs.get(jobId);
  const led = behind(run.uid, { runs, connections }, jobTasks);
  return {
    uid: run.uid,
    payload: payloadOf(farm, run, element, led.analyses),
    job: { id: jobId, name: job?.name ?? "", userTag: job?.user_tag ?? null, ownerEmail: farm.config.ownerEmail },
    inputs: inputsOf(farm, run, feeders),
    ...led,
    assetsOf: (uid) => runs.find((each) => each.uid === uid)?.assets,
    modifications: modificationsOf(farm, run.uid, { runs, connections }),
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
const behind = (uid: string, { runs, connections }: Graph, tasks: readonly TaskRow[]) => {
  const leading = ancestorsOf(uid, connections).flatMap((each) => runs.find((run) => run.uid === each) ?? []);
  const source = leading.find(({ kind }) => kind === "source" || kind === "source_provider")?.assets;
  const analyses = leading.flatMap((run) => {
    const own = tasks.filter(({ element_uid, purpose }) => element_uid === run.uid && purpose === "work");
    const results = Object.assign({}, ...own.map(({ published }) => published?.results ?? {}));
    return Object.keys(results).length > 0 ? [{ uid: run.uid, kind: run.kind, results }] : [];
  });
  return { ...(source && { source }), analyses };
};

/** What an element passes on: what its tasks made, and what came in where the kind says so. */
export const passedOn = (farm: Farm, run: ElementRunRow, own: readonly TaskRow[], graph: Graph): Asset[] => {
  const made = assetsOf(farm, own);
  if (!passesInputs(farm, run)) return made;
  return [...inputsOf(farm, run, feedingRuns(run, graph)), ...made];
};

const passesInputs = (farm: Farm, { kind, spec }: ElementRunRow): boolean => {
  const element = elementOf(kind);
  const passes = element?.passesInputs ?? false;
  return typeof passes === "boolean" ? passes : passes(element?.payload.parse(openPayload(farm.vault, spec.payload)));
};

const feedingRuns = ({ uid }: ElementRunRow, { runs, connections }: Graph): ElementRunRow[] =>
  feedersOf(uid, runs, connections).flatMap((each) => runs.find((run) => run.uid === each) ?? []);

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
const factsTask = (farm: Farm, { uid, kind, rounds, spec }: ElementRunRow, need: readonly FactRequest[]): TaskShape => {
  if (rounds >= maxRounds) throw new Error(`${kind} asked for facts ${maxRounds} times and still cannot plan`);
  const work: Work = { assets: {}, outputs: {}, steps: [] };
  for (const [index, request] of need.entries()) {
    const { fact, uri, pieces, images, waitSec } = request;
    const asset = String(index);
    work.assets[asset] = { uri, images, waitSec, ...(pieces && { pieces: [...pieces] }) };
    work.steps.push(stepOf(farm, request, `${fact}_${index}`, asset));
  }
  return { uid, name: spec.name, purpose: "facts", requires: ["ffprobe"], weight: "light", demand: {}, work };
};

const stepOf = (farm: Farm, request: FactRequest, id: string, asset: string): Step => {
  const { fact, question } = request;
  if (fact === "manifest") return { do: "manifest", id, asset };
  if (fact === "probe") return { do: "probe", id, asset, known: knownOf(farm, request) };
  if (!question) throw new Error("frames are listed to answer a question");
  return { do: "frames", id, asset, question };
};

/** Only what one file says of itself is kept: what is joined or counted is another thing the next time. */
const knownOf = (farm: Farm, { uri, pieces, images }: FactRequest) => {
  const kept = pieces || images ? undefined : farm.stores.facts.get(uri);
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

const addTask = (farm: Farm, changes: Changes, jobId: number, run: ElementRunRow, shape: TaskShape): number => {
  const { kind, priority, tags, retry } = run.spec;
  const now = farm.clock.now();
  const all = tagsOf(farm.stores.schedules.get(jobId).tags, tags);
  const readyTime = farm.clock.steady();
  const place = { jobId, elementUid: run.uid, kind, priority, tags: all, retry, now, readyTime };
  const id = farm.stores.tasks.insert({ ...place, ...shape });
  changes.tasks.add(id);
  return id;
};

/** The failure gets a task of its own, so that lists, results and retries by hand have something to name. */
const failPlanning = (farm: Farm, changes: Changes, jobId: number, run: ElementRunRow, problem: unknown): void => {
  if (!(problem instanceof TaskError)) farm.log.error({ err: problem, job: jobId, element: run.uid }, "planning broke");
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
  const id = addTask(farm, changes, jobId, run, shape);
  farm.stores.tasks.move({ id, state: "ready" }, "fail", { failure, endTime: farm.clock.now() });
  farm.stores.elementRuns.move(jobId, run, "fail", { failure });
};

/** What a finished element passes on: its tasks' outputs, those of one version together. */
export const assetsOf = (farm: Farm, tasks: readonly TaskRow[]): Asset[] => {
  const versions = new Map<string, Asset>();
  for (const { id, purpose, published } of tasks) {
    if (purpose !== "work") continue;
    const outputs = farm.stores.tasks.work(id)?.outputs ?? {};
    for (const [outputId, files] of Object.entries(published?.outputs ?? {})) {
      const { version = outputId, layer } = outputs[outputId] ?? {};
      const asset = versions.get(version) ?? { version, files: [], ...(layer && { layer }) };
      versions.set(version, { ...asset, files: [...asset.files, ...files] });
    }
  }
  return [...versions.values()].filter(({ files }) => files.length > 0);
};
