import { elementOf } from "../../media/elements/index.ts";
import type { JobPlan } from "../../shared/api/job-plan.ts";
import { redactText } from "../../shared/credentials/redact.ts";
import { isRemote } from "../../shared/files/storage.ts";
import type { ElementSpec, JobSpec } from "../../shared/model/job.ts";
import type { Within } from "../../shared/rights/narrowing.ts";
import { nobodys, type Owned, type Reach, reaches } from "../../shared/rights/reach.ts";
import type { Arg, Reference } from "../../shared/work/arguments.ts";
import type { Step, Work } from "../../shared/work/work.ts";
import { keepFacts } from "../attempts/probed-facts.ts";
import { goOn } from "../jobs/advance.ts";
import { startsAtOnce } from "../jobs/begin.ts";
import type { Jobs } from "../jobs/jobs.ts";
import { findMissingCapabilities } from "../jobs/missing-capabilities.ts";
import { type ReadJob, readSubmission, storeJob } from "../jobs/submit.ts";
import { type JobValue, tasksOf } from "../kernel/job-value.ts";
import type { Transaction } from "../kernel/transaction.ts";
import { provides } from "../schedule/fit.ts";
import type { NodeFacts } from "../schedule/node-facts.ts";
import { type TaskRow, unknownSender } from "../store/rows.ts";
import type { Estimator } from "./estimates.ts";
import type { Effort } from "./eta.ts";
import { unplanned } from "./queue.ts";

/**
 * What a submission would do: validated, and planned as far as kept facts allow, in a decision that is thrown away.
 * Nothing is stored and nothing runs.
 */
export const dryRun = async (
  farm: Jobs,
  received: Record<string, unknown>,
  { ofJob }: Pick<Estimator, "ofJob">,
  as: {
    readonly reach: Reach;
    readonly sender: Owned;
    readonly bytes?: number | undefined;
    readonly within?: Within | undefined;
  },
): Promise<JobPlan> => {
  const job = await readSubmission(farm, received, as);
  const { warnings, elements, efforts } = await tryOut(farm, (draft) => planJob(farm, draft, job, as.reach));
  const isRefused = elements.some(({ plan }) => plan === "refused");
  const finish = isRefused ? null : await ofJob(efforts, job.spec.startAfter);
  const missing = await findMissingCapabilities(farm, job.spec);
  return { dry_run: true, warnings: [...warnings, ...missing], elements, finish };
};

/** What a decision would come to. It throws at its end, which undoes all that it changed. */
const tryOut = async <T>(farm: Pick<Jobs, "change">, decide: (draft: Transaction) => T): Promise<T> => {
  const made: T[] = [];
  const undo = new Error("this decision is only tried out");
  const ended = farm.change([], (draft) => {
    made[0] = decide(draft);
    throw undo;
  });
  await ended.catch((problem: unknown) => {
    if (problem !== undo) throw problem;
  });
  return made[0] as T; // it was made, or another problem was thrown
};

const planJob = (farm: Jobs, draft: Transaction, job: ReadJob, reach: Reach) => {
  const value = draft.job(storeJob(farm, draft, job, unknownSender));
  const isWhole = planAll(farm, draft, value, reach);
  const nodes = farm.registry.candidates().map(({ offer }) => offer.node);
  const surroundings = { nodes, reach, ...endsOf(job.spec.connections) };
  const planned = job.spec.elements.map((element) => planOf(draft, value, element, surroundings));
  return {
    warnings: isWhole
      ? value.warnings
      : [...value.warnings, `A dry run plans ${mostSteps * startsAtOnce} elements at most`],
    elements: planned.map(({ element }) => element),
    efforts: planned.flatMap(({ efforts }) => efforts),
  };
};

/** A decision is not interrupted: it plans so many times as many elements as one turn of a job that runs. */
const mostSteps = 10;

/** False if there is more than a dry run plans. */
const planAll = (farm: Jobs, draft: Transaction, job: JobValue, reach: Reach): boolean => {
  let steps = 0;
  do while (!goOn(farm, draft, job)) if (++steps === mostSteps) return false;
  while (completeProbes(farm, draft, job, reach));
  return true;
};

/** Which elements follow on some success, and on some failure. */
const endsOf = (connections: JobSpec["connections"]) => ({
  afterSuccess: new Set(connections.flatMap(({ success }) => success)),
  afterError: new Set(connections.flatMap(({ error }) => error)),
});

