import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createTokens, mostTokens } from "../../../coordinator/people/api-tokens.ts";
import { createMachineKey, machineFile } from "../../../coordinator/people/machine-key.ts";
import { resetMs } from "../../../coordinator/people/people.ts";
import { Secret } from "../../../shared/basics/secret.ts";
import { scopes, usualScopes } from "../../../shared/people/scopes.ts";
import { turns } from "../../helpers/clock.ts";
import { goodPassword, openTestDoors, type TestDoors } from "../../helpers/farm/doors.ts";
import { aFolder, removeFolder } from "../../helpers/farm/farm.ts";
import { stored } from "../../helpers/farm/stored.ts";

let folder: string;
let doors: TestDoors;
let owner: string;
beforeEach(async () => {
  folder = aFolder();
  doors = await openTestDoors(folder);
  owner = await doors.enter("owner", "Ada");
});
afterEach(async () => {
  await doors.close();
  removeFolder(folder);
});

const urlSafe = /^[\w-]{12,}$/;
const minutes = (count: number) => doors.clock.advance(count * 60_000);

const pair = () => {
  const { credentials } = doors;
  if (!credentials) throw new Error("there are no credentials");
  return { oapi_key: credentials.oapiKey, oapi_secret: credentials.oapiSecret };
};
const headersOf = ({ oapi_key, oapi_secret } = pair(), token?: string) => ({
  authorization: `Basic ${btoa(`${oapi_key}:${oapi_secret}`)}`,
  "x-service-compliance": "20261101",
  ...(token === undefined ? {} : { "x-service-sapiauth": token }),
});
const logIn = (auth_key: string, auth_secret: string) =>
  doors.inject({ method: "POST", url: "/v1/login", headers: headersOf(), payload: { auth_key, auth_secret } });
const count = async (token: string, keys = pair()) =>
  (await doors.inject({ method: "GET", url: "/v1/jobs/count", headers: headersOf(keys, token) })).status;
const anApiUser = async (name = "the archive") => {
  const { body } = await doors.ask("POST", "/api-users", owner, { name });
  return body as { auth_key: string; auth_secret: string }; // what the table says
};

describe("the OAPI pair", () => {
  test("is shown to an owner who enters the password again, and its secret nowhere else", async () => {
    const shown = await doors.ask("POST", "/account/oapi", owner, { password: goodPassword });
    expect([shown.status, shown.body]).toEqual([200, pair()]);
    const { body } = await doors.ask("GET", "/account", owner);
    expect(body).toEqual({ oapi_key: pair().oapi_key, created: "2026-11-01T00:00:00.000Z", renewed: null });
  });

  test.each([
    ["a wrong password", { password: "long enougj" }],
    ["none", {}],
  ])("is not shown, nor made anew, for %s", async (_, body) => {
    for (const method of ["POST", "PUT"] as const) {
      const answer = await doors.ask(method, "/account/oapi", owner, body);
      expect([answer.status, answer.body.error]).toEqual([400, "VALIDATION_FAILED"]);
      expect(answer.text).not.toContain(pair().oapi_secret);
    }
    expect((await doors.ask("POST", "/account/oapi", owner, { password: goodPassword })).body).toEqual(pair());
  });

  test("slows down who guesses the password, and locks nobody out", async () => {
    for (let wrong = 0; wrong < 5; wrong += 1) await doors.ask("POST", "/account/oapi", owner, { password: "wrong" });
    const slow = doors.ask("POST", "/account/oapi", owner, { password: "wrong" });
    let status: number | undefined;
    void slow.then((answer) => {
      status = answer.status;
    });
    let waited = 0;
    for (; status === undefined; waited += 50) {
      await turns();
      await doors.clock.advance(50);
    }
    expect([status, waited >= 200]).toEqual([400, true]);
    expect((await doors.ask("POST", "/account/oapi", owner, { password: goodPassword })).status).toBe(200);
  });

  test("made anew opens the API at once, and the old one nothing more", async () => {
    const { auth_key, auth_secret } = await anApiUser();
    const { token } = (await logIn(auth_key, auth_secret)).body;
    const old = pair();
    await minutes(1);
    const { body: made } = await doors.ask("PUT", "/account/oapi", owner, { password: goodPassword });
    expect(made).toEqual({ oapi_key: expect.stringMatching(urlSafe), oapi_secret: expect.stringMatching(urlSafe) });
    expect([await count(token, made), await count(token, old)]).toEqual([200, 401]);
    expect((await doors.ask("GET", "/account", owner)).body).toMatchObject({
      oapi_key: made.oapi_key,
      renewed: "2026-11-01T00:01:00.000Z",
    });
  });
});

