/**
 * Glossary, from what a client submits to what a node does with it.
 *
 * - *Job*: a graph of elements that a client submits.
 * - *Element*: one step of the graph, as written in the job.
 * - *Element run*: the execution of one element in one job.
 * - *Connection*: an edge of the graph. It starts elements when others succeed or fail.
 * - *Asset*: media that flows along connections: files, sections of them, and how to read them.
 * - *Facts*: what a probe, a manifest or a frame listing found out about a file.
 * - *Section*: parts of files that play at the same time. The sections of an asset play one after the other.
 * - *Excerpt*: the part of one file that is used.
 * - *Timeline*: all sections of an asset as one source that begins at zero.
 * - *Target*: a file, or a set of files, that an element is asked to make.
 * - *Rendition*: one quality of the same content in an adaptive set.
 * - *Stage*: a part of an element run whose tasks must all end before the next part is planned.
 * - *Task*: a piece of an element that one node does.
 * - *Step*: one command of a task: run ffmpeg, copy, probe.
 * - *Attempt*: one try at a task. A task gets another one when it fails or its node is lost.
 * - *Fence*: the number of an attempt. It tells a newer attempt from an older one.
 * - *Epoch*: one life of the coordinator. It is the first part of every fence.
 * - *Intent*: the finished files that an attempt wants to publish, with their temporary and final names.
 * - *Grant*: the coordinator's permission to publish an intent. At most one attempt of a task holds it.
 * - *Report*: the outcome of an attempt, kept by the agent until the coordinator has stored it.
 * - *Cause*: why a task failed. It decides where and when the task is tried again.
 * - *Coordinator*: the process that plans jobs, assigns tasks and keeps the store.
 * - *Agent*: the process that performs tasks on a machine.
 * - *Node*: a machine with an agent, as the coordinator knows it.
 * - *Instance*: one run of an agent. It tells two agents with the same identity apart.
 * - *Slot*: room for one task on a node.
 * - *Tag*: a label that a task requires and a node offers.
 * - *Mount*: a prefix of addresses that a node reaches as a folder.
 * - *Root*: a folder of a node that jobs may use.
 * - *Store*: where the coordinator keeps everything that survives a restart.
 * - *Batch*: changes that are written to the store in one transaction.
 */
import { z } from "zod";
import { listOf, looseBoolean, looseInteger, openObject, optionalObject } from "../basics/loose-values.ts";
import { type ApiTestStep, apiTest } from "./api-test.ts";
import type { GraphConnection } from "./job-graph.ts";
import type { VariablePlaces } from "./variables.ts";

export const limits = {
  payloadCharacters: 128_000,
  /** Definitions, above all: more than this they may not put into the job either. */
  besidePayloadCharacters: 1_000_000,
  userTag: 192,
  expirationMinutes: 259_200,
  defaultExpirationMinutes: 43_200,
  lowestPriority: 1,
  highestPriority: 254,
  defaultPriority: 100,
  retryCount: 5,
  retryDelaySec: 3600,
  defaultRetryDelaySec: 45,
  /** How often a task whose node is lost goes back to the queue, whatever its retries say. */
  losses: 10,
  /** On how many nodes the agent may end while it runs a task before the task is no longer given to any. */
  deaths: 3,
  take: 1000,
  defaultTake: 100,
} as const;

const jobName = z.string().min(1).max(2000);
const priority = looseInteger(limits.lowestPriority, limits.highestPriority);
const expiration = looseInteger(0, limits.expirationMinutes);
const userTag = z.string().max(limits.userTag).nullable();
export const startAfter = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text));
const tags = listOf(z.string().max(200), 100).transform((list) => [...new Set(list.filter((tag) => tag !== ""))]);

export const uidText = z.string().min(1).max(200);

/** How the targets of a transcode are divided: not at all, in parts that end at about the same time, or each alone. */
const taskSplit = z.enum(["disabled", "smart", "aggressive"]);
export type TaskSplit = z.output<typeof taskSplit>;
const taskFlags = z.looseObject({ split_task: taskSplit.optional() });

const taskExtended = openObject({
  start_payload_filter: optionalObject({ processing_group_ids: listOf(uidText, 200).optional() }),
});

/** What a job says about the tasks of one of its elements. */
export const taskOptions = z.looseObject({
  name: z.string().max(2000).optional(),
  tags: tags.optional(),
  retry_method: z.enum(["fail", "retry"]).optional(),
  retry: optionalObject({
    count: looseInteger(-1, limits.retryCount),
    delay_sec: looseInteger(0, limits.retryDelaySec).default(limits.defaultRetryDelaySec),
  }),
  flags: taskFlags.optional(),
  priority: priority.optional(),
  comment: z.string().max(limits.payloadCharacters).optional(),
  extended: taskExtended.optional(),
  source_element_uids: listOf(uidText, 1000).optional(),
});

/** Fields that it lacks may stand beside it. */
const taskRetry = z.looseObject({ count: looseInteger(0).optional(), delay_sec: looseInteger(0).optional() });

/** Body of POST /jobs. Its payload is checked by `parseJob`, once definitions are filled in. */
export const jobSubmission = z.looseObject({
  name: jobName,
  payload: z.union([z.looseObject({}), z.string()]),
  schema: z.enum(["service", "thirdparty", "api_test"]).default("service"),
  expiration: expiration.default(limits.defaultExpirationMinutes),
  priority: priority.default(limits.defaultPriority),
  task_retry: taskRetry.optional(),
  "task_retry:count": looseInteger(0).optional(),
  "task_retry:delay_sec": looseInteger(0).optional(),
  task_tags: tags.default([]),
  /** No task starts before this time. */
  start_after: startAfter.optional(),
  /** Waits until it is resumed. */
  paused: looseBoolean().default(false),
  user_tag: userTag.optional(),
  definitions: optionalObject({}),
  user_data: z.unknown().optional(),
  api_test: apiTest.optional(),
});

export const jobUpdate = z.looseObject({
  name: jobName.optional(),
  priority: priority.optional(),
  expiration: expiration.optional(),
  user_tag: userTag.optional(),
  /** Null: at once. */
  start_after: startAfter.nullable().optional(),
  /** Replaces the job's tags. */
  task_tags: tags.optional(),
});

export type RetryPolicy = { readonly count: number; readonly delaySec: number };

export type ElementSpec = {
  readonly uid: string;
  readonly kind: string;
  readonly name: string;
  readonly payload: Record<string, unknown>;
  readonly tags: readonly string[];
  readonly priority: number | undefined;
  readonly retry: RetryPolicy;
  readonly split?: TaskSplit;
  /** Takes only incoming targets that belong to one of these. */
  readonly groups?: readonly string[];
  /** Where it uses definitions that scripts may set. */
  readonly variables?: VariablePlaces;
  /** For a job of schema api_test: how it is simulated. */
  readonly script?: ApiTestStep;
};

export type JobSpec = {
  readonly name: string;
  readonly priority: number;
  readonly expirationMinutes: number;
  readonly userTag: string | null;
  /** For all of its tasks. */
  readonly tags: readonly string[];
  /** Unix milliseconds. */
  readonly startAfter: number | null;
  readonly isPaused: boolean;
  readonly elements: readonly ElementSpec[];
  readonly connections: readonly GraphConnection[];
  /** Capabilities that fields of it ask for, whatever its sources: `encoder:libx264`. */
  readonly needs: readonly { readonly field: string; readonly capability: string }[];
  readonly warnings: readonly string[];
};
