import { readFileSync } from "node:fs";
import { request } from "node:https";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { makeCertificate, newKey } from "../../../coordinator/tls/certificate.ts";
import { authorityFile } from "../../../coordinator/tls/tls.ts";
import { decodeJoinToken, encodeJoinToken } from "../../../shared/credentials/join-token.ts";
import { aFolder } from "../../helpers/agent/agent-fixture.ts";
import { exitOf, type Program, startProgram, stop, until } from "../../helpers/processes/farm-processes.ts";
import { serveTls } from "../../helpers/processes/tls-server.ts";

const root = join(import.meta.dirname, "../../..");

type Ready = Record<"base_url" | "join_token" | "first_sign_in_url", string>;

test("a farm on a network speaks TLS, its agents know it by their pin, and follow it to a new key", async () => {
  const { path: folder, remove } = await aFolder();
  const programs: Program[] = [];
  onTestFinished(async () => {
    for (const { child } of programs) child.kill("SIGKILL");
    await Promise.all(programs.map(({ child }) => exitOf(child)));
    await remove();
  });
  const env = { ...process.env, XDG_CONFIG_HOME: join(folder, "config"), MEDIAFARM_JOIN_TOKEN: "" };
  const start = (file: string, words: readonly string[], more = {}): Program => {
    const program = startProgram(join(root, file), words, { ...env, ...more });
    programs.push(program);
    return program;
  };
  const up = async (port: number, ...words: string[]) => {
    const where = ["--host", "127.0.0.2", "--port", String(port), "--data", join(folder, "farm")];
    const program = start("cli/main.ts", ["up", "--no-agent", "--json", ...where, ...words]);
    return { program, ready: (await program.firstLine) as Ready }; // the contract of `up --json`
  };
  const join_ = (name: string, token?: string) =>
    start("agent/main.ts", ["--json", "--data", join(folder, name), "--name", name], {
      ...(token && { MEDIAFARM_JOIN_TOKEN: token }),
      PATH: "", // without media tools it starts at once
    });
  const command = async (words: readonly string[], more = {}) => {
    const program = start("cli/main.ts", words, more);
    const [answer, status] = [await program.firstLine.catch(() => undefined), await exitOf(program.child)];
    return { answer, status, stderr: program.stderr() };
  };

  const { program: coordinator, ready } = await up(0, "--tls");
  const { url, pins, farmId, secret } = decodeJoinToken(ready.join_token);
  const port = Number(new URL(ready.base_url).port);
  expect([ready.base_url, url]).toEqual([`https://127.0.0.2:${port}/v1`, `wss://127.0.0.2:${port}/v1/agent`]);

  // Commands of this user know the authority; others name it.
  expect(await command(["nodes", "--json"])).toMatchObject({ status: 0 });
  const { stderr } = await command(["jobs"], { XDG_CONFIG_HOME: join(folder, "other"), ...strangersOf(ready) });
  expect(stderr).toContain("MEDIAFARM_CA");

  // Plain HTTP gets words; a browser is sent on, and the pages are there.
  const plain = await fetch(`http://127.0.0.2:${port}/v1/jobs`);
  expect([plain.status, ((await plain.json()) as { message: string }).message]).toEqual([
    426,
    `This port speaks HTTPS: use https://127.0.0.2:${port}/v1/jobs`,
  ]);
  const page = await fetch(`http://127.0.0.2:${port}/`, { headers: { accept: "text/html" }, redirect: "manual" });
  expect([page.status, page.headers.get("location")]).toEqual([307, `https://127.0.0.2:${port}/`]);
  const ca = readFileSync(join(folder, "farm/coordinator", authorityFile), "utf8");
  expect(await cookieOf(ready, ca)).toMatch(/; HttpOnly; SameSite=Strict; Secure$/);

  const node = join_("one", ready.join_token);
  expect(await node.firstLine).toEqual({ event: "connected", node_id: 1 });
  await stop(node);

  const old = join_("old", encodeJoinToken({ url: url.replace("wss:", "ws:"), farmId, secret }));
  await until("an agent with an old token to be told what to do", () =>
    old.stderr().includes("This farm speaks TLS now: join again with the token that mediafarm join-token shows"),
  );
  old.child.kill("SIGKILL");

  // Somebody in between has a certificate for the same address, and hears nothing.
  const key = newKey();
  const [from, until_] = [Date.now() - 1000, Date.now() + 3600_000];
  const certificate = makeCertificate({ subject: "x", key, names: ["127.0.0.2"], from, until: until_ });
  const thief = await serveTls({ key: key.export({ type: "pkcs8", format: "pem" }).toString(), cert: certificate });
  onTestFinished(thief.close);
  const stolen = join_("two", encodeJoinToken({ url: `wss://127.0.0.2:${thief.port}/v1/agent`, farmId, secret, pins }));
  await until("an agent to refuse another certificate", () =>
    stolen.stderr().includes("is not trusted: its certificate is not this farm's"),
  );
  stolen.child.kill("SIGKILL");
  expect([thief.connections() > 0, thief.heard()]).toEqual([true, 0]);

  // The node was told the next pin while it was connected: it needs no new token.
  await stop(coordinator);
  const again = await up(port, "--tls-new-key");
  expect(decodeJoinToken(again.ready.join_token).pins).not.toEqual(pins);
  expect(await join_("one").firstLine).toEqual({ event: "connected", node_id: 1 });
  expect(await command(["nodes", "--json"])).toMatchObject({ status: 0 });
  const late = join_("three", ready.join_token);
  await until("a token of the old key to be refused", () => late.stderr().includes("or the farm has a new key"));
});

/** Credentials that lead to the farm, but not what it is known by. */
const strangersOf = ({ base_url }: Ready) => ({
  MEDIAFARM_URL: base_url,
  ...{ MEDIAFARM_OAPI_KEY: "x", MEDIAFARM_OAPI_SECRET: "x", MEDIAFARM_AUTH_KEY: "x", MEDIAFARM_AUTH_SECRET: "x" },
});

/** Makes the first owner, and gives the cookie that signs them in. */
const cookieOf = ({ base_url, first_sign_in_url }: Ready, ca: string): Promise<string | undefined> =>
  new Promise((resolve, reject) => {
    const code = new URLSearchParams(first_sign_in_url.split("?")[1]).get("code");
    const origin = new URL(base_url).origin;
    const headers = { origin, "content-type": "application/json" };
    request(`${origin}/ui/v1/first-session`, { method: "POST", ca, headers }, (response) => {
      response.resume();
      resolve(response.headers["set-cookie"]?.[0]);
    })
      .on("error", reject)
      .end(JSON.stringify({ code, name: "Ada", password: "long enough" }));
  });