describe("API users", () => {
  test("are made with a secret that is shown once, of letters that a URL may hold", async () => {
    const made = await anApiUser();
    expect(made).toEqual({
      auth_key: expect.stringMatching(/^api_[\w-]+$/),
      auth_secret: expect.stringMatching(/^[\w-]{43}$/),
    });
    const list = await doors.ask("GET", "/api-users", owner);
    expect(list.text).not.toContain(made.auth_secret);
    expect(list.body.items).toEqual([
      {
        auth_key: doors.credentials?.authKey,
        name: "command line",
        created: "2026-11-01T00:00:00.000Z",
        ...{ last_login: null, last_used: null, expires: null },
        live_tokens: 0,
        ...{ scopes, reach: "all", group: null, may_mount: true },
      },
      {
        auth_key: made.auth_key,
        name: "the archive",
        created: "2026-11-01T00:00:00.000Z",
        ...{ last_login: null, last_used: null, expires: null },
        live_tokens: 0,
        ...{ scopes: usualScopes, reach: "own", group: null, may_mount: false },
      },
    ]);
  });

  test("have several live tokens at a time, and the list says how many and when the last came", async () => {
    const { auth_key, auth_secret } = await anApiUser();
    await minutes(2);
    const answers = await Promise.all([logIn(auth_key, auth_secret), logIn(auth_key, auth_secret)]);
    for (const { body } of answers) expect(await count(body.token)).toBe(200);
    const { items } = (await doors.ask("GET", "/api-users", owner)).body;
    expect(items[1]).toMatchObject({ last_login: "2026-11-01T00:02:00.000Z", live_tokens: 2 });
  });

  test("say when they were last used, to a minute", async () => {
    const { auth_key, auth_secret } = await anApiUser();
    const { token } = (await logIn(auth_key, auth_secret)).body;
    const lastUsed = async () => (await doors.ask("GET", "/api-users", owner)).body.items[1].last_used;
    expect(await lastUsed()).toBe("2026-11-01T00:00:00.000Z");
    await minutes(5);
    expect(await count(token)).toBe(200);
    await turns();
    expect(await lastUsed()).toBe("2026-11-01T00:05:00.000Z");
  });

  test("that were made for some days open nothing after them, however busy their tokens are", async () => {
    const { body } = await doors.ask("POST", "/api-users", owner, { name: "for a fair", days: 1 });
    const list = async () => (await doors.ask("GET", "/api-users", owner)).body.items[1];
    expect(await list()).toMatchObject({ name: "for a fair", expires: "2026-11-02T00:00:00.000Z" });
    await minutes(24 * 60 - 10);
    owner = (await doors.signIn("Ada")).cookie ?? "";
    const { token } = (await logIn(body.auth_key, body.auth_secret)).body;
    expect(await count(token)).toBe(200);
    const stream = doors.inject({ method: "GET", url: "/v1/events", headers: headersOf(pair(), token) });
    await turns();
    await minutes(10);
    expect([await count(token), (await logIn(body.auth_key, body.auth_secret)).status]).toEqual([401, 401]);
    await doors.clock.advance(15_000);
    expect((await stream).text).toContain("retry: 1000");
    for (const days of [0, -1, 4000, "1"])
      expect((await doors.ask("POST", "/api-users", owner, { name: "x", days })).status).toBe(400);
  });

  test("that are revoked log in no more, their tokens end at once and so do their streams", async () => {
    const { auth_key, auth_secret } = await anApiUser();
    const { token } = (await logIn(auth_key, auth_secret)).body;
    const stream = doors.inject({ method: "GET", url: "/v1/events", headers: headersOf(pair(), token) });
    await turns();
    expect((await doors.ask("DELETE", `/api-users/${auth_key}`, owner)).status).toBe(200);
    expect([await count(token), (await logIn(auth_key, auth_secret)).status]).toEqual([401, 401]);
    await doors.clock.advance(15_000);
    expect((await stream).text).toContain("retry: 1000");
    expect((await doors.ask("GET", "/api-users", owner)).body.items).toHaveLength(1);
    expect((await doors.ask("DELETE", `/api-users/${auth_key}`, owner)).body).toMatchObject({
      error: "NOT_FOUND",
      message: `There is no API user ${auth_key}`,
    });
  });

  test("are nobody's business but an owner's", async () => {
    const operator = await doors.enter("operator", "Bob");
    for (const [method, path] of [
      ["GET", "/api-users"],
      ["POST", "/api-users"],
      ["DELETE", "/api-users/api_x"],
      ["GET", "/account"],
      ["POST", "/account/oapi"],
      ["PUT", "/account/oapi"],
      ["POST", "/people/Ada/reset"],
    ] as const)
      expect((await doors.ask(method, path, operator, method === "POST" ? {} : undefined)).status, path).toBe(403);
  });
});

