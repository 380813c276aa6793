import type { Right, RightObject } from "./rights.ts";

/** A route that lies outside of the tables, because its answer is no document or another protocol speaks there. */
export type DoorRight = Right & { readonly opens: string };
const door = (opens: string, object: RightObject, program: Right["program"], person: Right["person"]): DoorRight => ({
  ...{ object, action: "read", program, person },
  opens,
});

/** By method and path as they are bound. */
export const doorRights = {
  "GET /v1/events": door("a token; each event has a row of its own", "jobs", "any", "nobody"),
  "GET /ui/v1/events": door("a session's cookie", "jobs", "nobody", "viewer"),
  "GET /v1/tasks/:task_id/outputs/:position": door(
    "a token; whose task it is, is checked",
    "task",
    "jobs:read",
    "nobody",
  ),
  "GET /v1/media/:token/*": door(
    "a signed link to the files of one task, while whoever it was made for may still see them",
    "files",
    "stranger",
    "stranger",
  ),
  "GET /v1/subscriptions/:key": door(
    "the key of one job, from its result, while whoever read it may still see the job",
    "job",
    "stranger",
    "stranger",
  ),
  "GET /ui/v1/media/:token/*": door(
    "a signed link to the files of one task, while the person it was made for is there",
    "files",
    "stranger",
    "stranger",
  ),
  "GET /ui/v1/previews/:token/:name": door(
    "a signed link to one preview, while the person it was made for is there",
    "files",
    "stranger",
    "stranger",
  ),
  "GET /signed-in/:provider": door(
    "nothing: it opens the page that finishes a sign-in, in the browser that began it",
    "session",
    "stranger",
    "stranger",
  ),
  "POST /mcp": door(
    "a token, or a key and its secret; each tool needs the scope of the call that it makes",
    "interface",
    "any",
    "nobody",
  ),
  "GET /metrics": door("this machine, or the metrics key", "interface", "stranger", "stranger"),
  "GET /v1/agent": door("a join token, or a node's key", "node", "stranger", "stranger"),
  "POST /signed-out/:provider": {
    ...door("a logout token that the identity provider signed, once", "session", "stranger", "stranger"),
    action: "delete",
  },
  "GET /": door("nothing: the pages themselves", "interface", "stranger", "stranger"),
  "GET /docs": door(
    "nothing: the docs are the same for every farm, and who cannot sign in needs them",
    "interface",
    "stranger",
    "stranger",
  ),
} as const satisfies Readonly<Record<string, DoorRight>>;
