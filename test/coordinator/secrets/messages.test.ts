import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { holdsSecrets, redact, redactJob } from "../../../shared/credentials/redact.ts";
import { openTestDoors, type TestDoors } from "../../helpers/farm/doors.ts";
import { aConnection, aFolder, aSource, removeFolder } from "../../helpers/farm/farm.ts";

let folder: string;
let doors: TestDoors;
beforeEach(async () => {
  folder = aFolder();
  doors = await openTestDoors(folder);
});
afterEach(async () => {
  await doors.close();
  removeFolder(folder);
});

const element = (uid: string, payload: object) => ({ uid, kind: "notify", payload });

/** A mark in every place of a notification that only its receiver should read. They wait for a source, so they are not planned yet. */
const job = {
  name: "a job",
  comment: "mark-comment",
  definitions: { word: "mark-word", shown: "plain" },
  payload: {
    elements: [
      aSource(),
      element("rest", {
        notify_method: "rest",
        rest: { url: "https://hooks.test/a?room=mark-query", headers: { "X-Api-Key": "mark-key" }, body: "mark-body" },
      }),
      element("named", { notify_method: "rest", rest: { url: "https://hooks.test/{{shown}}?a={{word}}" } }),
      element("queue", { notify_method: "sqs", sqs: { queue: "https://sqs.test/1", user_payload: "mark-queue" } }),
      element("mail", { notify_method: "email", email: { recipients: "a@farm.test", body: "mark-mail" } }),
    ],
    connections: [aConnection("src", ["rest", "named", "queue", "mail"])],
  },
};

test("a notification's query and text, and a comment, are sealed with the job and in no answer to others", async () => {
  const sender = await doors.enterAsProgram();
  const other = await doors.enterAsProgram({ scopes: ["jobs:read"], reach: "all", group: null });
  const post = await doors.inject({ method: "POST", url: "/v1/jobs", headers: sender, payload: job });
  const { id } = post.body;
  const paths = ["definition", "result", "info", "tasks", "outputs"];
  const answers = await Promise.all(
    paths.map((path) => doors.inject({ method: "GET", url: `/v1/jobs/${id}/${path}`, headers: other })),
  );
  const owner = await doors.enter("owner");
  const pages = ["", "/definition", "/resolved", "/result"].map((path) =>
    doors.ask("GET", `/jobs/${id}${path}`, owner),
  );
  answers.push(...(await Promise.all(pages)));
  expect(answers[0]?.status).toBe(200);
  expect(answers.map(({ text }) => text).join("\n")).not.toContain("mark-");
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
  const leaking = files.filter((each) => readFileSync(join(each.parentPath, each.name), "latin1").includes("mark-"));
  expect(leaking.map(({ name }) => name)).toEqual([]);
  const echoed = await doors.inject({ method: "GET", url: `/v1/jobs/${id}/definition`, headers: sender });
  expect(echoed.body).toEqual({ priority: 100, ...job });
});

test("addresses stay readable up to their query, and definitions that no secret uses", () => {
  expect(redact({ rest: { url: "https://hooks.test/a?b=c", method: "PUT" } })).toEqual({
    rest: { url: "https://hooks.test/a?(hidden)", method: "PUT" },
  });
  expect(holdsSecrets('{"rest":{"headers":{"A":"b"},"url":"https://hooks.test/a?b=c"}}')).toBe(true);
  const plain = { rest: { url: "https://hooks.test/{{shown}}" } };
  expect(redactJob({ definitions: { shown: "plain" }, ...plain })).toMatchObject({ definitions: { shown: "plain" } });
  expect(holdsSecrets(JSON.stringify(plain))).toBe(false);
});