describe("tokens", () => {
  const tokensNow = () => stored(doors.farm).all<{ expires: number }>("SELECT expires FROM tokens ORDER BY expires");

  test("have their lives written down at most once a minute, however many calls come", async () => {
    const { auth_key, auth_secret } = await anApiUser();
    const { token } = (await logIn(auth_key, auth_secret)).body;
    const [before] = tokensNow();
    await doors.clock.advance(59_000);
    await Promise.all(Array.from({ length: 20 }, () => count(token)));
    await turns();
    expect(tokensNow()).toEqual([before]);
    await doors.clock.advance(1000);
    stored(doors.farm).exec(`CREATE TABLE writes (hash TEXT);
      CREATE TRIGGER noted AFTER UPDATE ON tokens BEGIN INSERT INTO writes VALUES (NEW.hash); END`);
    await Promise.all(Array.from({ length: 20 }, () => count(token)));
    await turns();
    expect(stored(doors.farm).all("SELECT * FROM writes")).toHaveLength(1);
    expect(tokensNow()).toEqual([{ expires: doors.clock.now() + 30 * 60_000 }]);
  });

  test("are not moved on by a call that fails", async () => {
    const { auth_key, auth_secret } = await anApiUser();
    const { token } = (await logIn(auth_key, auth_secret)).body;
    const before = tokensNow();
    await minutes(20);
    const headers = headersOf(pair(), token);
    expect((await doors.inject({ method: "GET", url: "/v1/jobs/77/info", headers })).status).toBe(404);
    await turns();
    expect(tokensNow()).toEqual(before);
  });

  test("are never shortened", async () => {
    const { auth_key, auth_secret } = await anApiUser();
    const { token } = (await logIn(auth_key, auth_secret)).body;
    const before = tokensNow();
    const hasty = createTokens(doors.farm.store, doors.farm.clock, 1000);
    await minutes(10);
    (await hasty.use(new Secret(token))).extend();
    await turns();
    expect(tokensNow()).toEqual(before);
  });

  test(`of one user are ${mostTokens} at most: those that end first make room`, async () => {
    const { auth_key, auth_secret } = await anApiUser();
    const first = (await logIn(auth_key, auth_secret)).body.token;
    await doors.clock.advance(1);
    const tokens = createTokens(doors.farm.store, doors.farm.clock, 30 * 60_000);
    await Promise.all(Array.from({ length: mostTokens }, () => tokens.login(auth_key, new Secret(auth_secret))));
    expect(tokensNow()).toHaveLength(mostTokens);
    expect(await count(first)).toBe(401);
  });
});

describe("web credentials at POST /login", () => {
  test.each([
    ["right", goodPassword],
    ["wrong", "something else"],
  ])("are refused in words, the password being %s", async (_, password) => {
    const { status, body } = await logIn("Ada", password);
    expect([status, body.error]).toEqual([401, "NOT_AUTHENTICATED"]);
    expect(body.message).toContain("names and passwords of the web pages open the pages only");
  });

  test("are told no other words than nobody's, so that names cannot be tried out", async () => {
    expect((await logIn("Ada", "x")).body).toEqual((await logIn("nobody", "x")).body);
  });
});

describe("the key of the machine", () => {
  const withKey = (key: string, method: "GET" | "POST", path: string) =>
    doors.inject({ method, url: `/ui/v1${path}`, headers: { authorization: `Bearer ${key}` } });
  const published = () => JSON.parse(readFileSync(join(folder, machineFile), "utf8"));

  test("lies in the data folder, for its owner's eyes, while the coordinator runs", () => {
    doors.machine.publish("http://farm.test/");
    expect(published()).toEqual({
      url: "http://farm.test/",
      key: expect.stringMatching(/^[\w-]{43}$/),
      pid: process.pid,
    });
    expect(statSync(join(folder, machineFile)).mode & 0o777).toBe(0o600);
    doors.machine.withdraw();
    expect(() => published()).toThrow("ENOENT");
  });

  test("does what an owner does, the account's secret included", async () => {
    doors.machine.publish("");
    const { key } = published();
    expect((await withKey(key, "GET", "/session")).body).toEqual({ name: "this machine", role: "owner" });
    expect((await withKey(key, "POST", "/account/oapi")).body).toEqual(pair());
  });

  test("of an earlier start opens nothing, nor does any other", async () => {
    createMachineKey(folder).publish("");
    for (const key of [published().key, "x"]) expect((await withKey(key, "GET", "/session")).status).toBe(401);
  });
});

