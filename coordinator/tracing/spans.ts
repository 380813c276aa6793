import { createHash } from "node:crypto";
import { redactText } from "../../shared/credentials/redact.ts";
import { parseTraceParent, type TraceParent } from "../../shared/outbound/traces.ts";
import type { AttemptWithStats, JobReport, ReadTask } from "../store/job-reads.ts";
import type { JobRow } from "../store/rows.ts";

type Attribute = string | number | boolean;

/** A part of a trace: something that took time. */
export type Span = {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentId: string | undefined;
  readonly name: string;
  /** Unix milliseconds. */
  readonly start: number;
  readonly end: number;
  readonly attributes: Readonly<Record<string, Attribute>>;
  readonly hasFailed: boolean;
};

/** The trace of a job that has ended. */
export type JobTrace = {
  readonly parent: TraceParent | undefined;
  readonly traceId: string;
  readonly spans: readonly Span[];
};

/** Tasks and attempts of one job that are told; the others are counted. */
export const mostSpans = 2000;
const longestText = 300;

/** Of which a span is made. */
type Told = { readonly task: ReadTask } | { readonly attempt: AttemptWithStats } | "job";

/** The trace of a job that has ended, whose spans can be made some at a time. */
type TraceParts = Omit<JobTrace, "spans"> & { readonly all: readonly Told[]; readonly spanOf: (told: Told) => Span };

/**
 * Pure: an ended job from its submission, with its tasks from when they were made until their outputs were in their place, and
 * their attempts. Nothing of a payload, an address, a log or an error's words is told: they may hold secrets. Who tells the same
 * ending twice tells the same spans; a job that was retried ends again, and is told again by others.
 */
export const traceOf = (report: JobReport): JobTrace => {
  const { parent, traceId, all, spanOf } = tracePartsOf(report);
  return { parent, traceId, spans: all.map(spanOf) };
};

/** The same in parts: thousands of spans take longer than the loop has time for at once. */
export const tracePartsOf = ({ row, tasks, attempts }: JobReport): TraceParts => {
  const parent = parseTraceParent(row.traceparent);
  const ending = `${row.id} ${row.creation_time} ${row.end_time}`;
  const traceId = parent?.traceId ?? idOf(`trace ${ending}`, 16);
  const idIn = (what: string): string => idOf(`${what} of ${traceId} ${ending}`, 8);
  const end = row.end_time ?? row.creation_time;
  const root = idIn("job");
  const toldTasks = tasks.slice(0, mostSpans);
  const byId = new Map(toldTasks.map((task) => [task.id, task]));
  const toldAttempts = attempts.filter(({ task_id }) => byId.has(task_id)).slice(0, mostSpans);
  const untold = tasks.length + attempts.length - toldTasks.length - toldAttempts.length;
  const span = (part: Omit<Span, "traceId">): Span => ({ traceId, ...part, end: Math.max(part.start, part.end) });
  const ofJob = (): Span =>
    span({
      ...{ spanId: root, parentId: parent?.spanId, name: "job", start: row.creation_time, end },
      ...{ attributes: { ...jobAttributes(row), ...(untold > 0 && { "mediafarm.spans.untold": untold }) } },
      hasFailed: row.status === "failed",
    });
  const ofTask = (task: ReadTask): Span =>
    span({
      ...{ spanId: idIn(`task ${task.id}`), parentId: root, name: `task ${task.kind}` },
      ...{ start: task.creation_time, end: task.end_time ?? end, attributes: taskAttributes(task) },
      hasFailed: task.state === "failed",
    });
  const ofAttempt = (attempt: AttemptWithStats): Span =>
    span({
      ...{ spanId: idIn(`attempt ${attempt.counter}`), parentId: idIn(`task ${attempt.task_id}`) },
      name: `attempt ${byId.get(attempt.task_id)?.kind}`,
      ...{ start: attempt.assigned, end: attempt.ended ?? end, attributes: attemptAttributes(attempt) },
      hasFailed: attempt.state === "failed" || attempt.state === "lost",
    });
  return {
    ...{ parent, traceId },
    all: ["job", ...toldTasks.map((task) => ({ task })), ...toldAttempts.map((attempt) => ({ attempt }))],
    spanOf: (told) => {
      if (told === "job") return ofJob();
      return "task" in told ? ofTask(told.task) : ofAttempt(told.attempt);
    },
  };
};

/** Never all zeros: that is no id. */
const idOf = (text: string, bytes: number): string => {
  const id = createHash("sha256")
    .update(text)
    .digest("hex")
    .slice(0, 2 * bytes);
  return /^0+$/.test(id) ? id.replace(/0$/, "1") : id;
};

/** Those that are there, without what their texts may hold. */
const present = (values: Readonly<Record<string, Attribute | null | undefined>>): Record<string, Attribute> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => {
      if (value === null || value === undefined) return [];
      return [
        [`mediafarm.${name}`, typeof value === "string" ? redactText(value).slice(0, longestText) : value] as const,
      ];
    }),
  );

const jobAttributes = (row: JobRow) =>
  present({
    ...{ "job.id": String(row.id), "job.name": row.name, "job.status": row.status, "job.substatus": row.substatus },
    ...{ "job.priority": row.priority, "job.user_tag": row.user_tag, "job.owner": row.owner, "job.origin": row.origin },
  });

const taskAttributes = ({ job_id, id, element_uid, kind, purpose, state, retry_nr, losses, published }: ReadTask) =>
  present({
    ...{ "job.id": String(job_id), "task.id": String(id), "task.kind": kind, "task.element": element_uid },
    ...{ "task.purpose": purpose, "task.state": state, "task.retries": retry_nr, "task.losses": losses },
    "task.outputs": published ? Object.values(published.outputs).flat().length : undefined,
  });

const attemptAttributes = ({ job_id, task_id, counter, node_id, node, state, failure, stats }: AttemptWithStats) =>
  present({
    ...{ "job.id": String(job_id), "task.id": String(task_id), "attempt.number": counter, "attempt.state": state },
    ...{ "attempt.cause": failure?.cause, "node.id": String(node_id), "node.name": node },
    ...{ "attempt.cpu_ms": stats?.cpuMs, "attempt.peak_memory": stats?.peakMemory },
  });
