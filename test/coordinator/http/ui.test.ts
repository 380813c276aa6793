import { describe, expect, test } from "vitest";
import { cookieIn, cookieOf, type Place, sessionCookieName } from "../../../coordinator/http/session-cookie.ts";
import type { FirstCredentials } from "../../../coordinator/people/accounts.ts";
import { api } from "../../../shared/api/api.ts";
import { createClient } from "../../../shared/api/client.ts";
import type { Route } from "../../../shared/api/route.ts";
import { ui } from "../../../shared/api/ui/ui-api.ts";
import { Secret } from "../../../shared/basics/secret.ts";
import { mayDo, roles } from "../../../shared/people/person.ts";
import { apiRights, type Right, uiRights } from "../../../shared/rights/rights.ts";
import { turns } from "../../helpers/clock.ts";
import { fromOwnPages, goodPassword, openTestDoors } from "../../helpers/farm/doors.ts";
import { aWorldPerTest } from "../../helpers/farm/worlds.ts";
import { share } from "../../helpers/long.ts";

const doors = aWorldPerTest({
  open: openTestDoors,
  close: async ({ close, clock }) => {
    await close();
    expect(clock.waiting()).toBe(0);
  },
});

const rights = Object.entries<Right>({ ...apiRights, ...uiRights });
const table: Readonly<Record<string, Route>> = { ...api, ...ui };
const routes = rights.flatMap(([name, { person }]) => {
  const role = person === "nobody" || person === "stranger" ? null : person === "entering" ? "viewer" : person;
  const route = table[name];
  return route ? [[name, { ...route, role }] as const] : [];
});
const ofPeople = routes.flatMap(([name, { role, ...route }]) =>
  role === null ? [] : [[name, { ...route, role }] as const],
);
const signingIn = [
  "signIn",
  "signOut",
  "signInFirst",
  "signInReset",
  "listSignIns",
  "beginSignIn",
  "finishSignIn",
  "proveStep",
  "askPasskey",
  "signInPasskey",
];
/** Names what does not exist, so that nothing but the guard decides about 401 and 403. */
const filled = ({ path }: Route): string => path.replace("{name}", "nobody").replaceAll(/\{\w+\}/g, "999");

describe("roles", () => {
  test("an owner may do what an operator may, who may do what a viewer may", () => {
    expect(roles.map((role) => roles.filter((needed) => mayDo(role, needed)))).toEqual([
      ["owner", "operator", "viewer"],
      ["operator", "viewer"],
      ["viewer"],
    ]);
  });

  test("reads are for viewers, writes for operators; people, the account, the join token, the farm's mounts, reach and retention, credentials, alerts, identity providers, handing over and revoking for owners", () => {
    for (const [name, { method, role, path }] of routes) {
      const isOfNobody = ["login", "health", "readiness", ...signingIn].includes(name);
      const isOfOwners =
        /^\/(?:people|account|api-users|join-token|credential|alerts|identity)/.test(path) ||
        [
          "setMounts",
          "changeMounts",
          "changeOutbound",
          "setRetention",
          "setBackups",
          "setTraces",
          "giveLead",
          "revokeNode",
          "listTrail",
          "checkTrail",
          "createWebhook",
          "changeWebhook",
          "deleteWebhook",
          "rotateWebhook",
        ].includes(name);
      // One's own password is one's own business.
      // Who submits chooses files; who looks after the farm sees by which token a node came in, and its backups.
      const isRead =
        method === "GET" &&
        ![
          "listFolder",
          "findFile",
          "previewFile",
          "listJoinTokens",
          "getBackups",
          "getTraces",
          "getLead",
          "listTrail",
          "checkTrail",
          "listWebhooks",
          "listWebhookMessages",
          "getWebhookMessage",
        ].includes(name);
      const isOwn =
        ["/second-steps", "/links"].some((each) => path.startsWith(each)) ||
        ["changePassword", "endSession"].includes(name);
      const usual = isRead || isOwn ? "viewer" : "operator";
      expect([name, role]).toEqual([
        name,
        isOfNobody ? null : isOfOwners && name !== "listJoinTokens" ? "owner" : usual,
      ]);
    }
  });

  test.each(roles)(
    "a %s gets through every route that names a role which it may do, and through no other",
    async (role) => {
      const cookie = await doors().enter(role);
      for (const [name, route] of ofPeople) {
        const { status, body } = await doors().ask(route.method, filled(route), cookie);
        const isLetIn = mayDo(role, route.role);
        expect([name, isLetIn ? status !== 401 && status !== 403 : body.error]).toEqual([
          name,
          isLetIn || "NOT_ALLOWED",
        ]);
        expect(status).toBeLessThan(500);
      }
    },
  );

  test.each(["", "made up"])("the cookie %j opens no route that names a role", async (cookie) => {
    for (const [name, route] of ofPeople) {
      const { status, headers } = await doors().ask(route.method, filled(route), cookie);
      expect([name, status, headers["www-authenticate"]]).toEqual([name, 401, undefined]);
    }
  });

  test("routes of programs that ask for no role are not there for people", async () => {
    const cookie = await doors().enter("owner");
    expect((await doors().ask("POST", "/login", cookie, {})).status).toBe(404);
    expect((await doors().ask("GET", "/healthz", cookie)).status).toBe(404);
  });
});

