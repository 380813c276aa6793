import type { Asset } from "../../shared/asset.ts";
import { type Failure, TaskError } from "../../shared/causes.ts";
import type { AnyElement, PlanContext } from "../../shared/elements/element.ts";
import { elementOf } from "../../shared/elements/index.ts";
import { messageOf } from "../../shared/errors.ts";
import type { Effort } from "../../shared/eta.ts";
import type { GraphConnection } from "../../shared/graph.ts";
import type { ElementSpec, JobSpec } from "../../shared/job.ts";
import type { JobPlan } from "../../shared/job-plan.ts";
import { redactText } from "../../shared/redact.ts";
import type { Arg, Reference } from "../../shared/words.ts";
import type { Work } from "../../shared/work.ts";
import { type Estimator, unplanned } from "./estimates.ts";
import type { Farm } from "./farm.ts";
import { lacksOf } from "./lacks.ts";
import { lookingUp, Unknown } from "./look-up.ts";
import { readSubmission } from "./submit.ts";

type Planned = JobPlan["elements"][number];
type Known = {
  readonly planned: Planned;
  readonly assets: readonly Asset[] | undefined;
  /** What its tasks take; absent: it will have none. */
  readonly efforts?: readonly Effort[];
};

/** Tasks of one element that are included in the answer. */
const mostTasks = 200;

/**
 * What a submission would do: parsed, validated and planned as far as kept facts allow. Nothing is stored and nothing
 * runs.
 */
export const dryRun = async (
  farm: Farm,
  received: Record<string, unknown>,
  { ofJob }: Pick<Estimator, "ofJob">,
): Promise<JobPlan> => {
  const { spec } = await readSubmission(farm, received);
  const known = await lookingUp(farm.store.load.facts, (factsOf) => planAll(farm, spec, factsOf));
  const elements = known.map(({ planned }) => planned);
  const isRefused = elements.some(({ plan }) => plan === "refused");
  const efforts = known.flatMap((each) => each.efforts ?? []);
  const finish = isRefused ? null : await ofJob(efforts, spec.startAfter);
  return { dry_run: true, warnings: [...spec.warnings, ...(await lacksOf(farm, spec))], elements, finish };
};

type FactsOf = PlanContext<unknown>["factsOf"];

const planAll = (farm: Farm, spec: JobSpec, factsOf: FactsOf): Known[] => {
  const known = new Map<string, Known>();
  for (const element of inOrder(spec.elements, spec.connections)) {
    known.set(element.uid, planOne(farm, element, spec, known, factsOf));
  }
  return spec.elements.flatMap(({ uid }) => known.get(uid) ?? []);
};

/** Each element after its predecessors; parsing has checked that there are no cycles. */
const inOrder = (elements: readonly ElementSpec[], connections: readonly GraphConnection[]): ElementSpec[] => {
  const waits = new Map(elements.map(({ uid }) => [uid, new Set<string>()]));
  for (const { from, success, error } of connections)
    for (const to of [...success, ...error]) for (const each of from) waits.get(to)?.add(each);
  const ordered: ElementSpec[] = [];
  const done = new Set<string>();
  for (;;) {
    const next = elements.filter(
      ({ uid }) => !done.has(uid) && [...(waits.get(uid) ?? [])].every((each) => done.has(each)),
    );
    if (next.length === 0) return ordered;
    for (const element of next) done.add(element.uid);
    ordered.push(...next);
  }
};

