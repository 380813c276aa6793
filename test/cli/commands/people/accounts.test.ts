import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { keepCredentials } from "../../../../cli/farms/credentials.ts";
import { openTestCoordinator, type TestCoordinator } from "../../../helpers/farm/coordinator.ts";
import { aFolder, removeFolder } from "../../../helpers/farm/farm.ts";
import { documentsOf, runHere } from "../../../helpers/processes/cli.ts";

let folder: string;
let farm: TestCoordinator;
let env: Record<string, string>;

beforeEach(async () => {
  folder = aFolder();
  farm = await openTestCoordinator(join(folder, "coordinator"));
  env = { XDG_CONFIG_HOME: join(folder, "config") };
});
afterEach(async () => {
  await farm.coordinator.close();
  removeFolder(folder);
});

const run = (...words: string[]) => runHere([...words, "--data", folder], { env, clock: farm.clock });
const json = async (...words: string[]) => {
  const { status, stdout, stderr } = await run(...words, "--json");
  expect([status, stderr]).toEqual([0, ""]);
  return documentsOf(stdout);
};

describe("people", () => {
  test("are added with a link where they choose their password, listed, given a role and removed", async () => {
    const [added] = await json("people", "add", "Ada", "--role", "owner");
    expect(added).toEqual({
      name: "Ada",
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/#\/reset\?code=[\w-]{43}$/),
      expires: "2026-11-01T01:00:00.000Z",
    });
    await json("people", "add", "Bob");
    const created = "2026-11-01T00:00:00.000Z";
    const plain = { created, second_step: false, links: [], only_tags: [], only_groups: [] };
    expect(await json("people", "role", "Bob", "viewer")).toEqual([{ name: "Bob", role: "viewer", ...plain }]);
    expect(await json("people")).toEqual([
      { name: "Ada", role: "owner", ...plain },
      { name: "Bob", role: "viewer", ...plain },
    ]);
    expect(await json("people", "clear", "Bob")).toEqual([{ name: "Bob", second_step: false }]);
    expect(await json("people", "remove", "Bob")).toEqual([{ removed: "Bob" }]);
    expect((await run("people")).stdout).toBe(`NAME  ROLE   ONLY  SINCE\nAda   owner        ${created}\n`);
  });

  test("are narrowed to tags and compute groups, and freed again", async () => {
    await json("people", "add", "Bob", "--tags", "dailies");
    expect(await json("people", "narrow", "Bob", "--tags", "b, a", "--groups", "Studio A")).toMatchObject([
      { name: "Bob", only_tags: ["a", "b"], only_groups: ["Studio A"] },
    ]);
    expect((await run("people")).stdout).toContain("Bob   operator  a, b, group Studio A  2026");
    expect(await json("people", "narrow", "Bob")).toMatchObject([{ only_tags: [], only_groups: [] }]);
    await json("people", "add", "Ada", "--role", "owner");
    const { status, stderr } = await run("people", "narrow", "Ada", "--tags", "a");
    expect([status, stderr]).toEqual([1, expect.stringContaining("must be empty for an owner")]);
  });

  test("who forgot their password get back in by a link, also the only owner", async () => {
    await json("people", "add", "Ada", "--role", "owner");
    const { stdout } = await run("people", "reset", "Ada");
    const code = /^Ada can choose a password here, once, until \S+: \S+code=([\w-]+)\n$/.exec(stdout)?.[1];
    const origin = farm.origin.replace(/\/$/, "");
    const choose = () =>
      fetch(`${origin}/ui/v1/reset-session`, {
        method: "POST",
        headers: { origin, "content-type": "application/json" },
        body: JSON.stringify({ code, password: "a newer password" }),
      });
    const answer = await choose();
    expect([answer.status, await answer.json()]).toEqual([200, { name: "Ada", role: "owner" }]);
    expect((await choose()).status).toBe(401);
  });

  test("that are not there are told by name", async () => {
    const { status, stderr } = await run("people", "reset", "Nobody");
    expect([status, stderr]).toEqual([1, "There is nobody called Nobody\n"]);
  });
});

describe("api-users", () => {
  test("are made with credentials that log in, listed without the secret, and revoked", async () => {
    const [made] = (await json("api-users", "create", "the archive")) as { auth_key: string; auth_secret: string }[];
    expect((await farm.ask("POST", "/v1/login", { body: made })).status).toBe(200);
    const list = await run("api-users");
    expect(list.stdout).toMatch(new RegExp(`${made?.auth_key}  the archive {3}2026-11-01T00:00:00.000Z  .* +1\n$`));
    expect(list.stdout).not.toContain(made?.auth_secret);
    expect(await json("api-users", "revoke", made?.auth_key ?? "")).toEqual([{ revoked: made?.auth_key }]);
    const refused = farm.ask("POST", "/v1/login", { body: made });
    expect((await refused).status).toBe(401);
  });

  test("are shown with their secret once", async () => {
    expect((await run("api-users", "create")).stdout).toMatch(
      /^auth_key {5}api_[\w-]+\nauth_secret {2}[\w-]{43} {2}\(shown only once\)\n$/,
    );
  });
});

describe("account", () => {
  test("shows the OAPI key, and the secret where it is asked for", async () => {
    const { oapiKey, oapiSecret } = farm.secrets;
    expect((await run("account")).stdout).toBe(`OAPI key  ${oapiKey}\nMade      2026-11-01T00:00:00.000Z\n`);
    expect(await json("account", "secret")).toEqual([{ oapi_key: oapiKey, oapi_secret: oapiSecret }]);
  });

  test("makes the pair anew, and this user's commands go on with the new one", async () => {
    const { oapiKey: oapi_key, oapiSecret: oapi_secret, authKey: auth_key, authSecret: auth_secret } = farm.secrets;
    keepCredentials(env, folder, `${farm.origin}/v1`, { oapi_key, oapi_secret, auth_key, auth_secret });
    expect((await run("account", "renew")).stdout).toMatch(/^OAPI key {5}oapi_[\w-]+\nOAPI secret {2}[\w-]{43}\n$/);
    expect((await farm.ask("GET", "/v1/jobs/count")).status).toBe(401);
    const { status, stdout } = await runHere(["jobs", "--json"], { env, clock: farm.clock });
    expect([status, stdout]).toEqual([0, ""]);
    const kept = JSON.parse(readFileSync(join(folder, "config/mediafarm/credentials.json"), "utf8"));
    expect(kept.farms[folder]).toEqual({
      base_url: `${farm.origin}/v1`,
      oapi_key: expect.stringMatching(/^oapi_/),
      oapi_secret: expect.stringMatching(/^[\w-]{43}$/),
      auth_key,
      auth_secret,
    });
    expect(kept.farms[folder].oapi_key).not.toBe(oapi_key);
  });
});

describe("on another machine, or with no farm running", () => {
  test.each([["people"], ["api-users"], ["account"]])("%s says where it looked", async (verb) => {
    const { status, stderr } = await runHere([verb, "--data", "/nowhere"], { env });
    expect([status, stderr]).toEqual([
      1,
      'This command needs a farm that runs on this machine, but none runs from /nowhere. Start it with "mediafarm up", or name another with --farm or --data; of several coordinators, use the machine of the one that leads (looked for /nowhere/coordinator/machine.key)\n',
    ]);
  });

  test("what a farm that was killed left behind leads nowhere, in words", async () => {
    writeFileSync(join(folder, "coordinator/machine.key"), '{"url":"http://127.0.0.1:9/","key":"x"}');
    const { status, stderr } = await run("people");
    expect([status, stderr]).toEqual([1, "The coordinator does not answer\n"]);
  });
});
