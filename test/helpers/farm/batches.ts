import type { Change, ChangeOf } from "../../../coordinator/store/batch.ts";
import {
  type Counters,
  type DefinitionRow,
  type JobRow,
  type TaskRow,
  unknownSender,
} from "../../../coordinator/store/rows.ts";
import type { Store } from "../../../coordinator/store/store.ts";
import type { WebhookDeliveryRow } from "../../../coordinator/store/webhooks.ts";

/** A job that waits. */
export const aJobRow = (id: number, changes: Partial<JobRow> = {}): JobRow => ({
  ...{ id, name: "a job", user_tag: null, priority: 100, status: "queued", substatus: "waiting", progress: 0 },
  ...{ creation_time: 1000, start_time: null, end_time: null, expiration: 10, expiration_time: null, error: null },
  ...{ stopped: null, begun: 0, ...unknownSender },
  ...changes,
});

export const aDefinition = (changes: Partial<DefinitionRow> = {}): DefinitionRow => ({
  ...{ definition: "{}", elements: [], connections: [], warnings: [] },
  ...changes,
});

export const aTaskRow = (id: number, job_id: number, changes: Partial<TaskRow> = {}): TaskRow => ({
  ...{
    id,
    job_id,
    element_uid: "src",
    path: "",
    uid: "src",
    name: "t",
    kind: "source",
    purpose: "facts",
    state: "ready",
  },
  ...{ priority: null, tags: [], requires: [], weight: "light", demand: {}, retry_count: 0, retry_delay_sec: 0 },
  ...{ retry_nr: 0, losses: 0, attempt: null, creation_time: 1000, ready_time: 1000, start_time: null, end_time: null },
  ...{ node_id: null, awaits: undefined, failure: undefined, intent: undefined, published: undefined },
  ...changes,
});

export const noWork = { work: { assets: {}, outputs: {}, steps: [] } };

/** The changes that make a job. */
export const inserted = (row: JobRow, definition = aDefinition()): Change[] => [
  { table: "jobs", key: [row.id], before: undefined, after: row, job: row.id },
  { table: "definitions", key: [row.id], before: undefined, after: definition, job: row.id },
];

/** The change that makes a task. */
export const insertedTask = (row: TaskRow, more: ChangeOf<"tasks">["more"] = noWork): Change => ({
  ...{ table: "tasks", key: [row.id], before: undefined, after: row, job: row.job_id, more },
});

export const changed = (before: JobRow, changes: Partial<JobRow>): Change => ({
  ...{ table: "jobs", key: [before.id], before, after: { ...before, ...changes }, job: before.id },
});

export const removed = (before: JobRow): Change => ({
  ...{ table: "jobs", key: [before.id], before, after: undefined, job: before.id },
});

/** The change that writes a message to a webhook. */
export const insertedDelivery = (row: WebhookDeliveryRow): Change => ({
  ...{ table: "webhookDeliveries", key: [row.epoch, row.nr], before: undefined, after: row },
});

/** Leads the store, and writes batches one after the other. */
export const leading = async (store: Store) => {
  const { epoch } = await store.lead(1);
  let nr = 0;
  return {
    epoch,
    write: async (changes: readonly Change[], counters: Partial<Counters> = {}): Promise<void> => {
      const all = { jobs: 0, tasks: 0, attempts: 0, nodes: 0, ...counters };
      await store.write({ epoch, nr: nr + 1, changes, counters: all });
      nr += 1;
    },
  };
};
