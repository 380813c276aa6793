import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { linesOf, mostLineCharacters } from "../../../cli/mcp/lines.ts";
import { createMcpServer, mostCharacters, protocolVersions } from "../../../shared/mcp/server.ts";
import { toolsFor } from "../../../shared/mcp/tools.ts";
import { openTestCoordinator, type TestCoordinator } from "../../helpers/farm/coordinator.ts";
import { aFolder, aSmallJob, removeFolder } from "../../helpers/farm/farm.ts";
import { commandEnv, documentsOf, runHere } from "../../helpers/processes/cli.ts";

let folder: string;
let farm: TestCoordinator;
beforeAll(async () => {
  folder = aFolder();
  farm = await openTestCoordinator(join(folder, "coordinator"));
});
afterAll(async () => {
  await farm.coordinator.close();
  removeFolder(folder);
});

type Answer = {
  readonly id: number;
  readonly result?: Result;
  readonly error?: { readonly code: number; readonly message: string };
};
type Result = {
  readonly isError?: boolean;
  readonly protocolVersion?: string;
  readonly content?: readonly { readonly text: string }[];
  readonly tools?: readonly { readonly name: string }[];
};

/** Sends requests to `mediafarm mcp`, numbered from 1; its answers in order. */
const talk = async (requests: readonly object[], words: readonly string[] = [], env = commandEnv(farm)) => {
  const stdin = requests.map((each, at) => `${JSON.stringify({ jsonrpc: "2.0", id: at + 1, ...each })}\n`).join("");
  const { status, stdout, stderr } = await runHere(["mcp", ...words], { env, stdin, clock: farm.clock });
  expect([status, stderr]).toEqual([0, ""]);
  return documentsOf(stdout) as unknown as Answer[];
};
const callOf = (name: string, args: object = {}) => ({ method: "tools/call", params: { name, arguments: args } });
const contentOf = (answer: Answer | undefined) => JSON.parse(answer?.result?.content?.[0]?.text ?? "null");

test("a client is greeted in its version, and told tools that only read", async () => {
  const [greeted, older, newer, listed] = await talk([
    {
      method: "initialize",
      params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "1" } },
    },
    { method: "initialize", params: { protocolVersion: "2024-11-05" } },
    { method: "initialize", params: { protocolVersion: "2099-01-01" } },
    { method: "tools/list" },
  ]);
  expect(greeted?.result).toMatchObject({ protocolVersion: "2025-06-18", serverInfo: { name: "mediafarm" } });
  expect([older, newer].map((each) => each?.result?.protocolVersion)).toEqual(["2024-11-05", protocolVersions[0]]);
  expect(listed?.result?.tools?.map(({ name }) => name)).toEqual(toolsFor(false).map(({ name }) => name));
  expect(listed?.result?.tools?.[0]).toMatchObject({
    inputSchema: { type: "object" },
    annotations: { readOnlyHint: true },
  });
});

test("every reading tool answers about a job, and acting ones act where they were asked for", async () => {
  const [submitted] = await talk([callOf("submit_job", { job: aSmallJob(), dry_run: false })], ["--act"]);
  const { id } = contentOf(submitted);
  const [jobs, job, tasks, outputs, nodes, result] = await talk([
    callOf("list_jobs", { take: 5 }),
    callOf("get_job", { job_id: id }),
    callOf("list_tasks", { job_id: id }),
    callOf("list_outputs", { job_id: id }),
    callOf("list_nodes"),
    callOf("get_result", { job_id: id }),
  ]);
  expect(contentOf(jobs).items).toMatchObject([{ id }]);
  expect(contentOf(job)).toMatchObject({ id, status: expect.any(String) });
  const [task] = contentOf(tasks).items;
  expect([contentOf(outputs).items, contentOf(nodes).items, contentOf(result).job.id]).toEqual([[], [], Number(id)]);
  const [why, log] = await talk([
    callOf("explain_task", { task_id: task.id }),
    callOf("get_log", { task_id: task.id }),
  ]);
  expect([contentOf(why).task_id, contentOf(log).items]).toEqual([task.id, []]);
  await talk([callOf("stop_job", { job_id: id, note: "a test" })], ["--act"]);
  const [stopped] = await talk([callOf("get_job", { job_id: id })]);
  expect(contentOf(stopped)).toMatchObject({ status: "failed", substatus: "stopped" });
});

test("without --act no tool acts, and a key that may only read cannot act with it", async () => {
  const [hidden] = await talk([callOf("stop_job", { job_id: "1" })]);
  expect(hidden?.error).toEqual({ code: -32_602, message: 'There is no tool "stop_job"' });
  const made = await runHere(
    ["api-users", "create", "viewer", "--scopes", "jobs:read,nodes:read", "--json", "--data", folder],
    {
      clock: farm.clock,
    },
  );
  const [key] = documentsOf(made.stdout);
  const env = {
    ...commandEnv(farm),
    MEDIAFARM_AUTH_KEY: String(key?.auth_key),
    MEDIAFARM_AUTH_SECRET: String(key?.auth_secret),
  };
  const answers = await talk(
    [
      callOf("submit_job", { job: aSmallJob(), dry_run: false }),
      callOf("stop_job", { job_id: "1" }),
      callOf("list_nodes"),
    ],
    ["--act"],
    env,
  );
  expect(answers.map(({ result }) => result?.isError ?? false)).toEqual([true, true, false]);
  expect(answers[0]?.result?.content?.[0]?.text).toContain("lacks the scope jobs:write");
});

test("what is wrong is told, and the next request is answered", async () => {
  const answers = await talk([
    callOf("get_job", { job_id: "../1" }),
    callOf("get_job", { job_id: "987654" }),
    { method: "resources/list" },
    { method: "ping" },
  ]);
  expect(answers.slice(0, 2).map(({ result }) => [result?.isError, result?.content?.[0]?.text])).toEqual([
    [true, expect.stringContaining("must be a number")],
    [true, expect.stringContaining("987654")],
  ]);
  expect(answers.slice(2)).toEqual([
    { jsonrpc: "2.0", id: 3, error: { code: -32_601, message: "There is no method resources/list" } },
    { jsonrpc: "2.0", id: 4, result: {} },
  ]);
});

test("answers are cut, notifications get none, and what is no request is refused", async () => {
  const [tool] = toolsFor(false);
  const answer = createMcpServer({ tools: toolsFor(false), version: "1", run: async () => "x".repeat(200_000) });
  const reply = (await answer({ jsonrpc: "2.0", id: 1, ...callOf(tool?.name ?? "") })) as unknown as Answer;
  expect(reply.result?.content?.[0]?.text.length).toBeLessThan(mostCharacters + 100);
  expect(await answer({ jsonrpc: "2.0", method: "notifications/initialized" })).toBeUndefined();
  for (const wrong of [undefined, [], "x", { id: 1, method: "ping" }])
    expect(await answer(wrong)).toMatchObject({ id: null, error: { code: -32_600 } });
});

test("a line that is too long is dropped, and the next one is read", async () => {
  async function* chunks() {
    yield '{"a":1}\n{"b"';
    yield ":2}\n";
    for (let nr = 0; nr < 5; nr += 1) yield "x".repeat(mostLineCharacters / 4);
    yield "\nnext\n";
  }
  const lines: unknown[] = [];
  for await (const line of linesOf(chunks())) lines.push(line);
  expect(lines).toEqual(['{"a":1}', '{"b":2}', undefined, "next"]);
});
