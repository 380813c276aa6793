import { describe, expect, test } from "vitest";
import { Secret } from "../../../shared/basics/secret.ts";
import { goodPassword, openTestDoors } from "../../helpers/farm/doors.ts";
import { aWorldPerFile } from "../../helpers/farm/worlds.ts";

const world = aWorldPerFile({
  open: async (folder) => {
    const doors = await openTestDoors(folder, { proxies: ["10.0.0.0/8"] });
    await doors.people.create("Ada", new Secret(goodPassword), "owner");
    return { ...doors, program: await doors.enterAsProgram() };
  },
  close: ({ close }) => close(),
});

const get = (url: string, host: string, more = {}) =>
  world().inject({ method: "GET", url, headers: { host, ...more } });

describe("pages and their routes", () => {
  test.each([
    "farm.test",
    "FARM.TEST:8700",
    "farm.test.",
    "localhost:8700",
    "127.0.0.1:8700",
    "10.1.2.3",
    "[::1]:8700",
  ])("are served under %s", async (host) => {
    expect((await get("/", host)).status).toBe(200);
    expect((await get("/healthz", host)).status).toBe(200);
  });

  test.each(["evil.test", "farm.test.evil.test", "127.0.0.1.evil.test", "evil.test:8700", "[::1].evil.test"])(
    "are refused under %s, which a page of elsewhere may have had lead here",
    async (host) => {
      for (const url of ["/", "/ui/v1/session", "/metrics", "/healthz"]) {
        const { status, body } = await get(url, host);
        expect([url, status, body.error]).toEqual([url, 403, "NOT_ALLOWED"]);
        expect(body.message).toContain("--host-name");
      }
    },
  );

  test("are the only ones that ask: programs bring credentials", async () => {
    expect((await get("/v1/jobs/count", "an-alias.test", world().program)).body).toEqual({ count: 0 });
  });
});

describe("a proxy", () => {
  const signIn = (remoteAddress: string, headers: Record<string, string>) =>
    world().inject({
      method: "POST",
      url: "/ui/v1/session",
      remoteAddress,
      headers: { origin: "https://farm.test", host: "upstream.test", ...headers },
      payload: { name: "Ada", password: goodPassword },
    });
  const forwarded = { "x-forwarded-host": "farm.test", "x-forwarded-proto": "https", "x-forwarded-for": "192.0.2.7" };

  test("that is trusted says under which name and protocol somebody asks: their cookie is for TLS alone", async () => {
    const { status, headers } = await signIn("10.1.2.3", forwarded);
    expect([status, String(headers["set-cookie"]).includes("; Secure")]).toEqual([200, true]);
  });

  test("that is not trusted says nothing", async () => {
    expect((await signIn("192.0.2.1", forwarded)).status).toBe(403);
    const { status, headers } = await signIn("192.0.2.1", { ...forwarded, host: "farm.test" });
    expect([status, String(headers["set-cookie"]).includes("; Secure")]).toEqual([200, false]);
  });

  test("of this machine opens no metrics to others", async () => {
    expect((await get("/metrics", "localhost")).status).toBe(200);
    expect((await get("/metrics", "localhost", { "x-forwarded-for": "192.0.2.7" })).status).toBe(401);
  });
});

describe("secrets", () => {
  test.each([
    ["POST", "/session", { name: "Ada", password: goodPassword }],
    ["POST", "/first-session", { code: "c", name: "Ada", password: goodPassword }],
    ["POST", "/reset-session", { code: "c", password: goodPassword }],
  ] as const)("in the address of %s %s are refused", async (method, path, args) => {
    const { status, body } = await world().ask(method, `${path}?${new URLSearchParams(args)}`);
    expect([status, body.error]).toEqual([400, "VALIDATION_FAILED"]);
    expect(body.message).toContain("go in the body");
  });

  test("in the address of a new entry of the vault are refused", async () => {
    const { status, body } = await world().inject({
      method: "POST",
      url: "/v1/credentials?name=x&credential[kind]=http&credential[password]=x",
      headers: world().program,
      payload: "{}",
    });
    expect([status, body.message]).toEqual([400, expect.stringContaining("go in the body")]);
  });
});

test("a body of which nobody knows who sends it has 16 KiB at most", async () => {
  const pad = (size: number) => ({ name: "Ada", password: "x", pad: "x".repeat(size) });
  const large = await world().ask("POST", "/session", undefined, pad(16 * 1024));
  expect([large.status, large.body]).toEqual([
    413,
    { success: false, error: "TOO_LARGE", message: "The body is larger than 16384 bytes", details: [] },
  ]);
  const payload = { auth_key: "api_x", auth_secret: "x", pad: "x".repeat(16 * 1024) };
  const login = await world().inject({ method: "POST", url: "/v1/login", headers: world().program, payload });
  expect(login.status).toBe(413);
});
