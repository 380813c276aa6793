import { z } from "zod";
import { looseBoolean } from "../basics/loose-values.ts";
import { secretOf } from "../basics/secret.ts";
import { credentialTrial, vaultChange, vaultEntry, vaultHead } from "../credentials/vault.ts";
import { mediaShows } from "../files/media-kinds.ts";
import { farmMount, farmMounts } from "../files/mounts.ts";
import { attemptRecord } from "../model/attempt.ts";
import { computeGroup, computeGroupTags, tagLimit, tagLimitNow, tagLimits } from "../model/compute-group.ts";
import { jobSubmission, jobUpdate, limits } from "../model/job.ts";
import { jobFilters, jobInfo, jobInfoFields, jobSortFields } from "../model/job-info.ts";
import { node, nodeUpdate } from "../model/node.ts";
import { preset, presetHead } from "../model/preset.ts";
import { taskInfo, taskInfoFields } from "../model/task.ts";
import { newWebhook, webhookChange, webhookDeliveryStates, webhookRotation } from "../outbound/webhooks.ts";
import { actionNote } from "../people/audit.ts";
import { newViewSearch, savedView } from "../people/saved-view.ts";
import { outboundRules } from "../protocol/messages.ts";
import { explanation } from "./explain.ts";
import { submissionHeaders } from "./idempotency.ts";
import { bulkAnswer, bulkInput, idTexts, retried, retryInput, undoInput } from "./job-actions.ts";
import { jobOutput } from "./job-outputs.ts";
import { jobPlan } from "./job-plan.ts";
import { jobResultDocument } from "./job-result.ts";
import { empty, items, paging, route } from "./route.ts";
import { watchView } from "./watch-view.ts";
import { webhookDelivery, webhookView } from "./webhooks.ts";

/** Why somebody does it. */
const withNote = z.looseObject({ note: actionNote });
const id = z.strictObject({ id: z.string() });

const page = paging(limits.defaultTake, limits.take);

const done = z.strictObject({ success: z.literal("true"), message: z.string() });

/** Every item of an answer is made of these: a field that is named twice costs twice. */
const mostFields = 100;
const jobFields = z.array(z.enum(jobInfoFields)).max(mostFields).default(["id"]);
const taskFields = z.array(z.enum(taskInfoFields)).max(mostFields).default(["id"]);

/** What callers asked for of a job, and of a task. */
export const someJobInfo = jobInfo.partial();
export const someTaskInfo = taskInfo.partial();

