import type { AnyElement, FactRequest, Plan, PlanContext } from "../../media/elements/element.ts";
import { instanceName } from "../../media/instances/path.ts";
import { redactText } from "../../shared/credentials/redact.ts";
import type { Asset } from "../../shared/model/asset.ts";
import { awaitedIn } from "../../shared/work/polling.ts";
import { danglingReferences } from "../../shared/work/references.ts";
import type { Step, Work } from "../../shared/work/work.ts";
import type { JobValue } from "../kernel/job-value.ts";
import type { Transaction } from "../kernel/transaction.ts";
import { isBelieved } from "../nodes/believed.ts";
import { reachNeeds } from "../schedule/reach.ts";
import type { Secrets } from "../secrets/secrets.ts";
import { credentialNeeds } from "../secrets/storage-keys.ts";
import type { ElementRunRow, TaskRow } from "../store/rows.ts";
import { joinTags } from "./task-tags.ts";

/** How often an element may ask for facts before it must plan. */
const maxRounds = 12;

/** A task that is not stored yet. */
export type TaskShape = Pick<TaskRow, "uid" | "name" | "purpose" | "requires" | "weight" | "demand"> & {
  readonly work: Work;
  /** Runs with the same build of ffmpeg as the others of its stage. */
  readonly isAlike?: true;
};

/** A light task of the run itself. */
export const lightTask = (
  { uid, path, spec: { name } }: ElementRunRow,
  purpose: TaskRow["purpose"],
  requires: readonly string[],
  work: Work = { assets: {}, outputs: {}, steps: [] },
): TaskShape => ({ uid: instanceName(uid, path), name, purpose, requires, weight: "light", demand: {}, work });

/** One light task that probes all requested files. Stored facts are only checked against the file. */
export const factsTask = (
  farm: Pick<Secrets, "registry">,
  draft: Transaction,
  run: ElementRunRow,
  need: readonly FactRequest[],
): TaskShape => {
  if (run.rounds >= maxRounds) throw new Error(`${run.kind} asked for facts ${maxRounds} times and still cannot plan`);
  draft.expect({ facts: need.filter(hasStoredFacts).map(({ uri }) => uri) });
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
    work.steps.push(stepOf({ farm, draft }, request, `${fact}_${index}`, asset));
  }
  return lightTask(run, "facts", ["ffprobe"], work);
};

type Planning = { readonly farm: Pick<Secrets, "registry">; readonly draft: Transaction };

const stepOf = (planning: Planning, request: FactRequest, id: string, asset: string): Step => {
  const { fact, question } = request;
  if (fact === "manifest") return { do: "manifest", id, asset };
  if (fact === "probe") return { do: "probe", id, asset, known: knownOf(planning, request) };
  if (!question) throw new Error("frames are listed to answer a question");
  return { do: "frames", id, asset, question };
};

/** Only facts of single files are stored: joined pieces and image sequences may differ the next time. */
const hasStoredFacts = ({ fact, pieces, images }: FactRequest): boolean => fact === "probe" && !pieces && !images;

const knownOf = ({ farm, draft }: Planning, request: FactRequest) => {
  const kept = hasStoredFacts(request) ? draft.facts(request.uri) : undefined;
  if (!kept || !isBelieved(farm.registry, kept)) return undefined;
  return { size: kept.size, modified: kept.modified, tool: kept.tool };
};

type Tasks = Exclude<Plan<unknown>, { need: unknown } | { stage: string }>;
type Stage = Extract<Plan<unknown>, { stage: string }>;

/** The tasks of a stage. Their results go into the next round of planning; their outputs are no assets. */
export const stageTasks = (
  run: ElementRunRow,
  element: AnyElement,
  context: PlanContext<unknown>,
  { stage, tasks }: Stage,
): TaskShape[] => {
  if (run.rounds >= maxRounds) throw new Error(`${run.kind} asked for ${maxRounds} stages and still cannot plan`);
  if (tasks.length === 0) throw new Error(`${run.kind} planned a stage "${stage}" without tasks`);
  return tasks.map((task) => {
    const shape = workTask(run, element, context, { tasks }, task);
    // A light one only finds something out.
    return { ...shape, purpose: shape.weight === "full" ? "stage" : "facts", ...(task.isAlike && { isAlike: true }) };
  });
};

/** A task that does the work of the element. */
export const workTask = (
  run: ElementRunRow,
  element: AnyElement,
  context: PlanContext<unknown>,
  { tasks }: Tasks,
  task: Tasks["tasks"][number],
): TaskShape => {
  const work = setCacheTimes(element.compile(task, context), [...context.inputs, ...(context.source ?? [])]);
  const dangling = danglingReferences(work);
  if (dangling.length > 0) throw new Error(`${run.kind} compiled references to nothing: ${dangling.join(", ")}`);
  const { uid, requires, weight, demand = element.demand ?? {} } = task;
  const name = tasks.length === 1 ? run.spec.name : task.name;
  return { uid, name, purpose: "work", requires, weight, demand, work };
};

/** What the task requires of a node, for itself and for the addresses of its work. */
export const requirementsOf = (
  farm: Secrets,
  job: JobValue,
  { uid }: Pick<ElementRunRow, "uid">,
  { requires, work }: Pick<TaskShape, "requires" | "work">,
): string[] => [
  ...new Set([...requires, ...reachNeeds(work, farm.registry.reach()), ...credentialNeeds(farm, job, uid, work)]),
];

/** The tags of all tasks of a run. */
export const tagsOfRun = ({ schedule }: JobValue, { spec }: Pick<ElementRunRow, "spec">): string[] =>
  joinTags(schedule.tags, spec.tags);

/** Stores the task, with what its work requires of a node. */
export const addTask = (
  farm: Secrets,
  draft: Transaction,
  job: JobValue,
  run: ElementRunRow,
  shape: TaskShape,
): TaskRow => {
  const { kind, priority = null, retry } = run.spec;
  const { work, isAlike: _, ...own } = shape;
  const row: Omit<TaskRow, "id"> = {
    ...own,
    name: redactText(own.name), // some name the address that they look at
    requires: requirementsOf(farm, job, run, shape),
    job_id: job.id,
    element_uid: run.uid,
    path: run.path,
    kind,
    state: "ready" as const,
    priority,
    tags: tagsOfRun(job, run),
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

/** Sets how long nodes keep copies of remote files: the source of a file decides, for every task that reads it. */
const setCacheTimes = (work: Work, inputs: readonly Asset[]): Work => {
  const kept = new Map(
    inputs.flatMap(({ files, cacheSec }) => (cacheSec ? files.map(({ uri }) => [uri, cacheSec]) : [])),
  );
  if (kept.size === 0) return work;
  const assets = Object.entries(work.assets).map(([id, asset]) => {
    const cacheSec = kept.get(asset.uri);
    return [id, cacheSec === undefined ? asset : { ...asset, cacheSec }];
  });
  return { ...work, assets: Object.fromEntries(assets) };
};
