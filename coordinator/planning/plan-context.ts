import type { AnyElement, ElementResults, FoundFacts, PlanContext } from "../../media/elements/element.ts";
import { elementOf } from "../../media/elements/index.ts";
import { ancestorsOf } from "../../media/instances/feeders.ts";
import type { Instance } from "../../media/instances/graph-state.ts";
import { instanceName } from "../../media/instances/path.ts";
import { lazy } from "../../shared/basics/get-or-insert.ts";
import { answers } from "../../shared/work/frame-listing.ts";
import { type JobValue, tasksOf } from "../kernel/job-value.ts";
import type { Transaction } from "../kernel/transaction.ts";
import type { Secrets } from "../secrets/secrets.ts";
import type { ElementRunRow } from "../store/rows.ts";
import { assetsSeenFrom, collectInputs, findFeedings } from "./inputs.ts";
import { buildPayload, runModifications } from "./scripts.ts";

/** The data that a kind may use to plan an instance. Data that few kinds need is collected on first use. */
export const buildPlanContext = (
  farm: Pick<Secrets, "config" | "vault">,
  draft: Transaction,
  job: JobValue,
  run: ElementRunRow,
  element: AnyElement,
): PlanContext<unknown> => {
  const feedings = findFeedings(draft, job, run);
  const led = lazy(() => behind(draft, job, run));
  return {
    uid: instanceName(run.uid, run.path),
    payload: buildPayload(farm, run, element, () => led().analyses),
    job: {
      id: job.id,
      name: job.row?.name ?? "",
      userTag: job.row?.user_tag ?? null,
      ownerEmail: farm.config.ownerEmail,
    },
    inputs: collectInputs(farm, draft, job, run),
    get source() {
      return led().source;
    },
    get analyses() {
      return led().analyses;
    },
    assetsOf: (uid) => assetsSeenFrom(draft, job, run, uid),
    modifications: runModifications(farm, draft, job, run),
    split: run.spec.split,
    failures: feedings.flatMap(({ uid, path, kind, state, failure, spec: { name } }) =>
      state === "failed" ? [{ uid: instanceName(uid, path), kind, name, failure }] : [],
    ),
    ...foundFor(job, run),
  };
};

/** What the instance's own tasks have found so far: facts, and the results of stages. */
const foundFor = (job: JobValue, run: Instance) => {
  const gathered = tasksOf(job, run).filter(({ purpose }) => purpose !== "work");
  const found = gathered.flatMap(({ published }) => Object.values(published?.found ?? {}));
  return {
    stageResults: (uid) => gathered.findLast((each) => each.uid === uid)?.published?.results,
    stageOutputs: (uid) => gathered.findLast((each) => each.uid === uid)?.published?.outputs,
    factsOf: (uri): FoundFacts | undefined => {
      const file = found.findLast((each) => each.file.uri === uri && each.file.facts)?.file;
      if (file?.facts === undefined || file.size === undefined || file.modified === undefined) return undefined;
      const { size, modified, facts, images } = file;
      return { size, modified, facts, ...(images && { images }) };
    },
    manifestOf: (uri) => found.findLast((each) => each.file.uri === uri && each.manifest)?.manifest,
    framesOf: (uri, question) =>
      found.find((each) => each.file.uri === uri && each.frames && answers(each.frames, question))?.frames,
  } satisfies Partial<PlanContext<unknown>>;
};

/**
 * Assets and results of the elements before this one, the nearest first: the job's source or the files of the batch,
 * and analyses. What a gathering takes from inner batches is only in its inputs.
 */
const behind = (draft: Transaction, job: JobValue, instance: Instance) => {
  const leading = ancestorsOf(job.graph, instance).flatMap((each) => draft.run(job.id, each) ?? []);
  const first = leading.find(({ kind }) => beginsWithFiles(elementOf(kind)));
  const source = first && assetsSeenFrom(draft, job, instance, first.uid);
  const analyses = leading.flatMap((run): ElementResults[] => {
    const own = tasksOf(job, run).filter(({ purpose }) => purpose === "work");
    const results = Object.assign({}, ...own.map(({ published }) => published?.results ?? {}));
    return Object.keys(results).length > 0 ? [{ uid: run.uid, kind: run.kind, results }] : [];
  });
  return { source, analyses };
};

const beginsWithFiles = (element: AnyElement | undefined): boolean =>
  element?.isSource === true || element?.batches !== undefined;
