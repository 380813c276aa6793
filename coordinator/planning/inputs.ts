import { type Feeder, feedersOf, seenFrom } from "../../media/instances/feeders.ts";
import type { Instance } from "../../media/instances/graph-state.ts";
import { comparePaths, instanceName, isPathBelow, pathInto } from "../../media/instances/path.ts";
import type { ListedFile } from "../../shared/files/file-selection.ts";
import type { Asset } from "../../shared/model/asset.ts";
import type { JobValue } from "../kernel/job-value.ts";
import type { Transaction } from "../kernel/transaction.ts";
import { openPayload } from "../secrets/sealing.ts";
import type { Secrets } from "../secrets/secrets.ts";
import type { ElementRunRow, RunBatches } from "../store/rows.ts";
import { listedFiles } from "./listings.ts";
import { assetsOfGroups } from "./processing-groups.ts";

type Parts = Pick<Secrets, "vault">;

/** A run whose assets flow into another one; for an enumeration, only the assets of one batch. */
export type Feeding = Pick<ElementRunRow, "uid" | "path" | "kind" | "spec" | "state" | "failure" | "assets">;

/** All that flows into an instance, in the order of its connections. */
export const findFeedings = (draft: Transaction, job: JobValue, instance: Instance): Feeding[] =>
  feedingsOf(draft, job, feedersOf(job.graph, instance));

const feedingsOf = (draft: Transaction, job: JobValue, feeders: readonly Feeder[]): Feeding[] => {
  draft.expect({ gathered: feeders.flatMap(({ from, uid }) => (from === "runs" ? [{ job: job.id, uid }] : [])) });
  return feeders.flatMap((feeder) => feedingOf(draft, job, feeder));
};

/** The assets of another element of the job so far, as the instance sees them. */
export const assetsSeenFrom = (
  draft: Transaction,
  job: JobValue,
  instance: Instance,
  uid: string,
): readonly Asset[] | undefined => {
  const feeder = seenFrom(job.graph, instance, uid);
  return feeder && feedingOf(draft, job, feeder).flatMap(({ assets }) => assets);
};

/** The inputs of an instance: the assets of its processing groups. */
const inputsOf = (
  farm: Parts,
  { uid, spec: { groups = [] } }: Pick<ElementRunRow, "uid" | "spec">,
  feedings: readonly Feeding[],
): Asset[] =>
  assetsOfGroups(
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
export const collectInputs = (farm: Parts, draft: Transaction, job: JobValue, run: ElementRunRow): Asset[] => {
  const feedings = findFeedings(draft, job, run);
  const inputs = inputsOf(farm, run, feedings);
  if (inputs.length > 0) return inputs;
  return feedings
    .filter(({ state }) => state === "failed")
    .flatMap((failed) => draft.run(job.id, failed) ?? [])
    .flatMap((failed) => collectInputs(farm, draft, job, failed));
};

const feedingOf = (draft: Transaction, job: JobValue, feeder: Feeder): Feeding[] => {
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
const withFiles = (draft: Transaction, run: ElementRunRow): Feeding => {
  const { batches } = run;
  if (!batches) return run;
  const { task, files, size } = batches;
  const all = listedFiles(draft, task, 0, files);
  const numbers = [...Array(Math.ceil(files / size)).keys()];
  return {
    ...run,
    assets: numbers.flatMap((nr) => batchAssets(run, nr, size, all.slice(nr * size, (nr + 1) * size))),
  };
};

const batchOf = (draft: Transaction, instance: Instance, { task, files, size }: RunBatches, number: number): Asset[] =>
  batchAssets(instance, number, size, listedFiles(draft, task, number * size, Math.min(files, (number + 1) * size)));

/** Each file of a batch is an asset of its own. */
const batchAssets = ({ uid, path }: Instance, number: number, size: number, files: readonly ListedFile[]): Asset[] => {
  const name = instanceName(uid, pathInto(path, number));
  return files.map(({ uri, size: bytes, modified }, index) => ({
    version: size === 1 ? name : `${name}_${index}`,
    files: [{ uri, size: bytes, ...(modified > 0 && { modified }) }],
  }));
};
