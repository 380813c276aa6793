import { z } from "zod";
import type { Client } from "../../shared/api/client.ts";
import type { WatchView } from "../../shared/api/watch-view.ts";
import { type Cause, causes } from "../../shared/model/failure.ts";
import { type JobInfo, jobInfoFields } from "../../shared/model/job-info.ts";
import { type TaskInfo, taskInfoFields } from "../../shared/model/task.ts";
import { listingSummary } from "../../shared/work/listing-summary.ts";
import { makesFiles, readVersions } from "./describe.ts";

/** What an attempt cost. */
const stats = z.looseObject({
  cpu_ms: z.number().optional(),
  sys_mem_used_mb: z.looseObject({ max: z.number() }).optional(),
});
type AttemptStats = z.output<typeof stats>;
const history = z.array(z.looseObject({ stats: stats.optional() }));
type History = z.output<typeof history>;
/** What a step found; `listed` says how much a folder held. */
const found = z.looseObject({ kind: z.string(), value: z.unknown() });
const taskDocument = z.looseObject({
  result_extended_payload: z.looseObject({
    logs: z.looseObject({ history }),
    results: z.record(z.string(), found).default({}),
  }),
});

/** The parts of a result and a definition that tell how a job stands. */
const result = z.looseObject({
  job: z.looseObject({ warnings: z.array(z.string()).default([]) }),
  errors: z.array(
    z.looseObject({
      task_instance_id: z.number(),
      cause: z.string(),
      message: z.string(),
      recoverable_error: z.number(),
    }),
  ),
  tasks: z.array(
    z.looseObject({ id: z.number(), element_name: z.string(), documents: z.array(taskDocument).default([]) }),
  ),
});
const definition = z.looseObject({
  payload: z.looseObject({ elements: z.array(z.looseObject({ uid: z.string(), kind: z.string() })) }),
});

/** A task with the cost of all its attempts, if their nodes measured it. */
export type ViewedTask = TaskInfo & { readonly cpuMs: number | undefined; readonly memoryMb: number | undefined };

export type JobView = {
  readonly job: JobInfo;
  /** In the order of the definition; without tasks if it has not started. */
  readonly elements: readonly { readonly uid: string; readonly kind: string; readonly tasks: readonly ViewedTask[] }[];
  readonly outputs: readonly { readonly url: string; readonly size: number | undefined }[];
  /** What enumerations listed. */
  readonly listed: readonly { readonly element: string; readonly files: number; readonly bytes: number }[];
  /** What watched folders saw, took and wait for. */
  readonly watches: readonly WatchView[];
  readonly errors: readonly JobError[];
  readonly warnings: readonly string[];
};

export type JobError = {
  readonly task_id: string;
  readonly cause: string;
  readonly message: string;
  readonly advice: string | null;
  /** A retry fixed it. */
  readonly recovered: boolean;
};

export const readJobView = async (client: Client, id: string): Promise<JobView> => {
  const [job, { items }, resultText, definitionText] = await Promise.all([
    client.getJobInfo({ job_id: id, fields: [...jobInfoFields] }),
    client.listTasks({ job_id: id, fields: [...taskInfoFields] }),
    client.getResult({ job_id: id }),
    client.getDefinition({ job_id: id }),
  ]);
  const { job: more, errors, tasks: run } = result.parse(resultText);
  const costs = new Map(run.map((task) => [String(task.id), costOf(task)]));
  const tasks = (items as TaskInfo[]) // all fields were asked for
    .map((task) => ({ ...task, cpuMs: undefined, memoryMb: undefined, ...costs.get(task.id) }));
  const watches = items.some(({ kind }) => kind === "watchfolder")
    ? (await client.listWatches({ job_id: id })).items
    : [];
  const elementOf = new Map(run.map((task) => [String(task.id), task.element_name]));
  const defined = definition.parse(definitionText).payload.elements;
  return {
    job: job as JobInfo, // likewise
    elements: elementsOf(defined, tasks, (task) => elementOf.get(task.id) ?? task.name),
    outputs: readVersions(resultText, makesFiles).flatMap(({ asset_components: files }) =>
      files.map(({ url, name, descriptor }) => ({ url: url ?? name, size: descriptor.size })),
    ),
    listed: run.flatMap(listedBy),
    watches,
    errors: errors.map((error) => ({
      task_id: String(error.task_instance_id),
      cause: error.cause,
      message: error.message,
      advice: adviceOf(error.cause),
      recovered: error.recoverable_error === 1,
    })),
    warnings: more.warnings,
  };
};

const listedBy = ({ element_name: element, documents }: z.output<typeof result>["tasks"][number]) =>
  documents
    .flatMap((each) => Object.values(each.result_extended_payload.results))
    .flatMap(({ kind, value }) => (kind === "listed" ? [{ element, ...listingSummary.parse(value) }] : []));

const costOf = ({ documents }: z.output<typeof result>["tasks"][number]) => {
  const stats = documents
    .flatMap((each): History => each.result_extended_payload.logs.history)
    .flatMap((entry): AttemptStats[] => (entry.stats ? [entry.stats] : []));
  const cpu = stats.flatMap(({ cpu_ms }) => cpu_ms ?? []);
  const memory = stats.flatMap(({ sys_mem_used_mb }) => sys_mem_used_mb?.max ?? []);
  return {
    cpuMs: cpu.length === 0 ? undefined : cpu.reduce((sum, ms) => sum + ms, 0),
    memoryMb: memory.length === 0 ? undefined : Math.max(...memory),
  };
};

type Defined = { readonly uid: string; readonly kind: string };

/** The elements of the definition, then others that tasks name: a uid may come from a placeholder. */
const elementsOf = (defined: readonly Defined[], tasks: readonly ViewedTask[], uidOf: (task: TaskInfo) => string) => {
  const all = new Map<string, string>(defined.map(({ uid, kind }) => [uid, kind]));
  for (const task of tasks) if (!all.has(uidOf(task))) all.set(uidOf(task), task.kind);
  return [...all]
    .filter(([uid]) => !uid.includes("{{"))
    .map(([uid, kind]) => ({ uid, kind, tasks: tasks.filter((task) => uidOf(task) === uid) }));
};

const adviceOf = (cause: string): string | null =>
  Object.hasOwn(causes, cause) ? causes[cause as Cause].advice : null; // just looked up
