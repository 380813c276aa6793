import { elementOf } from "../../../media/elements/index.ts";
import { instanceName } from "../../../media/instances/path.ts";
import { getOrInsert } from "../../../shared/basics/get-or-insert.ts";
import { redact } from "../../../shared/credentials/redact.ts";
import type { Asset, AssetFile } from "../../../shared/model/asset.ts";
import { type ElementSpec, limits } from "../../../shared/model/job.ts";
import { taskStatus } from "../../../shared/state/task.ts";
import type { Work } from "../../../shared/work/work.ts";
import { isoOrNull, isoTime } from "../../iso-time.ts";
import { collectAssets } from "../../jobs/succeed.ts";
import { openPayload } from "../../secrets/sealing.ts";
import type { Secrets } from "../../secrets/secrets.ts";
import type { JobReport } from "../../store/job-reads.ts";
import { doesWork, type TaskRow } from "../../store/rows.ts";
import { describeWeaknesses } from "../job-info.ts";
import { buildVersion } from "./asset.ts";
import type { AttemptOfJob } from "./attempts.ts";
import { buildHistory } from "./history.ts";

type Parts = Pick<Secrets, "vault">;

/** One task of a result. */
export const taskResult = (
  { works }: JobReport,
  task: TaskRow,
  config: object | undefined,
  attempts: readonly AttemptOfJob[],
  files: ReadonlyMap<string, AssetFile>,
) => {
  const isProbe = !doesWork(task) && !elementOf(task.kind)?.isSource;
  const title = titleOf(task, works.get(task.id));
  return {
    id: task.id,
    priority: task.priority,
    retry_nr: task.retry_nr,
    retry_nr_aog: task.losses,
    max_retry_count_aog: limits.losses,
    creation_time: isoTime(task.creation_time),
    hint_name: task.name,
    related_asset_id: null,
    // Clients find an element's outputs by kind and uid, so tasks that only probe have other ones.
    kind: isProbe ? "Probe" : title,
    name: task.name,
    retry_count: task.retry_count,
    uid: isProbe ? `${task.uid}_probe` : task.uid,
    element_name: task.element_uid,
    status: taskStatus[task.state],
    ...(task.published?.weaker && { warnings: describeWeaknesses(task) }),
    fetcher_id: task.node_id,
    assigned: isoOrNull(task.start_time),
    completed: isoOrNull(task.end_time),
    config,
    documents: documentsOf(works, task, attempts, files),
  };
};

const titleOf = ({ kind }: TaskRow, work: Work | undefined): string => {
  if (work?.steps.some((step) => step.do === "join")) return "Combine Segments";
  return elementOf(kind)?.title ?? kind;
};

/**
 * The payload of each element with definitions and presets filled in, without credentials. All instances of an element
 * share one.
 */
export const createConfigs = (farm: Parts, elements: readonly ElementSpec[]) => {
  const specs = new Map(elements.map((spec) => [spec.uid, spec]));
  const known = new Map<string, object>();
  return (uid: string): object | undefined => {
    const spec = specs.get(uid);
    return spec && getOrInsert(known, uid, () => configOf(farm, spec));
  };
};

const configOf = (farm: Parts, { uid, kind, name, payload }: ElementSpec) => ({
  uid,
  kind,
  name,
  payload: redact(openPayload(farm.vault, payload)),
});

/** All files of a job's results by their addresses, with their facts where an element found them. */
export const filesByUri = ({ tasks, works }: JobReport): ReadonlyMap<string, AssetFile> => {
  const all = tasks.flatMap((task) => madeBy(task, works).flatMap(({ files }) => files));
  return new Map(all.map((file) => [file.uri, file]));
};

const madeBy = (task: TaskRow, works: JobReport["works"]): readonly Asset[] =>
  task.purpose === "work"
    ? collectAssets([task], works)
    : Object.values(task.published?.found ?? {}).map(({ file }) => ({ version: task.uid, files: [file] }));

const documentsOf = (
  works: JobReport["works"],
  task: TaskRow,
  attempts: readonly AttemptOfJob[],
  files: ReadonlyMap<string, AssetFile>,
) => {
  if (task.state !== "completed" && attempts.length === 0) return [];
  return [
    {
      connector: "Output",
      result_payload: {
        kind: "asset_complex",
        payload: {
          kind: "multi",
          creator_uid: instanceName(task.element_uid, task.path),
          asset_versions: madeBy(task, works).map((version) => buildVersion(version, task.end_time)),
        },
        meta: { history: [] },
      },
      result_extended_payload: buildHistory(task, works.get(task.id), attempts, files),
    },
  ];
};
