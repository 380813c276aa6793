import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { mostCharacters } from "../../../shared/mcp/server.ts";
import { toolsFor } from "../../../shared/mcp/tools.ts";
import { openTestCoordinator, type TestCoordinator } from "../../helpers/farm/coordinator.ts";
import { aFolder, aSmallJob, removeFolder } from "../../helpers/farm/farm.ts";
import { documentsOf, runHere } from "../../helpers/processes/cli.ts";

let folder: string;
let farm: TestCoordinator;
beforeAll(async () => {
  folder = aFolder();
  farm = await openTestCoordinator(join(folder, "coordinator"));
});
const clients: Client[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
});
afterAll(async () => {
  await farm.coordinator.close();
  removeFolder(folder);
});

type Keys = { readonly authKey: string; readonly authSecret: string };

/** What a client of language models is configured with. */
const headersOf = ({ authKey, authSecret }: Keys) => ({
  authorization: `Basic ${btoa(`${farm.secrets.oapiKey}:${farm.secrets.oapiSecret}`)}`,
  "x-service-auth-key": authKey,
  "x-service-auth-secret": authSecret,
});

/** The official client, connected. */
const connect = async (path: string, headers: Record<string, string> = headersOf(farm.secrets)): Promise<Client> => {
  const client = new Client({ name: "a test", version: "1.0.0" });
  clients.push(client);
  await client.connect(new StreamableHTTPClientTransport(new URL(farm.origin + path), { requestInit: { headers } }));
  return client;
};

const makeKey = async (name: string, scopes: string): Promise<Keys> => {
  const words = ["api-users", "create", name, "--scopes", scopes, "--reach", "all", "--json", "--data", folder];
  const { stdout } = await runHere(words, { clock: farm.clock });
  const [key] = documentsOf(stdout);
  return { authKey: String(key?.auth_key), authSecret: String(key?.auth_secret) };
};

type Answer = { readonly isError?: boolean | undefined; readonly content: readonly object[] };
const textOf = (answer: object): string => {
  const [first] = (answer as Answer).content; // what this server answers to tools/call
  return first && "text" in first ? String(first.text) : "";
};
const call = async (client: Client, name: string, args: Record<string, unknown> = {}) =>
  JSON.parse(textOf(await client.callTool({ name, arguments: args })));

test("the official client lists every tool and calls each over HTTP", async () => {
  const client = await connect("/mcp?act=true");
  expect(client.getServerVersion()?.name).toBe("mediafarm");
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(toolsFor(true).map(({ name }) => name));
  const called = new Set<string>();
  const ask = (name: string, args: Record<string, unknown> = {}) => {
    called.add(name);
    return call(client, name, args);
  };

  expect((await ask("submit_job", { job: aSmallJob() })).id).toBe("0");
  const { id: job_id } = await ask("submit_job", { job: aSmallJob(), dry_run: false });
  expect((await ask("list_jobs", { take: 5 })).items).toMatchObject([{ id: job_id }]);
  expect(await ask("get_job", { job_id })).toMatchObject({ id: job_id, owner: "command line" });
  const [task] = (await ask("list_tasks", { job_id })).items;
  expect((await ask("explain_task", { task_id: task.id })).task_id).toBe(task.id);
  expect((await ask("get_log", { task_id: task.id })).items).toEqual([]);
  expect((await ask("list_outputs", { job_id })).items).toEqual([]);
  expect((await ask("get_result", { job_id })).job.id).toBe(Number(job_id));
  expect((await ask("list_nodes")).items).toEqual([]);
  expect((await ask("pause_job", { job_id })).id).toBe(job_id);
  expect((await ask("resume_job", { job_id })).id).toBe(job_id);
  expect((await ask("stop_job", { job_id, note: "by a model" })).id).toBe(job_id);
  expect((await ask("retry_job", { job_id })).id).toBe(job_id);
  expect([...called].sort()).toEqual(tools.map(({ name }) => name).sort());
});

test("what a tool did stands in the audit as the call that it made", async () => {
  const client = await connect("/mcp?act=true");
  const { id: job_id } = await call(client, "submit_job", { job: aSmallJob(), dry_run: false });
  await call(client, "stop_job", { job_id, note: "by a model" });
  const { stdout } = await runHere(["audit", "--json", "--data", folder], { clock: farm.clock });
  const lines = documentsOf(stdout);
  expect(JSON.stringify(lines)).toContain("stopJob");
  expect(JSON.stringify(lines)).toContain("by a model");
});

test("tools only read where nobody asked for more, and are those of the key's scopes", async () => {
  const names = async (client: Client) => (await client.listTools()).tools.map(({ name }) => name);
  expect(await names(await connect("/mcp"))).toEqual(toolsFor(false).map(({ name }) => name));
  const nodesOnly = headersOf(await makeKey("of nodes", "nodes:read"));
  expect(await names(await connect("/mcp?act=true", nodesOnly))).toEqual(["list_nodes"]);
});

