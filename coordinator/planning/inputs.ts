import type { Asset } from "../../shared/asset.ts";
import { type Feeder, feedersOf, seenFrom } from "../../shared/instances/feeders.ts";
import type { Instance } from "../../shared/instances/graph.ts";
import { comparePaths, instanceName, isPathBelow, pathInto } from "../../shared/instances/path.ts";
import { ofGroups } from "../../shared/processing-groups.ts";
import type { Draft } from "../memory/draft.ts";
import type { JobValue } from "../memory/job-value.ts";
import type { ElementRunRow, RunBatches } from "../store/rows.ts";
import type { Farm } from "./farm.ts";
import { filesOf } from "./listings.ts";
import { openPayload } from "./sealed.ts";

/** A run whose assets flow into another one; for an enumeration, only the assets of one batch. */
export type Feeding = Pick<ElementRunRow, "uid" | "path" | "kind" | "spec" | "state" | "failure" | "assets">;

/** All that flows into an instance, in the order of its connections. */
export const feedingsOf = (draft: Draft, job: JobValue, instance: Instance): Feeding[] =>
  feedersOf(job.graph, instance).flatMap((feeder) => feedingOf(draft, job, feeder));

/** The assets of another element of the job so far, as the instance sees them. */
export const assetsSeenFrom = (
  draft: Draft,
  job: JobValue,
  instance: Instance,
  uid: string,
): readonly Asset[] | undefined => {
  const feeder = seenFrom(job.graph, instance, uid);
  return feeder && feedingOf(draft, job, feeder).flatMap(({ assets }) => assets);
};

/** The inputs of an instance: the assets of its processing groups. */
const inputsOf = (
  farm: Farm,
  { uid, spec: { groups = [] } }: Pick<ElementRunRow, "uid" | "spec">,
  feedings: readonly Feeding[],
): Asset[] =>
  ofGroups(
    // Payloads are decrypted only if they are read.
    feedings.map(({ spec, assets }) => ({
      payload: groups.length > 0 ? openPayload(farm.vault, spec.payload) : {},
      assets,
    })),
    groups,
    uid,
  );

/**
 * What an instance works with. An error branch that nothing else flows into gets what came into the failed elements:
 * a copy sets aside what a check rejected.
 */
export const arrivalsOf = (farm: Farm, draft: Draft, job: JobValue, run: ElementRunRow): Asset[] => {
  const feedings = feedingsOf(draft, job, run);
  const inputs = inputsOf(farm, run, feedings);
  if (inputs.length > 0) return inputs;
  return feedings
    .filter(({ state }) => state === "failed")
    .flatMap((failed) => draft.run(job.id, failed) ?? [])
    .flatMap((failed) => arrivalsOf(farm, draft, job, failed));
};

const feedingOf = (draft: Draft, job: JobValue, feeder: Feeder): Feeding[] => {
  if (feeder.from === "runs") {
    const runs = draft.runsOf(job.id, feeder.uid).filter(({ path }) => isPathBelow(path, feeder.below));
    return runs.sort((a, b) => comparePaths(a.path, b.path)).map((run) => withFiles(draft, run));
  }
  const run = draft.run(job.id, feeder);
  if (!run) return [];
  if (feeder.from === "run") return [withFiles(draft, run)];
  const { batches } = run;
  return batches ? [{ ...run, assets: batchOf(draft, run, batches, feeder.number) }] : [];
};

/** An enumeration that does not enclose the instance stands for all of its batches. */
const withFiles = (draft: Draft, run: ElementRunRow): Feeding => {
  const { batches } = run;
  if (!batches) return run;
  const numbers = [...Array(Math.ceil(batches.files / batches.size)).keys()];
  return { ...run, assets: numbers.flatMap((number) => batchOf(draft, run, batches, number)) };
};

/** Each file of a batch is an asset of its own. */
const batchOf = (draft: Draft, { uid, path }: Instance, batches: RunBatches, number: number): Asset[] => {
  const { task, files, size } = batches;
  const name = instanceName(uid, pathInto(path, number));
  const [from, to] = [number * size, Math.min(files, (number + 1) * size)];
  return filesOf(draft, task, from, to).map(({ uri, size: bytes, modified }, index) => ({
    version: size === 1 ? name : `${name}_${index}`,
    files: [{ uri, size: bytes, ...(modified > 0 && { modified }) }],
  }));
};
