import { z } from "zod";
import { looseBoolean, looseInteger } from "../../basics/loose-values.ts";
import { secretOf } from "../../basics/secret.ts";
import { joinTokenInfo, newJoinToken } from "../../credentials/join-tokens.ts";
import { credentialTest, credentialTrial } from "../../credentials/vault.ts";
import { folderListing } from "../../files/folder-listing.ts";
import { backupSchedule } from "../../model/backups.ts";
import { retention } from "../../model/retention.ts";
import { alertChannel, alertChannelName, alertSettings } from "../../outbound/alerts.ts";
import { tracesChange, tracesView } from "../../outbound/traces.ts";
import { accountInfo, apiUser, apiUserDays, apiUserName, newApiUser, oapiPair } from "../../people/account.ts";
import { acknowledgeInput, acknowledgement } from "../../people/acknowledgement.ts";
import { auditLine } from "../../people/audit.ts";
import { onlyGroups, onlyTags } from "../../people/narrowed.ts";
import { newPassword, person, personName, roles, signedIn } from "../../people/person.ts";
import { powerInput } from "../../people/scopes.ts";
import { entered } from "../../people/second-steps.ts";
import { trailCheck, trailLine, trailOutcomes } from "../../people/trail.ts";
import { preview } from "../../protocol/preview.ts";
import { jobStatuses } from "../../state/job.ts";
import { alertsView } from "../alerts.ts";
import { backupsView } from "../backups.ts";
import { farmView } from "../farm-view.ts";
import { finding } from "../findings.ts";
import { jobGroupCount, jobSorts, jobStateCount, uiJob, uiJobRow } from "../job-view.ts";
import { leadView } from "../lead.ts";
import { nodePace, nodeUse, timeline, uiNode } from "../node-view.ts";
import { overview } from "../overview.ts";
import { resolvedElement } from "../resolved.ts";
import { empty, items, paging, route } from "../route.ts";
import { identityRoutes } from "./identity-routes.ts";
import { secondStepRoutes } from "./second-step-routes.ts";

/**
 * What pages have beside the API's table, of the same shape: all of it lies below /ui/v1, and the API's routes for
 * people are served there too. A session's cookie opens them.
 */
const given = z.string().max(1000);
const givenSecret = secretOf(given);
const previewLink = z.strictObject({
  /** Of its playlist, below /ui/v1; it opens this preview until it expires. */
  path: z.string(),
  expires: z.string(),
  /** The node that makes it. */
  node: z.string(),
  preview,
});
export type PreviewLink = z.output<typeof previewLink>;
/** The command line on the machine itself needs none. */
const withPassword = z.strictObject({ password: givenSecret.optional() });

