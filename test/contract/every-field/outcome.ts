import { findMissingCapabilities } from "../../../coordinator/jobs/missing-capabilities.ts";
import { assetsOfGroups } from "../../../coordinator/planning/processing-groups.ts";
import { accessIn } from "../../../coordinator/secrets/job-credentials.ts";
import type {
  AnyElement,
  ElementResults,
  FactRequest,
  FoundFacts,
  Plan,
  PlanContext,
} from "../../../media/elements/element.ts";
import { elementOf } from "../../../media/elements/index.ts";
import { parseJob } from "../../../media/jobs/parse-job.ts";
import { AppError } from "../../../shared/basics/errors.ts";
import type { Asset } from "../../../shared/model/asset.ts";
import { resolveDefinitions } from "../../../shared/model/definitions.ts";
import { TaskError } from "../../../shared/model/failure.ts";
import type { JobSpec } from "../../../shared/model/job.ts";
import { applyPresets, preset } from "../../../shared/model/preset.ts";
import type { StepResults } from "../../../shared/model/step-result.ts";

/** The world of an element: what comes to it, what nodes find out about files, and who stands behind it. */
export type World = {
  readonly inputs: readonly Asset[];
  readonly facts: (request: FactRequest) => Partial<Pick<PlanContext<unknown>, "manifestOf" | "framesOf">> & {
    readonly found?: FoundFacts;
  };
  readonly analyses?: readonly ElementResults[];
  readonly stageResult?: StepResults;
  /** Elements behind it whose work tells what it passes on. */
  readonly behind?: readonly { readonly kind: string; readonly payload: object; readonly beside?: readonly Asset[] }[];
};

/** What a farm makes of one element: its refusal, its warnings, and everything that is done as text. */
export type Outcome = {
  readonly refusal?: { readonly cause: string; readonly message: string };
  readonly warnings: readonly string[];
  readonly done: string;
};

const uid = "e";

/** Elements that it may name. */
const neighbours = ["f", "g"].map((each) => {
  return { uid: each, kind: "source", payload: { kind: "asset_url", payload: { url: `file:///in/${each}.mov` } } };
});

export const outcomeOf = async (kind: string, payload: object, world: World): Promise<Outcome> => {
  const warnings: string[] = [];
  try {
    const spec = parseJob({ name: "a job", payload: { elements: [{ uid, kind, payload }, ...neighbours] } });
    warnings.push(...spec.warnings);
    const [written] = spec.elements;
    const made = performed(kind, written?.payload ?? {}, world, warnings);
    const beside = [
      accessIn({ ...written?.payload }),
      await findMissingCapabilities(poorFarm, { ...spec, elements: spec.elements.slice(0, 1) }),
      groupsOf(spec.elements),
    ];
    return { warnings, done: text([made, beside]) };
  } catch (problem) {
    if (problem instanceof TaskError) {
      return { refusal: { cause: problem.failure.cause, message: problem.message }, warnings, done: "" };
    }
    if (problem instanceof AppError) {
      return { refusal: { cause: "invalid", message: problem.message }, warnings, done: "" };
    }
    return { refusal: { cause: "crash", message: String((problem as Error).stack) }, warnings, done: "" };
  }
};

/** What a farm reads of a job beside its elements' payloads. */
export const outcomeOfJob = (job: Record<string, unknown>): Outcome => {
  try {
    const { warnings, ...spec } = parseJob(applyPresets(resolveDefinitions(job), presetOf));
    return { warnings, done: text(spec) };
  } catch (problem) {
    if (problem instanceof AppError)
      return { refusal: { cause: "invalid", message: problem.message }, warnings: [], done: "" };
    throw problem;
  }
};

/** Two presets for elements. */
const presetOf = (key: string) =>
  ["one", "two"].includes(key)
    ? preset.parse({ key, payload: { targets: [{ file_pattern: `${key}.mp4` }] } })
    : undefined;

/** A farm of one node that can do nothing, so that it is told what a job needs. */
const poorFarm = {
  registry: { candidates: () => [], rows: () => [{ profile: { tools: { capabilities: [] }, mounts: [] } }] },
  store: { records: { get: async () => undefined } },
} as unknown as Parameters<typeof findMissingCapabilities>[0]; // all that it looks at