describe("two doors", () => {
  const program = (): FirstCredentials => doors().credentials as FirstCredentials; // the folder is new, so it made some
  const basic = () => `Basic ${btoa(`${program().oapiKey}:${program().oapiSecret}`)}`;
  const compliance = { "x-service-compliance": "20261101" };

  test("the cookie opens nothing below /v1", async () => {
    const cookie = `mediafarm_session=${await doors().enter("owner")}`;
    const ofPrograms = Object.entries<Route>(api).filter(([, { access }]) => access !== "open" && access !== "oapi");
    for (const [name, route] of ofPrograms) {
      // The first layer is right, so that the cookie would have to stand for the second.
      const headers = { ...fromOwnPages, ...compliance, cookie, authorization: basic() };
      const { status } = await doors().inject({ method: route.method, url: `/v1${filled(route)}`, headers });
      expect([name, status]).toEqual([name, 401]);
    }
    expect((await doors().inject({ url: "/v1/jobs/count", headers: { ...compliance, cookie } })).status).toBe(401);
    expect((await doors().inject({ url: "/v1/events", headers: { cookie } })).status).toBe(401);
  });

  test("both API layers open nothing below /ui/v1", async () => {
    const { app } = doors();
    const base = await app.listen({ port: 0, host: "127.0.0.1" });
    const client = createClient({ baseUrl: `${base}/v1`, ...program() });
    expect(await client.countJobs({})).toEqual({ count: 0 });
    const login = await doors().inject({
      method: "POST",
      url: "/v1/login",
      headers: { authorization: basic(), ...compliance },
      payload: { auth_key: program().authKey, auth_secret: program().authSecret },
    });
    const layers = { ...fromOwnPages, ...compliance, authorization: basic(), "x-service-sapiauth": login.body.token };
    expect((await doors().inject({ url: "/v1/jobs/count", headers: layers })).status).toBe(200);
    for (const [name, route] of ofPeople) {
      const { status } = await doors().inject({ method: route.method, url: `/ui/v1${filled(route)}`, headers: layers });
      expect([name, status]).toEqual([name, 401]);
    }
  });

  test("a person's name and password are no API user's", async () => {
    await doors().enter("owner", "Ada");
    const { status, body } = await doors().inject({
      method: "POST",
      url: "/v1/login",
      headers: { authorization: basic(), ...compliance },
      payload: { auth_key: "Ada", auth_secret: goodPassword },
    });
    expect([status, body.error]).toEqual([401, "NOT_AUTHENTICATED"]);
  });

  test("people need no compliance header", async () => {
    expect((await doors().ask("GET", "/jobs/count", await doors().enter("viewer"))).body).toEqual({ count: 0 });
  });

  test("answers to people are kept by nobody on the way", async () => {
    expect((await doors().ask("GET", "/jobs/count", await doors().enter("viewer"))).headers).toMatchObject({
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    });
  });
});

describe("where a change comes from", () => {
  const host = "farm.test";
  test.each([
    ["our own pages", { origin: "http://farm.test", host }],
    ["our own pages, the host in capitals", { origin: "http://farm.test", host: "FARM.test" }],
    ["our own pages over TLS", { origin: "https://farm.test", host }],
    ["a port of our own", { origin: "http://farm.test:8700", host: "farm.test:8700" }],
    ["a browser that says so itself", { "sec-fetch-site": "same-origin", host }],
    ["a browser that says both", { origin: "http://farm.test", "sec-fetch-site": "same-origin", host }],
  ])("%s: taken", async (_, headers) => {
    const { status } = await doors().inject({ method: "DELETE", url: "/ui/v1/session", headers });
    expect(status).toBe(200);
  });

  const changing = [...ofPeople, ...Object.entries<Route>(ui)].filter(([, { method }]) => method !== "GET");

  test("another site is refused on every route that changes something", async () => {
    const cookie = `mediafarm_session=${await doors().enter("owner")}`;
    const headers = { origin: "http://evil.test", host, cookie };
    for (const [name, route] of changing) {
      const { status, body } = await doors().inject({ method: route.method, url: `/ui/v1${filled(route)}`, headers });
      expect([name, status, body.error]).toEqual([name, 403, "NOT_ALLOWED"]);
    }
  });

  test.each([
    ["nobody says", { host }],
    ["another site", { origin: "http://evil.test", host }],
    ["another port of the same host", { origin: "http://farm.test:81", host }],
    ["a host that begins the same", { origin: "http://farm.test.evil.test", host }],
    ["a page without an origin", { origin: "null", host }],
    ["words that are no origin", { origin: "farm.test", host }],
    ["another site, by the browser's word", { "sec-fetch-site": "cross-site", host }],
    ["a neighbour, by the browser's word", { "sec-fetch-site": "same-site", host }],
    ["a typed address", { "sec-fetch-site": "none", host }],
    ["an origin that the browser's word contradicts", { ...fromOwnPages, "sec-fetch-site": "cross-site" }],
    ["another origin, whatever else is said", { origin: "http://evil.test", "sec-fetch-site": "same-origin", host }],
  ])("%s: refused where something is changed", async (_, headers) => {
    const cookie = `mediafarm_session=${await doors().enter("owner")}`;
    for (const [name, route] of share(changing, (_, at) => at === 0)) {
      const request = { method: route.method, url: `/ui/v1${filled(route)}`, headers: { ...headers, cookie } };
      const { status, body } = await doors().inject(request);
      expect([name, status, body.error]).toEqual([name, 403, "NOT_ALLOWED"]);
    }
  });

  test("reads need no origin", async () => {
    const cookie = `mediafarm_session=${await doors().enter("viewer")}`;
    expect((await doors().inject({ url: "/ui/v1/session", headers: { cookie } })).status).toBe(200);
  });
});