const planOne = (
  farm: Farm,
  element: ElementSpec,
  job: { readonly name: string; readonly connections: readonly GraphConnection[] },
  known: ReadonlyMap<string, Known>,
  factsOf: FactsOf,
): Known => {
  const kind = elementOf(element.kind);
  const { uid } = element;
  const said = {
    uid,
    kind: element.kind,
    title: kind?.title ?? element.kind,
    tasks: [],
    needs: [],
    cause: null,
    message: null,
  };
  const feeders = job.connections.filter(({ success }) => success.includes(uid)).flatMap(({ from }) => from);
  if (feeders.length === 0 && job.connections.some(({ error }) => error.includes(uid)))
    return { planned: { ...said, plan: "on_error" }, assets: undefined };
  const assets = feeders.map((feeder) => known.get(feeder)?.assets);
  if (assets.some((each) => each === undefined))
    return { planned: { ...said, plan: "later" }, assets: undefined, efforts: [unplanned(element.kind)] };
  const inputs = assets.flatMap((each) => each ?? []);
  try {
    if (!kind) throw new TaskError("capability", `elements of kind "${element.kind}" are not implemented`);
    return planKind(farm, kind, contextOf(element, kind, job.name, inputs, factsOf), said);
  } catch (problem) {
    if (problem instanceof Unknown) throw problem;
    const failure: Failure =
      problem instanceof TaskError ? problem.failure : { cause: "definition", message: messageOf(problem) };
    const refused = { ...said, plan: "refused", cause: failure.cause, message: redactText(failure.message) } as const;
    return { planned: refused, assets: undefined };
  }
};

const contextOf = (
  { uid, payload, split }: ElementSpec,
  kind: AnyElement,
  name: string,
  inputs: readonly Asset[],
  factsOf: FactsOf,
): PlanContext<unknown> => ({
  uid,
  payload: kind.payload.parse(payload),
  job: { id: 0, name },
  inputs,
  factsOf,
  split,
});

const planKind = (farm: Farm, kind: AnyElement, context: PlanContext<unknown>, said: Omit<Planned, "plan">): Known => {
  const plan = kind.plan(context);
  if ("need" in plan) {
    const needs = plan.need.map(({ uri }) => redactText(uri));
    return { planned: { ...said, plan: "facts", needs }, assets: undefined, efforts: [unplanned(said.kind)] };
  }
  const works = plan.tasks.slice(0, mostTasks).map((task) => ({ task, work: kind.compile(task, context) }));
  const tasks = works.map(({ task: { name, requires }, work }) => ({
    name,
    requires: [...requires],
    nodes: nodesWith(farm, requires),
    commands: commandsOf(work),
    outputs: Object.values(work.outputs).map(({ folder, name: file }) => redactText(`${folder}/${file}`)),
  }));
  // Outputs of tasks are known only after they ran; existing files are passed on at once.
  return {
    planned: { ...said, plan: "planned", tasks },
    efforts: works.map(({ work }) => effortOf(said.kind, work)),
    assets: plan.tasks.length === 0 ? ("assets" in plan ? (plan.assets ?? []) : []) : undefined,
  };
};

/** As finished tasks are measured. */
const effortOf = (kind: string, { steps, outputs }: Work): Effort => {
  const made = Object.values(outputs).flatMap(({ expect }) => expect?.video ?? []);
  const codecs = made.map(({ codec }) => codec).sort();
  const seconds = steps.flatMap((step) => ("duration" in step && step.duration ? [step.duration] : []));
  return {
    kind,
    purpose: "work",
    codec: codecs.at(-1) ?? null,
    seconds: seconds.length > 0 ? Math.max(...seconds) : null,
    pixels: made.length > 0 ? made.reduce((sum, { width = 0, height = 0 }) => sum + width * height, 0) : null,
  };
};

const nodesWith = (farm: Farm, requires: readonly string[]): number =>
  farm.registry.rows().filter(({ profile }) => requires.every((each) => profile.tools.capabilities.includes(each)))
    .length;

const commandsOf = ({ steps }: Work): string[] =>
  steps.map((step) => redactText(step.do === "ffmpeg" ? ["ffmpeg", ...step.argv.map(wordOf)].join(" ") : step.do));

const wordOf = (word: Arg): string => {
  if (typeof word === "string") return /^[\w@%+=:,./-]+$/.test(word) ? word : JSON.stringify(word);
  if (!("parts" in word)) return nameOf(word);
  return word.parts.map((each) => (typeof each === "string" ? each : nameOf(each.of))).join("");
};

const nameOf = (reference: Reference): string => `{${Object.values(reference).map(String).join(":")}}`;
