import { z } from "zod";
import { secretOf } from "../../basics/secret.ts";
import {
  accountLinks,
  arrived,
  identityProvider,
  identityView,
  ownPage,
  providerAnswer,
  providerTrial,
  signInWays,
} from "../../people/identity.ts";
import { person, sessionHead } from "../../people/person.ts";
import { empty, items, route } from "../route.ts";

/** What shows once more who asks: the password, or a code of the app in its place. */
const again = {
  password: secretOf(z.string().max(1000)).optional(),
  one_time_code: secretOf(z.string().max(100)).optional(),
};

/** Sessions, signing in at identity providers, and what owners say about them. */
export const identityRoutes = {
  listSessions: route("person", "GET", "/sessions", "One's own sessions", { returns: items(sessionHead) }),
  endSession: route("person", "DELETE", "/sessions/{session_id}", "End one of one's own sessions", { returns: empty }),
  listSignIns: route("open", "GET", "/sign-ins", "How people may sign in", { returns: signInWays }),
  beginSignIn: route("open", "POST", "/sign-ins/{provider}", "Begin to sign in at an identity provider", {
    input: z.strictObject({ page: ownPage.optional() }),
    returns: z.strictObject({ go_to: z.string() }),
  }),
  finishSignIn: route("open", "PUT", "/sign-ins/{provider}", "Sign in with what an identity provider answered", {
    input: providerAnswer,
    returns: arrived,
  }),
  listLinks: route("person", "GET", "/links", "One's own accounts at identity providers", { returns: accountLinks }),
  beginLink: route("person", "POST", "/links/{provider}", "Begin to link one's account at an identity provider", {
    input: z.strictObject(again),
    returns: z.strictObject({ go_to: z.string() }),
  }),
  finishLink: route("person", "PUT", "/links/{provider}", "Link the account that an identity provider answered with", {
    input: providerAnswer,
    returns: z.strictObject({ provider: z.string(), page: z.string().nullable() }),
  }),
  endLink: route("person", "DELETE", "/links/{provider}", "End one's own link, and the sessions begun by it", {
    input: z.strictObject(again),
    returns: empty,
  }),
  endPersonLink: route("person", "DELETE", "/people/{name}/links/{provider}", "End somebody's link, and its sessions", {
    returns: person,
  }),
  getIdentity: route("person", "GET", "/identity", "How people sign in, and the identity providers", {
    returns: identityView,
  }),
  setIdentity: route("person", "PUT", "/identity", "Let people sign in with passwords, or not", {
    input: z.strictObject({ passwords: z.boolean() }),
    returns: identityView,
  }),
  putProvider: route("person", "POST", "/identity/providers", "Add an identity provider, or replace it", {
    input: identityProvider,
    isBodyOnly: true,
    returns: identityView,
  }),
  deleteProvider: route(
    "person",
    "DELETE",
    "/identity/providers/{name}",
    "Remove an identity provider and its people",
    {
      returns: identityView,
    },
  ),
  testProvider: route("person", "POST", "/identity/providers/{name}/tests", "Ask an identity provider about itself", {
    returns: providerTrial,
  }),
} as const;
