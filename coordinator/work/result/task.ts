import { elementOf } from "../../../shared/elements/index.ts";
import { limits } from "../../../shared/job.ts";
import { redact } from "../../../shared/redact.ts";
import { taskStatus } from "../../../shared/state/task.ts";
import type { JobReport } from "../../store/job-reads.ts";
import type { ElementRunRow, TaskRow } from "../../store/rows.ts";
import type { Farm } from "../farm.ts";
import { isoOrNull, isoTime, weakerOf } from "../info.ts";
import { assetsOf } from "../plan.ts";
import { openPayload } from "../sealed.ts";
import { versionOf } from "./asset.ts";
import type { AttemptOfJob } from "./attempts.ts";
import { extendedOf } from "./history.ts";

/** One task of a result. */
export const taskResult = (
  farm: Farm,
  { works }: JobReport,
  task: TaskRow,
  run: ElementRunRow | undefined,
  attempts: readonly AttemptOfJob[],
) => {
  const isProbe = task.purpose === "facts" && !task.kind.startsWith("source");
  const title = elementOf(task.kind)?.title ?? task.kind;
  return {
    id: task.id,
    priority: task.priority,
    retry_nr: task.retry_nr,
    retry_nr_aog: task.losses,
    max_retry_count_aog: limits.losses,
    creation_time: isoTime(task.creation_time),
    hint_name: task.name,
    related_asset_id: null,
    // Clients find an element's outputs by kind and uid, so tasks that only probe its sources have other ones.
    kind: isProbe ? "Probe" : title,
    name: task.name,
    retry_count: task.retry_count,
    uid: isProbe ? `${task.uid}_probe` : task.uid,
    element_name: task.element_uid,
    status: taskStatus[task.state],
    ...(task.published?.weaker && { warnings: weakerOf(task) }),
    fetcher_id: task.node_id,
    assigned: isoOrNull(task.start_time),
    completed: isoOrNull(task.end_time),
    config: run && configOf(farm, run),
    documents: documentsOf(works, task, attempts),
  };
};

/** The element's configuration with definitions and presets filled in, but without credentials. */
const configOf = (farm: Farm, { uid, kind, spec }: ElementRunRow) => ({
  uid,
  kind,
  name: spec.name,
  payload: redact(openPayload(farm.vault, spec.payload)),
});

const documentsOf = (works: JobReport["works"], task: TaskRow, attempts: readonly AttemptOfJob[]) => {
  if (task.state !== "completed" && attempts.length === 0) return [];
  const found = Object.values(task.published?.found ?? {}).map(({ file }) => ({ version: task.uid, files: [file] }));
  const versions = task.purpose === "facts" ? found : assetsOf([task], works);
  return [
    {
      connector: "Output",
      result_payload: {
        kind: "asset_complex",
        payload: {
          kind: "multi",
          creator_uid: task.element_uid,
          asset_versions: versions.map((version) => versionOf(version, task.end_time)),
        },
        meta: { history: [] },
      },
      result_extended_payload: extendedOf(task, works.get(task.id), attempts),
    },
  ];
};