/** Completes probes of files with kept facts, as a node that finds the files unchanged does. False if there are none. */
const completeProbes = (
  farm: Pick<Jobs, "clock" | "registry">,
  draft: Transaction,
  job: JobValue,
  reach: Reach,
): boolean => {
  const known = [...job.tasks.values()].filter(
    (task) => isProbe(draft, task) && task.state === "ready" && unknownFiles(draft, task, reach).length === 0,
  );
  for (const task of known) {
    const { steps, assets } = workOf(draft, task);
    const found = steps.flatMap((step) => {
      if (step.do !== "probe" || !step.known) return [];
      const { tool, size, modified } = step.known;
      return [[step.id, { unchanged: true, tool, file: { uri: assets[step.asset]?.uri ?? "", size, modified } }]];
    });
    const published = keepFacts(
      farm,
      draft,
      { outputs: {}, found: Object.fromEntries(found) },
      { ...nobodys, found_by: null },
    );
    draft.moveTask(draft.moveTask(task, "assign") ?? task, "complete", { published });
  }
  return known.length > 0;
};

const workOf = (draft: Transaction, { id }: TaskRow): Work =>
  draft.works([id]).get(id) ?? { assets: {}, outputs: {}, steps: [] };

/** Light tasks of a stage find out more than facts. */
const isProbe = (draft: Transaction, task: TaskRow): boolean =>
  task.purpose === "facts" && workOf(draft, task).steps.every(({ do: does }) => factSteps.has(does));

const factSteps: ReadonlySet<string> = new Set(["probe", "manifest", "frames"] satisfies Step["do"][]);

/**
 * Files that are looked at first. Of those on servers, only what was found for jobs that the caller reaches is known:
 * others may have opened them with keys that the caller lacks.
 */
const unknownFiles = (draft: Transaction, task: TaskRow, reach: Reach): string[] => {
  const { steps, assets } = workOf(draft, task);
  const mayTell = (uri: string): boolean => !isRemote(uri) || reaches(reach, draft.facts(uri));
  return steps.flatMap((step) => {
    const uri = "asset" in step ? assets[step.asset]?.uri : undefined;
    return uri === undefined || ("known" in step && step.known && mayTell(uri)) ? [] : [uri];
  });
};

type Surroundings = ReturnType<typeof endsOf> & {
  readonly nodes: readonly NodeFacts[];
  readonly reach: Reach;
};
type Planned = { readonly element: JobPlan["elements"][number]; readonly efforts: readonly Effort[] };

const planOf = (
  draft: Transaction,
  job: JobValue,
  { uid, kind }: ElementSpec,
  { afterSuccess, afterError, nodes, reach }: Surroundings,
): Planned => {
  const title = elementOf(kind)?.title ?? kind;
  const said = { uid, kind, title, tasks: [], needs: [], cause: null, message: null };
  if (afterError.has(uid) && !afterSuccess.has(uid)) return { element: { ...said, plan: "on_error" }, efforts: [] };
  const run = draft.run(job.id, { uid, path: "" });
  if (run?.failure) {
    const { cause, message } = run.failure;
    return { element: { ...said, plan: "refused", cause, message: redactText(message) }, efforts: [] };
  }
  if (!run || run.state === "waiting" || run.state === "skipped")
    return { element: { ...said, plan: "later" }, efforts: [unplanned(kind)] };
  const own = tasksOf(job, run);
  const needs = own
    .filter(({ state }) => state === "ready")
    .flatMap((task) => (isProbe(draft, task) ? unknownFiles(draft, task, reach) : []));
  if (needs.length > 0)
    return { element: { ...said, plan: "facts", needs: needs.map(redactText) }, efforts: [unplanned(kind)] };
  const tasks = own.filter((task) => !isProbe(draft, task)).slice(0, mostTasks);
  return {
    element: { ...said, plan: "planned", tasks: tasks.map((task) => describeTask(task, workOf(draft, task), nodes)) },
    efforts: tasks.map((task) => effortOf(kind, workOf(draft, task))),
  };
};

/** Tasks of one element that are included in the answer. */
const mostTasks = 200;

const describeTask = ({ name, requires }: TaskRow, { steps, outputs }: Work, nodes: readonly NodeFacts[]) => ({
  name,
  requires: [...requires],
  nodes: nodes.filter((node) => requires.every((need) => provides(node, need))).length,
  commands: steps.map(commandOf),
  outputs: Object.values(outputs).map(({ folder, name: file }) => redactText(`${folder}/${file}`)),
});

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

const commandOf = (step: Step): string =>
  redactText(step.do === "ffmpeg" ? ["ffmpeg", ...step.argv.map(wordOf)].join(" ") : step.do);

const wordOf = (word: Arg): string => {
  if (typeof word === "string") return /^[\w@%+=:,./-]+$/.test(word) ? word : JSON.stringify(word);
  if (!("parts" in word)) return nameOf(word);
  return word.parts.map((each) => (typeof each === "string" ? each : nameOf(each.of))).join("");
};

const nameOf = (reference: Reference): string => `{${Object.values(reference).map(String).join(":")}}`;