test("a key that may only look at things cannot act", async () => {
  const { id: job_id } = await call(await connect("/mcp?act=true"), "submit_job", {
    ...{ job: aSmallJob(), dry_run: false },
  });
  const viewer = await connect("/mcp?act=true", headersOf(await makeKey("viewer", "jobs:read,nodes:read")));
  const { tools } = await viewer.listTools();
  expect(tools.filter(({ annotations }) => annotations?.readOnlyHint !== true)).toEqual([]);
  for (const { name, isActing } of toolsFor(true)) {
    if (!isActing) continue;
    const refused = await viewer
      .callTool({ name, arguments: { job_id } })
      .then(textOf)
      .catch(({ message }) => message);
    expect(refused).toContain(`There is no tool "${name}"`);
  }
  expect((await call(viewer, "get_job", { job_id })).status).not.toBe("failed");
});

test("a key reaches through its tools what it reaches by itself", async () => {
  const { id: job_id } = await call(await connect("/mcp?act=true"), "submit_job", {
    ...{ job: aSmallJob(), dry_run: false },
  });
  const words = ["api-users", "create", "narrow", "--scopes", "jobs:read", "--json", "--data", folder];
  const [key] = documentsOf((await runHere(words, { clock: farm.clock })).stdout);
  const narrow = await connect(
    "/mcp",
    headersOf({ authKey: String(key?.auth_key), authSecret: String(key?.auth_secret) }),
  );
  expect((await call(narrow, "list_jobs")).items).toEqual([]);
  const refused = (await narrow.callTool({ name: "get_job", arguments: { job_id } })) as Answer; // as this server answers
  expect([refused.isError, textOf(refused)]).toEqual([true, expect.stringContaining(job_id)]);
});

const post = (body: unknown, headers: Record<string, string | undefined> = {}, path = "/mcp") =>
  farm.ask("POST", path, { body, headers: { "x-service-sapiauth": farm.token, ...headers } });
const ping = { jsonrpc: "2.0", id: 1, method: "ping" };

test("a token opens it as well, and neither a wrong key nor half of the credentials does", async () => {
  expect((await post(ping)).body).toEqual({ jsonrpc: "2.0", id: 1, result: {} });
  const wrong: Record<string, string | undefined>[] = [
    { authorization: undefined },
    { "x-service-sapiauth": undefined },
    { "x-service-sapiauth": "unknown" },
    { "x-service-sapiauth": undefined, "x-service-auth-key": farm.secrets.authKey },
    {
      "x-service-sapiauth": undefined,
      ...{ "x-service-auth-key": farm.secrets.authKey, "x-service-auth-secret": "wrong" },
    },
  ];
  for (const headers of wrong) expect((await post(ping, headers)).status).toBe(401);
  // No other route takes a key for a token.
  const elsewhere = await farm.ask("GET", "/v1/nodes", { headers: headersOf(farm.secrets) });
  expect(elsewhere.status).toBe(401);
});

test("a revoked key is refused at once, though it had logged in", async () => {
  const key = await makeKey("short-lived", "nodes:read");
  const headers = { ...headersOf(key), "x-service-sapiauth": undefined };
  expect((await post(ping, headers)).status).toBe(200);
  await runHere(["api-users", "revoke", key.authKey, "--data", folder], { clock: farm.clock });
  expect((await post(ping, headers)).status).toBe(401);
});

test("pages of others are refused, and so are foreign names", async () => {
  const own = farm.origin;
  expect((await post(ping, { origin: own })).status).toBe(200);
  for (const origin of ["https://evil.test", "null", own.replace("http", "ftp"), `${own}1`])
    expect((await post(ping, { origin })).status).toBe(403);
  expect((await post(ping, { "sec-fetch-site": "cross-site" })).status).toBe(403);
});

test("it keeps no session and opens no stream", async () => {
  const { headers, status } = await post({ ...ping, method: "initialize", params: { protocolVersion: "2025-06-18" } });
  expect([status, headers.get("mcp-session-id")]).toEqual([200, null]);
  expect((await post({ jsonrpc: "2.0", method: "notifications/initialized" })).status).toBe(202);
  for (const method of ["GET", "DELETE"]) {
    const refused = await farm.ask(method, "/mcp");
    expect([refused.status, refused.headers.get("allow")]).toEqual([405, "POST"]);
  }
});

test("what is no message is refused with words, and the answers are bounded", async () => {
  for (const body of [[ping], { id: 1, method: "ping" }, 7, "no json"]) expect((await post(body)).status).toBe(400);
  expect((await post(ping, { "mcp-protocol-version": "1999-01-01" })).status).toBe(400);
  expect((await post(ping, { "mcp-protocol-version": "2025-06-18" })).status).toBe(200);
  expect((await post(ping, {}, "/mcp?acts=true")).status).toBe(400);
  expect((await post({ ...ping, params: { text: "x".repeat(1024 * 1024) } })).status).toBe(413);
  const long = { ...ping, method: "tools/call", params: { name: "x".repeat(500_000) } };
  expect(JSON.stringify((await post(long)).body).length).toBeLessThan(1000);
  const client = await connect("/mcp?act=true");
  for (let nr = 0; nr < 100; nr += 1)
    await call(client, "submit_job", { job: { ...aSmallJob(), name: "long ".repeat(300) }, dry_run: false });
  const text = textOf(await client.callTool({ name: "list_jobs", arguments: { take: 100 } }));
  expect(text.length).toBeLessThan(mostCharacters + 200);
  expect(text).toContain("Ask for less at a time");
});
