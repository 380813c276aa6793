import { once } from "node:events";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { createDeliver } from "../../../../agent/outbound/deliver.ts";
import { systemClock } from "../../../../shared/basics/system-clock.ts";
import { openTestCoordinator } from "../../../helpers/farm/coordinator.ts";
import { aFolder, removeFolder } from "../../../helpers/farm/farm.ts";
import { aWorldPerTest } from "../../../helpers/farm/worlds.ts";
import { commandEnv, documentsOf, runHere } from "../../../helpers/processes/cli.ts";

const world = aWorldPerTest({
  open: (folder) => openTestCoordinator(folder, {}, { deliver: createDeliver(systemClock) }),
  close: ({ coordinator }) => coordinator.close(),
});

const run = (words: readonly string[], stdin?: unknown) =>
  runHere(["webhooks", ...words], {
    env: commandEnv(world()),
    stdin: typeof stdin === "string" ? stdin : JSON.stringify(stdin),
  });
const listed = async (): Promise<unknown[]> => documentsOf((await run(["--json"])).stdout);

const hook = { name: "studio", url: "https://hooks.example/a-key", events: ["job.completed"] };
/** What moves a terminal's cursor, names its window or turns text around. */
const tricks = "\u001b[2J\u001b]0;owned\u0007\u009b31m\u202emoc.live\u0000\r";
const isPlain = (text: string): boolean => !/[^\P{Control}\n\t]|[\u202a-\u202e]/u.test(text);

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** A receiver that answers whatever it likes. */
const aReceiver = async (answer: Buffer, status = 500): Promise<string> => {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(status, { "content-type": "text/plain" }).end(answer);
  }).listen(0, "127.0.0.1");
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, "listening");
  await runHere(["outbound", "add", "127.0.0.1"], { env: commandEnv(world()) });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`; // a listening TCP server has one
};

test.each([
  ["with signs of a terminal", Buffer.from(`no${tricks}`)],
  ["that is no text", Buffer.from([0xff, 0xfe, 0x1b, 0x5b, 0x32, 0x4a, 0xc3, 0x28])],
  ["of many megabytes", Buffer.alloc(8_000_000, "x")],
  ["of a thousand lines", Buffer.from("line\n".repeat(1000))],
])("an answer %s reaches no terminal as it is", async (_, answer) => {
  await run(["add", "-"], { ...hook, url: await aReceiver(answer) });
  for (const words of [
    ["test", "studio"],
    ["messages", "studio"],
    ["messages", "studio", "--json"],
  ]) {
    const { stdout, stderr } = await run(words);
    expect([words, isPlain(stdout + stderr)]).toEqual([words, true]);
    expect(stdout.length).toBeLessThan(10_000);
    expect(stdout.split("\n").length).toBeLessThan(10);
  }
  const [found] = documentsOf((await run(["messages", "studio", "--json"])).stdout);
  expect(isPlain((await run(["message", "studio", String(found?.id)])).stdout)).toBe(true);
});

test("a receiver that repeats what it was sent tells nobody the secret", async () => {
  const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
  await run(["add", "-"], { ...hook, secret, url: await aReceiver(Buffer.from(`wrong key ${secret}`)) });
  const all = [];
  for (const words of [["test", "studio"], ["messages", "studio"], ["messages", "studio", "--json"], [], ["--json"]])
    all.push((await run(words)).stdout);
  expect(all.join()).not.toContain(secret.slice(6, 30));
  expect(all.join()).toContain("wrong key");
});

test.each([
  ...["..", ".", "", "../jobs", "..%2fjobs", "studio/../..", "studio?x=1", "studio#", "__proto__", "-", "stu\u0000dio"],
])("the name %j is nobody's, and touches nothing else", async (name) => {
  await run(["add", "-"], hook);
  const before = await listed();
  for (const words of [
    ["remove", name],
    ["off", name],
    ["rotate", name],
    ["test", name],
    ["messages", name],
    ["message", name, "1-1"],
    ["message", "studio", name],
    ["send-again", name, "--given-up"],
  ]) {
    const { status, stdout } = await run(words);
    expect([words, status === 0]).toEqual([words, false]);
    expect(stdout).toBe("");
  }
  expect(await listed()).toEqual(before);
});

test.each([
  ["is no object", "[]"],
  ["is deep", `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`],
  ["is no JSON, and says so with signs of a terminal", `{"name": "${tricks}`],
  ["says more than there is", JSON.stringify({ ...hook, is_admin: true })],
  ["changes the prototype", `{"__proto__": {"name": "studio"}, "url": "https://a.example/", "events": ["job.failed"]}`],
  ["names another farm's file", JSON.stringify({ ...hook, url: "file:///etc/passwd" })],
  ["names a socket of this machine", JSON.stringify({ ...hook, url: "unix:/run/docker.sock" })],
  ["holds a list without an end", JSON.stringify({ ...hook, tags: Array.from({ length: 100_000 }, () => "a") })],
  ["holds a megabyte of secret", JSON.stringify({ ...hook, secret: `whsec_${"A".repeat(1_000_000)}` })],
  ["has a name of signs", JSON.stringify({ ...hook, name: tricks })],
])("a file that %s adds nothing, and is refused in words without what it holds", async (_, text) => {
  for (const verb of ["add", "change"]) {
    const { status, stdout, stderr } = await run([verb, "-"], text);
    expect([status === 0, stdout]).toEqual([false, ""]);
    expect(isPlain(stderr)).toBe(true);
    expect(stderr.length).toBeLessThan(5000);
    expect(stderr).not.toMatch(/root:|AAAAAAAAAA|at .*\.ts:\d/);
  }
  expect(await listed()).toEqual([]);
});

test("a file that is none is refused in words", async () => {
  const folder = aFolder();
  const at = (name: string) => join(folder, name);
  mkdirSync(at("folder"));
  symlinkSync(at("loop"), at("loop"));
  writeFileSync(at("key.pem"), "-----BEGIN PRIVATE KEY-----\nMIGHAgEA\n");
  for (const name of ["folder", "loop", "nothing", "key.pem"]) {
    const { status, stderr } = await run(["add", at(name)]);
    expect([name, status, stderr.includes("MIGHAgEA")]).toEqual([name, 1, false]);
  }
  removeFolder(folder);
});
