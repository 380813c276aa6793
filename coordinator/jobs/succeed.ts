import { elementOf } from "../../media/elements/index.ts";
import { hasRoomFor } from "../../media/instances/graph.ts";
import { instanceLimits } from "../../media/instances/graph-state.ts";
import type { Asset } from "../../shared/model/asset.ts";
import { TaskError } from "../../shared/model/failure.ts";
import type { Work } from "../../shared/work/work.ts";
import type { JobValue } from "../kernel/job-value.ts";
import type { Transaction } from "../kernel/transaction.ts";
import { collectInputs } from "../planning/inputs.ts";
import { failPlanning } from "../planning/plan.ts";
import { openPayload } from "../secrets/sealing.ts";
import type { Secrets } from "../secrets/secrets.ts";
import { countBatches, type ElementRunRow, type RunBatches, type TaskRow } from "../store/rows.ts";

/** Ends a run whose tasks are done. It passes on the assets that they made, or the batches that they found. */
export const succeedRun = (
  farm: Secrets,
  draft: Transaction,
  job: JobValue,
  run: ElementRunRow,
  own: readonly TaskRow[],
): void => {
  const found = batchesOf(farm, run, own);
  if (!found) {
    draft.moveRun(job.id, run, "succeed", { assets: passedOn(farm, draft, job, run, own) });
    return;
  }
  const count = countBatches(found);
  if (hasRoomFor(job.graph, run.uid, count)) draft.moveRun(job.id, run, "succeed", { batches: found });
  else failPlanning(farm, draft, job, run, tooMany(job, run, count));
};

/** Undefined for kinds without batches, and for simulated tasks, which find nothing. */
const batchesOf = (farm: Secrets, run: ElementRunRow, own: readonly TaskRow[]): RunBatches | undefined => {
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
const passedOn = (
  farm: Pick<Secrets, "vault">,
  draft: Transaction,
  job: JobValue,
  run: ElementRunRow,
  own: readonly TaskRow[],
): Asset[] => {
  const made = () => collectAssets(own, draft.works(own.map(({ id }) => id)));
  if (!passesInputs(farm, run)) return made();
  const arrived = collectInputs(farm, draft, job, run);
  return elementOf(run.kind)?.passesBoth ? [...arrived, ...made()] : arrived;
};

const passesInputs = (farm: Pick<Secrets, "vault">, { kind, spec }: ElementRunRow): boolean => {
  const element = elementOf(kind);
  const passes = element?.passesInputs ?? false;
  return typeof passes === "boolean" ? passes : passes(element?.payload.parse(openPayload(farm.vault, spec.payload)));
};

/** The assets that tasks made: their outputs, grouped by version. */
export const collectAssets = (tasks: readonly TaskRow[], works: ReadonlyMap<number, Work>): Asset[] => {
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