/** What an element gets that asks for the targets of group x. */
const groupsOf = ([element]: JobSpec["elements"]): unknown => {
  const feeders = [{ payload: element?.payload ?? {}, assets: [{ version: "target_0", files: [] }] }];
  try {
    return assetsOfGroups(feeders, ["x"], "next");
  } catch (problem) {
    return String(problem);
  }
};

/** Sets, maps and numbers that JSON does not know count as well. */
const text = (value: unknown): string =>
  JSON.stringify(value, (_key, each) => (each instanceof Map || each instanceof Set ? [...each] : each));

const maxRounds = 12;

const performed = (kind: string, payload: object, world: World, warnings: string[]): unknown => {
  const element = elementOf(kind);
  if (!element) throw new Error(`there is no kind ${kind}`);
  const done: unknown[] = [];
  const known = createKnown(world);
  const context: PlanContext<unknown> = {
    ...{ uid, payload: element.payload.parse(payload), job: { id: 7, name: "a job", userTag: "tag" } },
    ...{ inputs: world.inputs, source: world.inputs, analyses: world.analyses ?? [] },
    ...known.context,
    assetsOf: (other) => [{ version: other, files: [{ uri: `file:///in/${other}.mov` }] }],
  };
  for (let round = 0; round < maxRounds; round += 1) {
    const plan = element.plan(context);
    if ("need" in plan) {
      done.push(plan.need);
      known.find(plan.need);
      continue;
    }
    if ("stage" in plan) {
      done.push(plan.stage, tasksOf(element, plan.tasks, context, warnings));
      for (const { uid: task } of plan.tasks) known.ended(task);
      continue;
    }
    warnings.push(...(plan.warnings ?? []));
    done.push(tasksOf(element, plan.tasks, context, warnings));
    done.push(
      element.batches?.(context.payload, {}),
      element.modifies?.(context.payload),
      passing(element, context.payload),
    );
    const inputs = plan.assets ?? world.inputs;
    const { behind = [], ...rest } = world;
    for (const next of behind)
      done.push(
        performedOrNot(next.kind, next.payload, { ...rest, inputs: [...inputs, ...(next.beside ?? [])] }, warnings),
      );
    return done;
  }
  throw new Error(`${kind} asks for more and more`);
};

const performedOrNot = (...of: Parameters<typeof performed>): unknown => {
  try {
    return performed(...of);
  } catch (problem) {
    if (problem instanceof TaskError) return problem.message;
    throw problem;
  }
};

const passing = ({ passesInputs }: AnyElement, payload: unknown) =>
  typeof passesInputs === "function" ? passesInputs(payload) : passesInputs;

type Tasks = Extract<Plan<unknown>, { tasks: unknown }>["tasks"];

const tasksOf = (element: AnyElement, tasks: Tasks, context: PlanContext<unknown>, warnings: string[]): unknown[] =>
  tasks.map((task) => {
    const { notes = [], ...work } = element.compile(task, context);
    warnings.push(...notes);
    const { uid: id, name, requires, weight, demand } = task;
    return { id, name, requires, weight, demand, work };
  });

/** What nodes found out so far. */
const createKnown = ({ facts, stageResult = {} }: World) => {
  const found = new Map<string, ReturnType<World["facts"]>>();
  const ended = new Set<string>();
  const context: Pick<PlanContext<unknown>, "factsOf" | "manifestOf" | "framesOf" | "stageResults" | "stageOutputs"> = {
    factsOf: (uri) => found.get(`probe ${uri}`)?.found,
    manifestOf: (uri) => found.get(`manifest ${uri}`)?.manifestOf?.(uri),
    framesOf: (uri, question) => found.get(`frames ${uri}`)?.framesOf?.(uri, question),
    stageResults: (task) => (ended.has(task) ? stageResult : undefined),
    stageOutputs: (task) => (ended.has(task) ? {} : undefined),
  };
  return {
    context,
    find: (requests: readonly FactRequest[]) => {
      for (const request of requests) found.set(`${request.fact} ${request.uri}`, facts(request));
    },
    ended: (task: string) => void ended.add(task),
  };
};
