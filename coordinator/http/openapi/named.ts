import type { z } from "zod";
import { someJobInfo, someTaskInfo } from "../../../shared/api/api.ts";
import { farmEvent } from "../../../shared/api/events.ts";
import { explanation } from "../../../shared/api/explain.ts";
import { bulkAnswer } from "../../../shared/api/job-actions.ts";
import { jobOutput } from "../../../shared/api/job-outputs.ts";
import { jobResultDocument } from "../../../shared/api/job-result.ts";
import { watchView } from "../../../shared/api/watch-view.ts";
import { webhookDelivery, webhookView } from "../../../shared/api/webhooks.ts";
import { credentialTrial, vaultHead } from "../../../shared/credentials/vault.ts";
import { farmMount } from "../../../shared/files/mounts.ts";
import { attemptRecord } from "../../../shared/model/attempt.ts";
import { computeGroup, tagLimitNow } from "../../../shared/model/compute-group.ts";
import { jobInfo } from "../../../shared/model/job-info.ts";
import { node } from "../../../shared/model/node.ts";
import { preset, presetHead } from "../../../shared/model/preset.ts";
import { taskInfo } from "../../../shared/model/task.ts";
import { webhookData } from "../../../shared/outbound/webhooks.ts";
import { savedView } from "../../../shared/people/saved-view.ts";

/** `job.changed` gives `JobChangedEvent`. */
const eventName = (type: string): string =>
  `${type.replaceAll(/(?:^|\.)(\w)/g, (_, letter: string) => letter.toUpperCase())}Event`;

/** What answers consist of, by the name that it has in the document and in code made from it. */
export const namedAnswers: Readonly<Record<string, z.ZodType>> = {
  Job: someJobInfo,
  Task: someTaskInfo,
  Node: node,
  JobResult: jobResultDocument,
  JobOutput: jobOutput,
  Watch: watchView,
  Attempt: attemptRecord,
  Explanation: explanation,
  BulkAnswer: bulkAnswer,
  PresetHead: presetHead,
  ComputeGroup: computeGroup,
  TagLimit: tagLimitNow,
  Credential: vaultHead,
  CredentialTrial: credentialTrial,
  Preset: preset,
  SavedView: savedView,
  FarmMount: farmMount,
  Webhook: webhookView,
  WebhookDelivery: webhookDelivery,
  /** What messages of webhooks hold as `data`. */
  WebhookJob: webhookData.job,
  WebhookOutputs: webhookData.outputs,
  WebhookNode: webhookData.node,
  WebhookTest: webhookData.test,
  /** Jobs and tasks with all of their fields, as events tell them. */
  WholeJob: jobInfo,
  WholeTask: taskInfo,
  ...Object.fromEntries(farmEvent.options.map((event) => [eventName(event.shape.type.value), event])),
};

const names = new Map<z.ZodType, string>(Object.entries(namedAnswers).map(([name, schema]) => [schema, name]));

/** The name of a part of answers; undefined if it has none. */
export const nameOfAnswer = (schema: unknown): string | undefined => names.get(schema as z.ZodType); // other keys are not there