describe("the cookie", () => {
  test("is for our own pages alone, out of reach of scripts, and for 30 days at most", async () => {
    await doors().people.create("Ada", new Secret(goodPassword), "viewer");
    const { headers, cookie } = await doors().signIn("Ada");
    expect(headers["set-cookie"]).toBe(
      `mediafarm_session=${cookie}; Path=/ui; Max-Age=2592000; HttpOnly; SameSite=Strict`,
    );
    expect(cookie).toMatch(/^[\w-]{43}$/);
  });

  test("travels over TLS only where it was set there", () => {
    expect(cookieOf("session", new Secret("abc"), { host: "farm.test", isSecure: true })).toBe(
      "__Host-mediafarm_session=abc; Path=/; Max-Age=2592000; HttpOnly; SameSite=Strict; Secure",
    );
  });

  test.each<[string, Place, string]>([
    ["plain HTTP with a port", { host: "localhost:8700", isSecure: false }, "mediafarm_session_8700"],
    ["another port of the same host", { host: "localhost:8701", isSecure: false }, "mediafarm_session_8701"],
    ["an address of IPv6", { host: "[::1]:8700", isSecure: false }, "mediafarm_session_8700"],
    ["an address of IPv6 alone", { host: "[fe80::1]", isSecure: false }, "mediafarm_session"],
    ["TLS with a port", { host: "farm.test:8700", isSecure: true }, "__Host-mediafarm_session_8700"],
    ["TLS with its own port", { host: "farm.test:443", isSecure: true }, "__Host-mediafarm_session"],
  ])("over %s has a name of its own", (_, place, name) => {
    expect(sessionCookieName(place)).toBe(name);
    const cookies = `a=b; ${name}_=other; x${name}=other; ${name}=mine`;
    expect(cookieIn("session", cookies, place)?.reveal()).toBe("mine");
  });

  test("of another service on this host, or one that came without TLS, opens nothing", async () => {
    const cookie = await doors().enter("viewer");
    for (const name of ["mediafarm_session_8701", "__Host-mediafarm_session", "Mediafarm_session"]) {
      const headers = { ...fromOwnPages, cookie: `${name}=${cookie}` };
      expect((await doors().inject({ url: "/ui/v1/session", headers })).status).toBe(401);
    }
  });

  test("is found among others, and taken back at the end", async () => {
    const cookie = await doors().enter("viewer");
    const headers = { ...fromOwnPages, cookie: `a=b; mediafarm_session=${cookie}; mediafarm_session_x=y` };
    expect((await doors().inject({ url: "/ui/v1/session", headers })).body).toEqual({ name: "viewer", role: "viewer" });
    const gone = await doors().inject({ method: "DELETE", url: "/ui/v1/session", headers });
    expect([gone.status, gone.headers["set-cookie"]]).toEqual([
      200,
      "mediafarm_session=; Path=/ui; Max-Age=0; HttpOnly; SameSite=Strict",
    ]);
    expect((await doors().inject({ url: "/ui/v1/session", headers })).status).toBe(401);
  });
});

describe("events", () => {
  test("are heard by people with a session, until it ends", async () => {
    const cookie = await doors().enter("viewer");
    const base = await doors().app.listen({ port: 0, host: "127.0.0.1" });
    const url = `${base}/ui/v1/events`;
    expect((await fetch(url)).status).toBe(401);
    const response = await fetch(url, {
      headers: { cookie: `mediafarm_session_${new URL(base).port}=${cookie}` },
    });
    expect(response.headers.get("content-type")).toBe("text/event-stream");
    const reader = (response.body as ReadableStream<Uint8Array>).getReader(); // an event stream has a body
    const heard = async () => new TextDecoder().decode((await reader.read()).value);
    expect(await heard()).toBe("retry: 1000\n\n");
    doors().farm.events.publish({ type: "job.deleted", job_id: "7" });
    expect(await heard()).toContain('event: job.deleted\ndata: {"type":"job.deleted","job_id":"7"}');
    await doors().clock.advance(15_000);
    expect(await heard()).toBe(": still here\n\n");
    await doors().people.remove("viewer");
    await doors().clock.advance(15_000);
    expect((await reader.read()).done).toBe(true);
    await turns(20);
  });
});