/** The REST interface as data: server, typed client and documentation are made from this table. */
export const api = {
  login: route("oapi", "POST", "/login", "Exchange an API user's credentials for a token", {
    input: z.looseObject({ auth_key: z.string().max(512), auth_secret: secretOf(z.string().max(512)) }),
    returns: z.strictObject({ token: z.string(), expiration_time: z.string() }),
  }),
  createJob: route("api", "POST", "/jobs", "Queue a job", {
    input: jobSubmission.extend({
      dry_run: looseBoolean().default(false).describe("Says what the job would do, and queues nothing"),
    }),
    readsItself: true,
    headers: submissionHeaders,
    // A dry run's plan stands beside the id "0", which names no job.
    returns: id.extend(jobPlan.partial().shape),
  }),
  changeJobs: route("api", "POST", "/jobs/actions", "Stop, pause, resume, retry, delete or reprioritise many jobs", {
    input: bulkInput,
    returns: bulkAnswer,
  }),
  undoJobs: route("api", "POST", "/jobs/actions/undo", "Take back what one of your calls of the last minutes did", {
    input: undoInput,
    returns: bulkAnswer,
  }),
  retryJob: route("api", "POST", "/jobs/{job_id}/retry", "Run what failed of a job again, or all of it", {
    input: retryInput,
    returns: retried,
  }),
  listOutputs: route("api", "GET", "/jobs/{job_id}/outputs", "The files that a job made", {
    input: z.looseObject(page),
    returns: items(jobOutput).extend({ count: z.number().int() }),
  }),
  listWatches: route("api", "GET", "/jobs/{job_id}/watches", "What a job's watched folders saw, took and wait for", {
    input: z.looseObject(page),
    returns: items(watchView),
  }),
  updateJob: route("api", "PUT", "/jobs/{job_id}", "Change a job", { input: jobUpdate, returns: id }),
  stopJob: route("api", "PUT", "/jobs/{job_id}/stop", "Stop a job on every node", { input: withNote, returns: id }),
  pauseJob: route("api", "PUT", "/jobs/{job_id}/pause", "Start no more tasks of a job", {
    input: withNote,
    returns: id,
  }),
  resumeJob: route("api", "PUT", "/jobs/{job_id}/resume", "Let a paused or scheduled job go on", {
    input: withNote,
    returns: id,
  }),
  deleteJob: route("api", "DELETE", "/jobs/{job_id}", "Delete a job in any state", {
    returns: id,
    alias: "/jobs/{job_id}/delete",
  }),
  deleteJobs: route("api", "DELETE", "/jobs", "Delete jobs", {
    input: z.looseObject({ ids: idTexts }),
    returns: items(z.string()),
  }),
  getDefinition: route("api", "GET", "/jobs/{job_id}/definition", "The job as it was submitted", {
    returns: z.looseObject({}),
  }),
  getResult: route("api", "GET", "/jobs/{job_id}/result", "What the job made, and its errors", {
    returns: jobResultDocument,
  }),
  getJobInfo: route("api", "GET", "/jobs/{job_id}/info", "One job's info", {
    input: z.looseObject({ fields: jobFields }),
    returns: someJobInfo,
  }),
  listJobs: route("api", "GET", "/jobs/info", "Jobs, filtered and sorted", {
    input: z.looseObject({
      ids: idTexts.default([]),
      fields: jobFields,
      filters: jobFilters,
      order: z.enum(["asc", "desc"]).default("asc"),
      sort_field: z.enum(jobSortFields).default("id"),
      ...page,
    }),
    returns: items(someJobInfo),
  }),
  countJobs: route("api", "GET", "/jobs/count", "How many jobs match", {
    input: z.looseObject({ filters: jobFilters }),
    returns: z.strictObject({ count: z.number().int() }),
  }),
  listTasks: route("api", "GET", "/jobs/{job_id}/tasks", "A job's tasks", {
    input: z.looseObject({ fields: taskFields }),
    returns: items(someTaskInfo),
  }),
  listPresets: route("api", "GET", "/presets", "The presets, without their payloads", { returns: items(presetHead) }),
  getPreset: route("api", "GET", "/presets/{key}", "One preset", { returns: preset, saysSuccessAsText: true }),
  putPreset: route("api", "POST", "/presets", "Make a preset, or replace the one of its key", {
    input: preset,
    readsItself: true,
    returns: done,
    saysSuccessAsText: true,
  }),
  deletePreset: route("api", "DELETE", "/presets/{key}", "Delete a preset; jobs that used it keep what it said", {
    returns: done,
    saysSuccessAsText: true,
  }),
  listNodes: route("farm", "GET", "/nodes", "The farm's nodes", { returns: items(node) }),
  updateNode: route("farm", "PUT", "/nodes/{node_id}", "Drain, pause or retag a node", {
    input: nodeUpdate,
    returns: node,
  }),
  listComputeGroups: route("farm", "GET", "/groups", "The farm's compute groups", { returns: items(computeGroup) }),
  putComputeGroup: route("farm", "PUT", "/groups/{name}", "Make or change a compute group", {
    input: computeGroupTags,
    returns: computeGroup,
  }),
  deleteComputeGroup: route("farm", "DELETE", "/groups/{name}", "Delete a compute group; its nodes stay", {
    returns: empty,
  }),
  listLimits: route("farm", "GET", "/limits", "How many tasks with a tag may run at a time, and do", {
    returns: items(tagLimitNow),
  }),
  setLimits: route("farm", "PUT", "/limits", "Replace the limits of tags", {
    input: z.strictObject({ items: tagLimits }),
    returns: items(tagLimitNow),
  }),
  changeLimits: route("farm", "POST", "/limits", "Set limits of tags, or take some away; the others stay", {
    input: z.strictObject({ set: tagLimits.default([]), remove: z.array(tagLimit.shape.tag).max(1000).default([]) }),
    returns: items(tagLimitNow),
  }),
  revokeNode: route("farm", "DELETE", "/nodes/{node_id}", "Revoke a node's key; what it runs goes to others", {
    returns: id,
  }),
  listMounts: route("farm", "GET", "/mounts", "The mounts of the whole farm", { returns: items(farmMount) }),
  listOutbound: route("farm", "GET", "/outbound", "What jobs may reach over the network from every node", {
    returns: items(z.string()),
  }),
  changeOutbound: route("farm", "POST", "/outbound", "Let jobs reach more over the network, or less", {
    input: z.strictObject({
      add: outboundRules.default([]),
      remove: z.array(z.string().max(300)).max(1000).default([]),
    }),
    returns: items(z.string()),
  }),
  listCredentials: route("farm", "GET", "/credentials", "The entries of the credentials vault, without their secrets", {
    returns: items(vaultHead),
  }),
  putCredential: route("farm", "POST", "/credentials", "Store an entry of the credentials vault, or replace it", {
    input: vaultEntry,
    isBodyOnly: true,
    returns: vaultHead,
  }),
  changeCredential: route("farm", "PUT", "/credentials/{name}", "Change a part of an entry of the credentials vault", {
    input: vaultChange,
    returns: vaultHead,
  }),
  testCredential: route("farm", "POST", "/credentials/{name}/test", "Which nodes can open storage with a vault entry", {
    returns: items(credentialTrial),
  }),
  deleteCredential: route("farm", "DELETE", "/credentials/{name}", "Delete an entry of the credentials vault", {
    returns: done,
    saysSuccessAsText: true,
  }),
  setMounts: route("farm", "PUT", "/mounts", "Replace the mounts of the whole farm", {
    input: z.strictObject({ items: farmMounts }),
    returns: items(farmMount),
  }),
  changeMounts: route("farm", "POST", "/mounts", "Add mounts of the whole farm, or take some away; the others stay", {
    input: z.strictObject({ set: farmMounts.default([]), remove: z.array(z.string().max(2000)).max(1000).default([]) }),
    returns: items(farmMount),
  }),
  getTaskLog: route("farm", "GET", "/tasks/{task_id}/log", "The log of a task's attempts", {
    returns: z.strictObject({
      task: taskInfo.pick({ id: true, name: true, kind: true, status: true }).extend({ job_id: z.string() }),
      items: z.array(attemptRecord),
    }),
  }),
  linkOutput: route("farm", "GET", "/tasks/{task_id}/outputs/{position}/link", "An address that opens an output file", {
    returns: z.strictObject({
      /** Below the address of the interface; it opens the files of this task without credentials until it expires. */
      path: z.string(),
      expires: z.string(),
      show: z.enum(mediaShows),
      type: z.string(),
      size: z.number().int(),
      /** `sha256:…`, if known. */
      checksum: z.string().nullable(),
    }),
  }),
  retryTask: route("farm", "POST", "/tasks/{task_id}/retry", "Run a failed task's element again", {
    input: retryInput.pick({ replan: true }),
    returns: retried,
  }),
  listViews: route("farm", "GET", "/views", "The saved views of pages", { returns: items(savedView) }),
  putView: route("farm", "PUT", "/views/{page}/{name}", "Save a view of a page", {
    input: z.strictObject({ search: newViewSearch }),
    returns: savedView,
  }),
  deleteView: route("farm", "DELETE", "/views/{page}/{name}", "Delete a saved view", { returns: empty }),
  getOpenApi: route("farm", "GET", "/openapi.json", "This interface as OpenAPI 3.1", {
    returns: z.looseObject({}),
  }),
  explainTask: route("farm", "GET", "/tasks/{task_id}/explain", "Why a task waits: in all, and on each node", {
    returns: explanation,
  }),
  listWebhooks: route("farm", "GET", "/webhooks", "The webhooks, without their secrets", {
    returns: items(webhookView),
  }),
  createWebhook: route("farm", "POST", "/webhooks", "Have events of the farm sent to an address", {
    input: newWebhook,
    isBodyOnly: true,
    returns: webhookView,
  }),
  changeWebhook: route("farm", "PUT", "/webhooks/{name}", "Change a webhook, or switch it on or off", {
    input: webhookChange,
    isBodyOnly: true,
    returns: webhookView,
  }),
  deleteWebhook: route("farm", "DELETE", "/webhooks/{name}", "Delete a webhook, and what waits for it", {
    returns: empty,
  }),
  rotateWebhook: route(
    "farm",
    "POST",
    "/webhooks/{name}/secrets",
    "Sign with a new secret; the old one signs as well",
    {
      input: webhookRotation,
      isBodyOnly: true,
      returns: webhookView,
    },
  ),
  testWebhook: route("farm", "POST", "/webhooks/{name}/tests", "Send a test to a webhook, now", {
    returns: webhookDelivery,
  }),
  listWebhookMessages: route("farm", "GET", "/webhooks/{name}/messages", "What a webhook was told, the newest first", {
    input: z.looseObject({ state: z.enum(webhookDeliveryStates).optional(), ...paging(100, 500) }),
    returns: items(webhookDelivery).extend({ count: z.number().int() }),
  }),
  getWebhookMessage: route("farm", "GET", "/webhooks/{name}/messages/{message_id}", "One message of a webhook", {
    returns: webhookDelivery.extend({ message: z.looseObject({}) }),
  }),
  sendWebhookMessages: route("farm", "POST", "/webhooks/{name}/messages", "Send messages of a webhook again", {
    input: z.strictObject({
      ids: z.array(z.string().max(40)).max(500).default([]),
      all_given_up: looseBoolean().default(false),
    }),
    returns: z.strictObject({ count: z.number().int() }),
  }),
  health: route("open", "GET", "/healthz", "Whether the process lives", {
    returns: z.strictObject({ status: z.literal("ok") }),
  }),
  readiness: route("open", "GET", "/readyz", "Whether the farm can work: it leads, and its disk can be written to", {
    returns: z.strictObject({ status: z.literal("ok") }),
  }),
} as const;

export type Api = typeof api;
export type RouteName = keyof Api;
export type InputOf<N extends RouteName> = z.input<Api[N]["input"]>;
export type ParsedInputOf<N extends RouteName> = z.output<Api[N]["input"]>;
export type OutputOf<N extends RouteName> = z.output<Api[N]["returns"]>;

/** Where an agent's WebSocket knocks. */
export const agentPath = "/v1/agent";
/** Both spellings are accepted; the first is the documented one. */
export const complianceHeaders = ["x-service-compliance", "x-hybrik-compliance"] as const;
export const tokenHeaders = ["x-service-sapiauth", "x-hybrik-sapiauth"] as const;
