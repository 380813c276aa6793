import { expect, test } from "vitest";
import { openTestDoors } from "../helpers/farm/doors.ts";
import { aJob, aSource } from "../helpers/farm/farm.ts";
import { aWorldPerFile } from "../helpers/farm/worlds.ts";

const doors = aWorldPerFile({ open: openTestDoors, close: ({ close }) => close() });

/** As a program asks. */
const ask = async (method: "GET" | "POST", path: string, token?: string, payload?: object) => {
  const { oapiKey = "", oapiSecret = "" } = doors().credentials ?? {};
  const headers = {
    authorization: `Basic ${btoa(`${oapiKey}:${oapiSecret}`)}`,
    "x-service-compliance": "20261101",
    ...(token !== undefined && { "x-service-sapiauth": token }),
  };
  return doors().inject({ method, url: `/v1${path}`, headers, ...(payload && { payload }) });
};
const logIn = async (auth_key = doors().credentials?.authKey, auth_secret = doors().credentials?.authSecret) =>
  (await ask("POST", "/login", undefined, { auth_key, auth_secret })).body.token;

test("all API users of the account share its OAPI pair; those who reach all see the same jobs", async () => {
  const owner = await doors().enter("owner", "Ada");
  const { body: other } = await doors().ask("POST", "/api-users", owner, { name: "another", reach: "all" });
  const tokens = [await logIn(), await logIn(other.auth_key, other.auth_secret)];
  const { body: made } = await ask("POST", "/jobs", tokens[0], aJob());
  const seen = await Promise.all(tokens.map(async (token) => (await ask("GET", "/jobs/info", token)).body.items));
  expect([new Set(tokens).size, ...seen]).toEqual([2, [{ id: made.id }], [{ id: made.id }]]);
});

test("a task's comment is given back to programs, and to nobody else", async () => {
  const elements = [aSource({ task: { comment: "ask Bo first" } })];
  const token = await logIn();
  const { body: made } = await ask("POST", "/jobs", token, aJob({ payload: { elements } }));
  const definition = `/jobs/${made.id}/definition`;
  expect((await ask("GET", definition, token)).body.payload.elements).toEqual(elements);
  const viewer = await doors().enter("viewer", "Cy");
  const pages = [definition, `/jobs/${made.id}`, `/jobs/${made.id}/result`, "/jobs"];
  const texts = await Promise.all(pages.map(async (path) => (await doors().ask("GET", path, viewer)).text));
  expect(texts.map((text) => [text.includes("src") || text.includes("a job"), text.includes("ask Bo")])).toEqual(
    pages.map(() => [true, false]),
  );
});

test("the tasks of one job are spread over the machines that are free", async () => {
  const nodes = [await doors().node({ name: "a", slots: 1 }), await doors().node({ name: "b", slots: 1 })];
  const elements = ["one", "two", "three"].map((uid) => aSource({ uid }));
  const token = await logIn();
  await ask("POST", "/jobs", token, aJob({ name: "first", priority: 254, payload: { elements } }));
  const jobs = (await Promise.all(nodes.map((node) => node.take()))).map((messages) =>
    messages.flatMap((message) => (message.type === "assign" ? message.assignment.taskId : [])),
  );
  expect(jobs.map((tasks) => tasks.length > 0)).toEqual([true, true]);
});