export const ui = {
  getSession: route("person", "GET", "/session", "Who is signed in", { returns: signedIn }),
  signIn: route("open", "POST", "/session", "Sign in", {
    input: z.strictObject({ name: given, password: givenSecret }),
    returns: entered,
  }),
  signOut: route("open", "DELETE", "/session", "Sign out", {
    /** Where a browser goes to sign out at the identity provider as well. */
    returns: z.strictObject({ go_to: z.string().nullable() }),
  }),
  signInFirst: route("open", "POST", "/first-session", "Make the owner with the one-time code, and sign in", {
    input: z.strictObject({ code: givenSecret, name: personName, password: newPassword }),
    returns: entered,
  }),
  changePassword: route("person", "PUT", "/session/password", "Change one's own password", {
    input: z.strictObject({ password: givenSecret, new_password: newPassword }),
    returns: empty,
  }),
  signInReset: route(
    "open",
    "POST",
    "/reset-session",
    "Choose a password with the one-time code of a link, and sign in",
    {
      input: z.strictObject({ code: givenSecret, password: newPassword }),
      returns: entered,
    },
  ),
  resetPerson: route("person", "POST", "/people/{name}/reset", "A one-time code for a new password", {
    returns: z.strictObject({ code: z.string(), expires: z.string() }),
  }),
  getAccount: route("person", "GET", "/account", "The account", { returns: accountInfo }),
  showOapiPair: route("person", "POST", "/account/oapi", "The OAPI pair, for the password once more", {
    input: withPassword,
    returns: oapiPair,
  }),
  renewOapiPair: route("person", "PUT", "/account/oapi", "Replace the OAPI pair; the old one stops working", {
    input: withPassword,
    returns: oapiPair,
  }),
  listApiUsers: route("person", "GET", "/api-users", "The API's users", { returns: items(apiUser) }),
  createApiUser: route("person", "POST", "/api-users", "Make an API user", {
    input: z.strictObject({ name: apiUserName.default(""), days: apiUserDays, ...powerInput }),
    returns: newApiUser,
  }),
  revokeApiUser: route("person", "DELETE", "/api-users/{auth_key}", "Revoke an API user and its tokens", {
    returns: empty,
  }),
  showJoinToken: route("person", "GET", "/join-token", "What lets new nodes in", {
    returns: z.strictObject({ join_token: z.string() }),
  }),
  renewJoinToken: route("person", "PUT", "/join-token", "Replace the join token; the old one stops working", {
    returns: z.strictObject({ join_token: z.string() }),
  }),
  listJoinTokens: route("person", "GET", "/join-tokens", "Join tokens, and which nodes came in by which", {
    returns: items(joinTokenInfo),
  }),
  createJoinToken: route("person", "POST", "/join-tokens", "Make a join token with limits; it is shown once", {
    input: newJoinToken,
    returns: z.strictObject({ id: z.string(), join_token: z.string() }),
  }),
  endJoinToken: route("person", "DELETE", "/join-tokens/{token_id}", "End a join token; its nodes stay", {
    returns: empty,
  }),
  listPeople: route("person", "GET", "/people", "Who may sign in", { returns: items(person) }),
  createPerson: route("person", "POST", "/people", "Add a person", {
    input: z.strictObject({
      ...{ name: personName, password: newPassword, role: z.enum(roles) },
      ...{ only_tags: onlyTags.default([]), only_groups: onlyGroups.default([]) },
    }),
    returns: person,
  }),
  updatePerson: route(
    "person",
    "PUT",
    "/people/{name}",
    "Change somebody's role, what it is narrowed to, or password",
    {
      input: z.strictObject({
        ...{ role: z.enum(roles).optional(), password: newPassword.optional() },
        ...{ only_tags: onlyTags.optional(), only_groups: onlyGroups.optional() },
      }),
      returns: person,
    },
  ),
  deletePerson: route("person", "DELETE", "/people/{name}", "Let somebody sign in no more", {
    returns: empty,
  }),
  ...identityRoutes,
  ...secondStepRoutes,
  getRetention: route("person", "GET", "/retention", "How long ended jobs are kept", { returns: retention }),
  setRetention: route("person", "PUT", "/retention", "Keep ended jobs longer or shorter, from now on", {
    input: retention,
    returns: retention,
  }),
  getBackups: route("person", "GET", "/backups", "The farm's own backups and their schedule", { returns: backupsView }),
  setBackups: route("person", "PUT", "/backups", "Change how often backups are made and how many are kept", {
    input: backupSchedule,
    returns: backupSchedule,
  }),
  makeBackup: route("person", "POST", "/backups", "Begin a backup now", { returns: backupsView }),
  getLead: route("person", "GET", "/lead", "Which coordinator leads, and which ones stand by", { returns: leadView }),
  giveLead: route("person", "DELETE", "/lead", "Hand the farm over to a coordinator that stands by", {
    returns: leadView,
  }),
  getTraces: route("person", "GET", "/traces", "Where traces of jobs are sent, and how that goes", {
    returns: tracesView,
  }),
  setTraces: route("person", "PUT", "/traces", "Send traces of jobs to a collector, or to none", {
    input: tracesChange,
    returns: tracesView,
  }),
  getAlerts: route("person", "GET", "/alerts", "What the farm tells people who are not looking, and what it told", {
    returns: alertsView,
  }),
  setAlerts: route("person", "PUT", "/alerts", "Change what is told, and when", {
    input: alertSettings,
    returns: alertsView,
  }),
  putAlertChannel: route("person", "POST", "/alerts/channels", "Add a channel for alerts, or replace it", {
    input: z.strictObject({ name: alertChannelName, channel: alertChannel }),
    isBodyOnly: true,
    returns: alertsView,
  }),
  deleteAlertChannel: route("person", "DELETE", "/alerts/channels/{name}", "Remove a channel for alerts", {
    returns: alertsView,
  }),
  testAlertChannel: route("person", "POST", "/alerts/channels/{name}/tests", "Send a test to a channel, now", {
    returns: alertsView,
  }),
  viewJob: route("person", "GET", "/jobs/{job_id}", "One job with its elements, tasks and outputs", {
    input: z.looseObject({
      /** Only tasks of this element, or in this state; counts are those of the whole job. */
      element: z.string().max(200).optional(),
      status: z.enum(["queued", "running", "completed", "failed", "stopped"]).optional(),
      ...paging(200, 1000),
    }),
    returns: uiJob,
  }),
  viewResolved: route("person", "GET", "/jobs/{job_id}/resolved", "What the job's elements came to", {
    returns: items(resolvedElement),
  }),
  viewFindings: route("person", "GET", "/jobs/{job_id}/findings", "What analyses and checks found out", {
    returns: items(finding),
  }),
  viewJobs: route("person", "GET", "/jobs", "Jobs as their list shows them, and how many match", {
    input: z.looseObject({
      statuses: z.array(z.enum(jobStatuses)).max(10).default([]),
      substatuses: z.array(z.string().max(40).nullable()).max(10).default([]),
      owners: z.array(z.string().max(200).nullable()).max(10).default([]),
      /** Part of the name, the tag, the owner, the error or a file's name; an id; or a node's name: what runs there. */
      text: z.string().max(2000).default(""),
      sort: z.enum(jobSorts).default("attention"),
      order: z.enum(["asc", "desc"]).default("desc"),
      /** Sorts all jobs as one list, instead of group by group. */
      flat: looseBoolean().default(false),
      ...paging(200, 1000),
    }),
    returns: items(uiJobRow).extend({ count: z.number().int(), groups: z.array(jobGroupCount) }),
  }),
  listOwners: route("person", "GET", "/owners", "Who sent jobs", { returns: items(z.string()) }),
  countJobStates: route("person", "GET", "/job-states", "How many jobs stand in each state", {
    returns: items(jobStateCount),
  }),
  viewOverview: route("person", "GET", "/overview", "What needs a person, how fast work goes, and when it is done", {
    returns: overview,
  }),
  acknowledge: route("person", "POST", "/acknowledgements", "Say that one looks after problems, or take it back", {
    input: acknowledgeInput,
    returns: items(acknowledgement),
  }),
  viewNode: route("person", "GET", "/nodes/{node_id}", "One node: what it can do, and what was done to it", {
    returns: uiNode,
  }),
  viewPaces: route("person", "GET", "/paces", "How fast nodes are beside others, what failed there, whose jobs run", {
    input: z.looseObject({
      /** Part of the names of programs and abilities that nodes are searched for. */
      text: z.string().max(200).default(""),
    }),
    returns: items(nodePace),
  }),
  viewLoads: route("person", "GET", "/loads", "How busy each connected node's machine is", { returns: items(nodeUse) }),
  viewTimeline: route("person", "GET", "/timeline", "Attempts of each node in the last hours", {
    input: z.looseObject({ hours: looseInteger(1, 24).default(4), node_id: z.string().max(20).optional() }),
    returns: timeline,
  }),
  previewOutput: route(
    "person",
    "GET",
    "/tasks/{task_id}/outputs/{position}/preview",
    "An address that plays a file which browsers cannot, as a node converts it",
    { returns: previewLink },
  ),
  previewSource: route("person", "GET", "/jobs/{job_id}/source/preview", "The same for a job's source", {
    returns: previewLink,
  }),
  previewFile: route("person", "GET", "/preview", "The same for a file in a folder that nodes may read", {
    input: z.looseObject({ path: z.string().min(1).max(4000), node_id: z.string().max(20).optional() }),
    returns: previewLink,
  }),
  listFolder: route("person", "GET", "/folder", "List a folder that nodes may read", {
    input: z.looseObject({
      path: z.string().max(4000).default(""),
      /** As this node sees it; absent: the coordinator's own machine. */
      node_id: z.string().max(20).optional(),
    }),
    returns: folderListing,
  }),
  findFile: route("person", "GET", "/files", "Where a file of this name and size lies, as nodes see it", {
    input: z.looseObject({ name: z.string().min(1).max(500), size: looseInteger(0).optional() }),
    returns: items(z.strictObject({ path: z.string(), nodes: z.array(z.string()) })),
  }),
  tryCredential: route("person", "POST", "/credential-tests", "Which nodes can open storage with a credential", {
    input: credentialTest,
    isBodyOnly: true,
    returns: items(credentialTrial),
  }),
  listHistory: route("person", "GET", "/history", "Who did what, newest first", {
    input: z.looseObject({ take: looseInteger(1, 500).default(200) }),
    returns: items(auditLine),
  }),
  listTrail: route("person", "GET", "/trail", "The audit: what was changed or refused, newest first", {
    input: z.looseObject({
      /** Part of any field. */
      text: z.string().max(200).optional(),
      outcome: z.enum(trailOutcomes).optional(),
      /** Only lines with lower numbers. */
      before: looseInteger(1).optional(),
      /** The lines after this number, the oldest first; nothing else is looked for. */
      after: looseInteger(0).optional(),
      take: looseInteger(1, 500).default(100),
    }),
    returns: items(trailLine),
  }),
  checkTrail: route("person", "GET", "/trail/check", "Whether a line of the audit was removed, altered or moved", {
    returns: trailCheck,
  }),
  viewFarm: route("person", "GET", "/farm", "The farm in numbers", { returns: farmView }),
} as const;

export type Ui = typeof ui;
export type UiRouteName = keyof Ui;

/** Where pages find all of it, and the events. */
export const uiBase = "/ui/v1";
