import type { Asset } from "../../shared/asset.ts";
import { TaskError } from "../../shared/causes.ts";
import { elementOf } from "../../shared/elements/index.ts";
import { hasRoomFor, instanceLimits } from "../../shared/instances/graph.ts";
import type { Work } from "../../shared/work.ts";
import type { Draft } from "../memory/draft.ts";
import type { JobValue } from "../memory/job-value.ts";
import { countOf, type ElementRunRow, type RunBatches, type TaskRow } from "../store/rows.ts";
import type { Farm } from "./farm.ts";
import { arrivalsOf } from "./inputs.ts";
import { failPlanning } from "./plan.ts";
import { openPayload } from "./sealed.ts";

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

/** The assets that a run passes on: those that its tasks made, or its inputs if the kind only looks at them. */
const passedOn = (farm: Farm, draft: Draft, job: JobValue, run: ElementRunRow, own: readonly TaskRow[]): Asset[] => {
  const made = () => assetsOf(own, draft.works(own.map(({ id }) => id)));
  if (!passesInputs(farm, run)) return made();
  const arrived = arrivalsOf(farm, draft, job, run);
  return elementOf(run.kind)?.passesBoth ? [...arrived, ...made()] : arrived;
};

const passesInputs = (farm: Farm, { kind, spec }: ElementRunRow): boolean => {
  const element = elementOf(kind);
  const passes = element?.passesInputs ?? false;
  return typeof passes === "boolean" ? passes : passes(element?.payload.parse(openPayload(farm.vault, spec.payload)));
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