describe("a forgotten password", () => {
  const newCode = async (name = "Ada") => {
    doors.machine.publish("");
    const { key } = JSON.parse(readFileSync(join(folder, machineFile), "utf8"));
    const url = `/ui/v1/people/${name}/reset`;
    return (await doors.inject({ method: "POST", url, headers: { authorization: `Bearer ${key}` } })).body;
  };
  const choose = (code: string, password = "a newer password") =>
    doors.ask("POST", "/reset-session", undefined, { code, password });

  test("is replaced by the machine's one-time link, also the only owner's; who was signed in is so no more", async () => {
    const { code, expires } = await newCode();
    expect(expires).toBe("2026-11-01T01:00:00.000Z");
    expect((await doors.signIn("Ada")).status).toBe(200);
    const { status, body, cookie } = await choose(code);
    expect([status, body]).toEqual([200, { name: "Ada", role: "owner" }]);
    expect((await doors.ask("GET", "/session", cookie)).status).toBe(200);
    expect((await doors.ask("GET", "/session", owner)).status).toBe(401);
    expect([(await doors.signIn("Ada")).status, (await doors.signIn("Ada", "a newer password")).status]).toEqual([
      401, 200,
    ]);
  });

  test("link works once, for an hour, and until a newer one is made", async () => {
    const refused = [401, "The link is used, too old or wrong: ask for a new one"];
    const tryOut = async (code: string) => {
      const { status, body } = await choose(code);
      return [status, body.message];
    };
    const older = (await newCode()).code;
    const newer = (await newCode()).code;
    expect(await tryOut(older)).toEqual(refused);
    expect((await tryOut(newer))[0]).toBe(200);
    expect(await tryOut(newer)).toEqual(refused);
    const late = (await newCode()).code;
    await doors.clock.advance(resetMs);
    expect(await tryOut(late)).toEqual(refused);
    expect(await tryOut("")).toEqual(refused);
  });

  test("link is not for who is not there, or was removed meanwhile", async () => {
    expect(await newCode("Nobody")).toMatchObject({ error: "NOT_FOUND", message: "There is nobody called Nobody" });
    await doors.enter("viewer", "Bob");
    const { code } = await newCode("Bob");
    await doors.ask("DELETE", "/people/Bob", owner);
    expect((await choose(code)).status).toBe(401);
  });

  test("link takes no short password, and stays good", async () => {
    const { code } = await newCode();
    expect((await choose(code, "short")).status).toBe(400);
    expect((await choose(code)).status).toBe(200);
  });
});

describe("one's own password", () => {
  const change = (password: string, cookie = owner) =>
    doors.ask("PUT", "/session/password", cookie, { password, new_password: "a newer password" });

  test("is changed by who knows it, which signs them out everywhere else", async () => {
    const elsewhere = (await doors.signIn("Ada")).cookie;
    expect((await change(goodPassword)).status).toBe(200);
    expect((await doors.ask("GET", "/session", owner)).status).toBe(200);
    expect((await doors.ask("GET", "/session", elsewhere)).status).toBe(401);
    expect((await doors.signIn("Ada", "a newer password")).status).toBe(200);
  });

  test("forgives wrong ones once it is right, as signing in does", async () => {
    for (let tries = 0; tries < 5; tries += 1) expect((await change("not the one")).status).toBe(400);
    expect((await change(goodPassword)).status).toBe(200);
    // The clock stands still: a sixth wrong one in a row would wait for ever.
    for (let tries = 0; tries < 5; tries += 1) expect((await change("not the one")).status).toBe(400);
  });

  test("is not changed by who does not know it, whoever that is", async () => {
    const viewer = await doors.enter("viewer", "Bob");
    for (const cookie of [owner, viewer]) {
      const { status, body } = await change("not the one", cookie);
      expect([status, body.error]).toEqual([400, "VALIDATION_FAILED"]);
    }
    expect((await change(goodPassword, viewer)).status).toBe(200);
  });
});
