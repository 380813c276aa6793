import { describe, expect, test } from "vitest";
import { turns } from "../../helpers/clock.ts";
import { openTestCoordinator } from "../../helpers/farm/coordinator.ts";
import { aWorldPerFile } from "../../helpers/farm/worlds.ts";

const world = aWorldPerFile({
  open: openTestCoordinator,
  close: async ({ coordinator, clock }) => {
    await coordinator.close();
    expect(clock.waiting()).toBe(0);
  },
});

/** The answer to what may be slowed down: time passes while it waits. */
const inTime = async <T>(asked: Promise<T>): Promise<T> => {
  const timers = world().clock.waiting();
  let isOver = false;
  const answer = asked.finally(() => {
    isOver = true;
  });
  while (!isOver) {
    if (world().clock.waiting() > timers) await world().clock.advance(100);
    await turns();
  }
  return answer;
};

describe("logging in", () => {
  const credentials = () => ({ auth_key: world().secrets.authKey, auth_secret: world().secrets.authSecret });

  test("takes its arguments from the body", async () => {
    const { status, body } = await world().ask("POST", "/v1/login", { body: credentials() });
    expect([status, body]).toEqual([
      200,
      { token: expect.stringMatching(/^[\w-]{43}$/), expiration_time: "2026-11-01T00:30:00.000Z" },
    ]);
  });

  test.each([
    ["no body", undefined, "application/json"],
    ["an empty body", "", "application/json"],
    ["no content type", undefined, undefined],
  ])("takes its arguments from the query with %s", async (_, body, type) => {
    const query = new URLSearchParams(credentials());
    const answer = await world().ask("POST", `/v1/login?${query}`, { body, headers: { "content-type": type } });
    expect(answer.status).toBe(200);
  });

  test("takes a body whose content type is another", async () => {
    const headers = { "content-type": "text/plain" };
    expect((await world().ask("POST", "/v1/login", { body: credentials(), headers })).status).toBe(200);
  });

  test("needs no token, and the OAPI pair and the date", async () => {
    const body = credentials();
    expect((await world().ask("POST", "/v1/login", { body, headers: { authorization: undefined } })).status).toBe(401);
    expect(
      (await world().ask("POST", "/v1/login", { body, headers: { "x-service-compliance": undefined } })).status,
    ).toBe(400);
  });

  test("is refused with a wrong secret, a user nobody knows, and nothing", async () => {
    const wrong = [
      { ...credentials(), auth_secret: "x" },
      { auth_key: "api_nobody", auth_secret: "x" },
    ];
    for (const body of wrong) {
      const answer = await inTime(world().ask("POST", "/v1/login", { body }));
      expect([answer.status, answer.body]).toEqual([
        401,
        { success: false, error: "NOT_AUTHENTICATED", message: "auth_key or auth_secret is wrong", details: [] },
      ]);
    }
    const { status, body } = await world().ask("POST", "/v1/login", { body: {} });
    expect([status, body.details.map(({ path }: { path: string }) => path)]).toEqual([
      400,
      ["auth_key", "auth_secret"],
    ]);
  });

  test("takes credentials up to 512 characters", async () => {
    const long = (length: number) => ({ auth_key: "x".repeat(length), auth_secret: "x".repeat(length) });
    expect((await world().ask("POST", "/v1/login", { body: long(512) })).status).toBe(401);
    expect((await world().ask("POST", "/v1/login", { body: long(513) })).status).toBe(400);
  });
});

describe("every other call", () => {
  test.each([
    ["x-service-sapiauth", "x-service-compliance"],
    ["x-hybrik-sapiauth", "x-hybrik-compliance"],
  ])("takes the headers %s and %s", async (tokenHeader, dateHeader) => {
    const headers = { "x-service-compliance": undefined, [dateHeader]: "20200229", [tokenHeader]: world().token };
    expect((await world().ask("GET", "/v1/jobs/count", { headers })).body).toEqual({ count: 0 });
  });

  test.each([
    ["no OAPI pair", { authorization: undefined }, "OAPI key or secret"],
    ["a wrong pair", { authorization: `Basic ${btoa("a:b")}` }, "OAPI key or secret"],
    ["another scheme", { authorization: "Bearer x" }, "OAPI key or secret"],
    ["no token", { "x-service-sapiauth": undefined }, "X-Service-Sapiauth"],
    ["a wrong token", { "x-service-sapiauth": "x" }, "The token is not known"],
  ])("is refused with %s", async (_, headers, words) => {
    const { status, body, headers: answered } = await inTime(world().api("GET", "/jobs/count", { headers }));
    expect([status, body.success, body.error, answered.get("www-authenticate")]).toEqual([
      401,
      false,
      "NOT_AUTHENTICATED",
      'Basic realm="mediafarm"',
    ]);
    expect(body.message).toContain(words);
  });

  test.each([undefined, "", "2026-11-01", "20261301", "20260230", "now"])(
    "is refused with the date %j",
    async (date) => {
      const { status, body } = await world().api("GET", "/jobs/count", { headers: { "x-service-compliance": date } });
      expect([status, body.error, body.details[0].path]).toEqual([
        400,
        "VALIDATION_FAILED",
        "headers.x-service-compliance",
      ]);
    },
  );

  test("beside the specified ones needs no date", async () => {
    const { status } = await world().api("GET", "/nodes", { headers: { "x-service-compliance": undefined } });
    expect(status).toBe(200);
  });
});

test("who watches over the process is asked nothing", async () => {
  const headers = { authorization: undefined, "x-service-compliance": undefined };
  for (const path of ["/healthz", "/readyz"]) {
    expect((await world().ask("GET", path, { headers })).body).toEqual({ status: "ok" });
  }
});

describe("a token", () => {
  const count = async (token: string) =>
    (await world().ask("GET", "/v1/jobs/count", { headers: { "x-service-sapiauth": token } })).status;
  const minutes = (n: number) => world().clock.advance(n * 60_000);

  test("ends 30 minutes after its last use", async () => {
    const token = await world().logIn();
    await minutes(29);
    expect(await count(token)).toBe(200);
    await turns();
    await minutes(29);
    expect(await count(token)).toBe(200);
    await turns();
    await minutes(30);
    expect(await count(token)).toBe(401);
  });

  test("is not extended by a call that fails", async () => {
    const token = await world().logIn();
    await minutes(29);
    const headers = { "x-service-sapiauth": token, authorization: undefined };
    expect((await inTime(world().ask("GET", "/v1/jobs/count", { headers }))).status).toBe(401);
    await minutes(1);
    expect(await count(token)).toBe(401);
  });
});

test("who guesses waits longer and longer, who is right never", async () => {
  const wrong = { headers: { authorization: `Basic ${btoa("guess:wrong")}` } };
  await world().clock.advance(3_600_000);
  for (let guess = 0; guess < 5; guess += 1)
    expect((await world().ask("GET", "/v1/jobs/count", wrong)).status).toBe(401);
  const timers = world().clock.waiting();
  const slow = world().ask("GET", "/v1/jobs/count", wrong);
  while (world().clock.waiting() === timers) await turns();
  expect(await world().logIn()).toMatch(/^[\w-]{43}$/);
  await world().clock.advance(200);
  expect((await slow).status).toBe(401);
});
