import { z } from "zod";
import { accountInfo, apiUser, apiUserName, newApiUser, oapiPair } from "./account.ts";
import { none, type Route, route } from "./api.ts";
import { farmView } from "./farm-view.ts";
import { jobStateCount, uiJob, uiJobRow } from "./job-view.ts";
import { looseInteger } from "./loose.ts";
import { newPassword, person, personName, roles, signedIn } from "./person.ts";
import { jobStatuses } from "./state/job.ts";

/**
 * What pages have beside the API's table, of the same shape: all of it lies below /ui/v1, and the API's routes that name
 * a role are served there too. A session's cookie opens them.
 */
const given = z.string().max(1000);
const people = { role: "owner" } as const;
/** The command line on the machine itself needs none. */
const withPassword = z.strictObject({ password: given.optional() });

export const ui = {
  getSession: route("person", "GET", "/session", "Who is signed in", { input: none, returns: signedIn }),
  signIn: route("open", "POST", "/session", "Sign in", {
    input: z.strictObject({ name: given, password: given }),
    returns: signedIn,
  }),
  signOut: route("open", "DELETE", "/session", "Sign out", { input: none, returns: z.strictObject({}) }),
  signInFirst: route("open", "POST", "/first-session", "Make the owner with the one-time code, and sign in", {
    input: z.strictObject({ code: given, name: personName, password: newPassword }),
    returns: signedIn,
  }),
  changePassword: route("person", "PUT", "/session/password", "Change one's own password", {
    role: "viewer",
    input: z.strictObject({ password: given, new_password: newPassword }),
    returns: z.strictObject({}),
  }),
  signInReset: route(
    "open",
    "POST",
    "/reset-session",
    "Choose a password with the one-time code of a link, and sign in",
    {
      input: z.strictObject({ code: given, password: newPassword }),
      returns: signedIn,
    },
  ),
  resetPerson: route("person", "POST", "/people/{name}/reset", "A one-time code for a new password", {
    ...people,
    input: none,
    returns: z.strictObject({ code: z.string(), expires: z.string() }),
  }),
  getAccount: route("person", "GET", "/account", "The account", { ...people, input: none, returns: accountInfo }),
  showOapiPair: route("person", "POST", "/account/oapi", "The OAPI pair, for the password once more", {
    ...people,
    input: withPassword,
    returns: oapiPair,
  }),
  renewOapiPair: route("person", "PUT", "/account/oapi", "Make the OAPI pair anew; the old one opens nothing more", {
    ...people,
    input: withPassword,
    returns: oapiPair,
  }),
  listApiUsers: route("person", "GET", "/api-users", "The API's users", {
    ...people,
    input: none,
    returns: z.strictObject({ items: z.array(apiUser) }),
  }),
  createApiUser: route("person", "POST", "/api-users", "Make an API user", {
    ...people,
    input: z.strictObject({ name: apiUserName.default("") }),
    returns: newApiUser,
  }),
  revokeApiUser: route("person", "DELETE", "/api-users/{auth_key}", "Revoke an API user and its tokens", {
    ...people,
    input: none,
    returns: z.strictObject({}),
  }),
  showJoinToken: route("person", "GET", "/join-token", "What lets new nodes in", {
    ...people,
    input: none,
    returns: z.strictObject({ join_token: z.string() }),
  }),
  renewJoinToken: route("person", "PUT", "/join-token", "Make the join token anew; the old one lets nobody in", {
    ...people,
    input: none,
    returns: z.strictObject({ join_token: z.string() }),
  }),
  listPeople: route("person", "GET", "/people", "Who may sign in", {
    ...people,
    input: none,
    returns: z.strictObject({ items: z.array(person) }),
  }),
  createPerson: route("person", "POST", "/people", "Let somebody sign in", {
    ...people,
    input: z.strictObject({ name: personName, password: newPassword, role: z.enum(roles) }),
    returns: person,
  }),
  updatePerson: route("person", "PUT", "/people/{name}", "Change somebody's role or password", {
    ...people,
    input: z.strictObject({ role: z.enum(roles).optional(), password: newPassword.optional() }),
    returns: person,
  }),
  deletePerson: route("person", "DELETE", "/people/{name}", "Let somebody sign in no more", {
    ...people,
    input: none,
    returns: z.strictObject({}),
  }),
  viewJob: route("person", "GET", "/jobs/{job_id}", "One job with its elements, tasks and outputs", {
    input: z.looseObject({
      skip: looseInteger(0).default(0),
      take: looseInteger(0)
        .default(200)
        .transform((take) => Math.min(take, 1000)),
    }),
    returns: uiJob,
  }),
  viewJobs: route("person", "GET", "/jobs", "Jobs, newest first, with how many tasks each has in which state", {
    input: z.looseObject({
      statuses: z.array(z.enum(jobStatuses)).max(10).default([]),
      substatuses: z.array(z.string().max(40).nullable()).max(10).default([]),
      /** Part of the name or the tag, or an id. */
      text: z.string().max(2000).default(""),
      skip: looseInteger(0).default(0),
      take: looseInteger(0)
        .default(200)
        .transform((take) => Math.min(take, 1000)),
    }),
    returns: z.strictObject({ items: z.array(uiJobRow) }),
  }),
  countJobStates: route("person", "GET", "/job-states", "How many jobs stand in each state", {
    input: none,
    returns: z.strictObject({ items: z.array(jobStateCount) }),
  }),
  viewFarm: route("person", "GET", "/farm", "The farm in numbers", { input: none, returns: farmView }),
} as const satisfies Record<string, Route>;

export type Ui = typeof ui;
export type UiRouteName = keyof Ui;

/** Where pages find all of it, and the events. */
export const uiBase = "/ui/v1";
export const sessionCookieName = "mediafarm_session";
