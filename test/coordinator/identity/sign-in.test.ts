import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createIdentity } from "../../../coordinator/identity/identity.ts";
import { Secret } from "../../../shared/basics/secret.ts";
import { systemClock } from "../../../shared/basics/system-clock.ts";
import type { GivenIdentityProvider } from "../../../shared/people/identity.ts";
import { openTestDoors, type TestDoors } from "../../helpers/farm/doors.ts";
import { aFolder, removeFolder } from "../../helpers/farm/farm.ts";
import {
  clientId,
  clientSecret,
  forgedToken,
  type Lie,
  newKey,
  startIdentityProvider,
  type TestProvider,
} from "../../helpers/farm/identity-provider.ts";
import { type Browser, requestsTo } from "../../helpers/farm/identity-story.ts";

const hour = 3_600_000;
let folder: string;
let doors: TestDoors;
let provider: TestProvider;
let owner: string;

const studio = (changes: Partial<GivenIdentityProvider> = {}): GivenIdentityProvider => ({
  ...{ name: "studio", issuer: provider.issuer, client_id: clientId, client_secret: clientSecret },
  ...{ scopes: ["openid", "profile"], roles: { owner: ["admins"], operator: ["editors"], viewer: ["staff"] } },
  ...changes,
});

beforeEach(async () => {
  folder = aFolder();
  provider = await startIdentityProvider("http://farm.test");
  doors = await openTestDoors(folder, { askOutside: provider.ask });
  // The provider's time is the machine's.
  doors.clock.jump(systemClock.now() - doors.clock.now());
  seen = systemClock.now();
  owner = await doors.enter("owner", "Root");
  const { status } = await doors.ask("POST", "/identity/providers", owner, studio());
  expect(status).toBe(200);
});
afterEach(async () => {
  await doors.close();
  await provider.close();
  removeFolder(folder);
});

const request: ReturnType<typeof requestsTo> = (...asked) => requestsTo(doors)(...asked);

const begin = async (browser: Browser, page?: string): Promise<string> =>
  (await request(browser, "POST", "/sign-ins/studio", page === undefined ? {} : { page })).body.go_to;

/** What the page sends on of where the provider sent the browser. */
const answerIn = (url: URL) => {
  const { state = "", ...answer }: Record<string, string> = Object.fromEntries(url.searchParams);
  return { ...answer, oauth_state: state };
};

const finish = (browser: Browser, url: URL) => request(browser, "PUT", "/sign-ins/studio", answerIn(url));

/** The whole way of somebody through the provider. */
const enter = async (who: string, browser: Browser = new Map(), page?: string) => {
  keepUp();
  return finish(browser, await provider.visit(await begin(browser, page), who));
};

/** The machine's time when the farm's clock, which stands still, was last moved on by what had passed. */
let seen = 0;
const keepUp = (): void => {
  const now = systemClock.now();
  doors.clock.jump(now - seen);
  seen = now;
};

const names = async (): Promise<unknown[]> =>
  (await doors.ask("GET", "/people", owner)).body.items.map(
    (each: { name: string; role: string; provider?: string }) => [each.name, each.role, each.provider ?? null],
  );

/** Changes the ID token that the provider gives. */
const inToken =
  (change: (token: string) => string): Lie =>
  (answer, { url }) => {
    if (!url.endsWith("/token")) return answer;
    const body = JSON.parse(answer.body);
    return { ...answer, body: JSON.stringify({ ...body, id_token: change(body.id_token) }) };
  };

const seconds = (): number => Math.floor(systemClock.now() / 1000);

describe("who comes in", () => {
  test("is made with the role of their groups, and goes on to the page that they wanted", async () => {
    provider.people.set("u1", { preferred_username: "ada", groups: ["staff", "editors", "elsewhere"] });
    const browser: Browser = new Map();
    const { status, body } = await enter("u1", browser, "/jobs?state=failed");
    expect([status, body]).toEqual([
      200,
      { name: "ada", role: "operator", provider: "studio", page: "/jobs?state=failed" },
    ]);
    expect([...browser.keys()]).toEqual(["mediafarm_session"]);
    expect((await request(browser, "GET", "/session")).body).toEqual({
      ...{ name: "ada", role: "operator", provider: "studio" },
    });
    expect(await names()).toEqual([
      ["ada", "operator", "studio"],
      ["Root", "owner", null],
    ]);
  });

  test("gets the role of their groups anew each time, in every session that they have", async () => {
    provider.people.set("u1", { preferred_username: "ada", groups: ["admins"] });
    const first: Browser = new Map();
    expect((await enter("u1", first)).body.role).toBe("owner");
    provider.people.set("u1", { preferred_username: "Ada L.", groups: ["staff"] });
    expect((await enter("u1")).body).toMatchObject({ name: "Ada L.", role: "viewer" });
    expect((await request(first, "GET", "/session")).body).toMatchObject({ name: "Ada L.", role: "viewer" });
  });

  test("is out everywhere once no group of theirs opens the farm, and in again once one does", async () => {
    provider.people.set("u1", { preferred_username: "ada", groups: ["staff"] });
    const first: Browser = new Map();
    await enter("u1", first);
    for (const groups of [[], ["Staff"], undefined]) {
      provider.people.set("u1", { preferred_username: "ada", groups });
      const { status, body, cookie } = await enter("u1");
      expect([status, body.error, cookie]).toEqual([403, "NOT_ALLOWED", undefined]);
      expect((await request(first, "GET", "/session")).status).toBe(401);
      expect(await names()).toEqual([["Root", "owner", null]]);
    }
    provider.people.set("u1", { preferred_username: "ada", groups: "staff" });
    expect((await enter("u1")).body).toMatchObject({ name: "ada", role: "viewer" });
  });

  test("is nobody else, whatever their name is", async () => {
    provider.people.set("u1", { preferred_username: "ROOT", groups: ["staff"] });
    provider.people.set("u2", { preferred_username: "root", groups: ["staff"] });
    expect((await enter("u1")).body).toMatchObject({ name: "ROOT (studio)", role: "viewer" });
    expect(await enter("u2")).toMatchObject({ status: 409 });
    expect((await doors.ask("GET", "/session", owner)).body).toEqual({ name: "Root", role: "owner" });
  });

  test("comes back to the provider after the hours of a session, however busy they are", async () => {
    provider.people.set("u1", { preferred_username: "ada", groups: ["staff"] });
    const browser: Browser = new Map();
    await enter("u1", browser);
    const statuses: number[] = [];
    for (let passed = 0; passed < 13; passed += 1) {
      statuses.push((await request(browser, "GET", "/session")).status);
      await doors.clock.advance(hour);
    }
    expect(statuses).toEqual([...Array(12).fill(200), 401]);
  });
});

describe("nobody comes in", () => {
  beforeEach(() => {
    provider.people.set("u1", { preferred_username: "ada", groups: ["admins"] });
  });
  const refused = async (answer: Awaited<ReturnType<typeof enter>>, words: RegExp) => {
    expect([answer.status, answer.body.error, answer.cookie]).toEqual([403, "NOT_ALLOWED", undefined]);
    expect(answer.body.message).toMatch(words);
    expect(await names()).toEqual([["Root", "owner", null]]);
  };
  const unproven = /does not prove who you are/;

  test("in whose browser the sign-in was not begun", async () => {
    const attacker: Browser = new Map();
    const url = await provider.visit(await begin(attacker), "u1");
    const begun = /not begun in this browser/;
    await refused(await finish(new Map(), url), begun);
    // A victim who has begun one themselves.
    const victim: Browser = new Map();
    await begin(victim);
    await refused(await finish(victim, url), begun);
    const [sealed = ""] = [...attacker.values()];
    await refused(await finish(new Map([["mediafarm_attempt", `${sealed.slice(0, -3)}AAA`]]), url), begun);
    // What the farm sealed for something else is no attempt.
    const other = doors.farm.vault.seal(JSON.stringify({ state: url.searchParams.get("state") }));
    await refused(await finish(new Map([["mediafarm_attempt", other]]), url), begun);
    expect((await finish(attacker, url)).status).toBe(200);
  });

  test("by another site's request", async () => {
    const browser: Browser = new Map();
    const url = await provider.visit(await begin(browser), "u1");
    const cookie = [...browser].map(([name, value]) => `${name}=${value}`).join("; ");
    for (const [method, payload] of [["POST", {}] as const, ["PUT", answerIn(url)] as const]) {
      const { status } = await doors.inject({
        ...{ method, url: "/ui/v1/sign-ins/studio", payload },
        headers: { host: "farm.test", origin: "https://evil.example", cookie },
      });
      expect(status).toBe(403);
    }
  });

  test("twice by one answer, also where the farm has forgotten that it was used", async () => {
    const browser: Browser = new Map();
    const url = await provider.visit(await begin(browser), "u1");
    const sealed = browser.get("mediafarm_attempt") ?? "";
    expect((await finish(browser, url)).status).toBe(200);
    const again = await finish(new Map([["mediafarm_attempt", sealed]]), url);
    expect([again.status, again.body.message]).toEqual([403, "This sign-in was used already: sign in again"]);
    const restarted = createIdentity({ farm: doors.farm, people: doors.people, ask: provider.ask });
    const [code, state, iss] = ["code", "state", "iss"].map((each) => url.searchParams.get(each) ?? "");
    const answer = { oauth_state: new Secret(state ?? ""), code: new Secret(code ?? ""), iss };
    await expect(restarted.finish("studio", answer, new Secret(sealed))).rejects.toThrow(/used already or is too old/);
  });

  test("who took more than ten minutes", async () => {
    const browser: Browser = new Map();
    const url = await provider.visit(await begin(browser), "u1");
    await doors.clock.advance(600_000);
    await refused(await finish(browser, url), /took too long/);
  });

  test("without the verifier of the browser that began (PKCE), or with another nonce", async () => {
    const browser: Browser = new Map();
    const address = new URL(await begin(browser));
    expect(address.searchParams.get("code_challenge_method")).toBe("S256");
    address.searchParams.set("nonce", "another");
    await refused(await finish(browser, await provider.visit(address.href, "u1")), unproven);
    const other = new URL(await begin(browser));
    other.searchParams.set("code_challenge", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM");
    await refused(await finish(browser, await provider.visit(other.href, "u1")), /used already or is too old/);
  });

  test("whom the provider did not let in", async () => {
    const browser: Browser = new Map();
    const state = new URL(await begin(browser)).searchParams.get("state") ?? "";
    const url = new URL(
      `http://farm.test/signed-in/studio?${new URLSearchParams({ error: "access_denied", state, iss: provider.issuer })}`,
    );
    await refused(await finish(browser, url), /did not let you in/);
    // Whom another provider than the one that was asked did not let in, as far as it says.
    url.searchParams.set("iss", "https://evil.example");
    await begin(browser).then((again) => url.searchParams.set("state", new URL(again).searchParams.get("state") ?? ""));
    await refused(await finish(browser, url), unproven);
  });

  test.each<[string, (token: string) => string, RegExp]>([
    ["another audience", (token) => forgedToken(token, provider.key(), { aud: "another program" }), unproven],
    ["others as audience", (token) => forgedToken(token, provider.key(), { aud: [clientId, "x"], azp: "x" }), unproven],
    ["another issuer", (token) => forgedToken(token, provider.key(), { iss: "https://evil.example" }), unproven],
    ["another nonce", (token) => forgedToken(token, provider.key(), { nonce: "x" }), unproven],
    ["no nonce", (token) => forgedToken(token, provider.key(), { nonce: undefined }), unproven],
    ["no subject", (token) => forgedToken(token, provider.key(), { sub: undefined }), unproven],
    ["an empty subject", (token) => forgedToken(token, provider.key(), { sub: "" }), /claim sub/],
    ["an endless subject", (token) => forgedToken(token, provider.key(), { sub: "s".repeat(256) }), /claim sub/],
    ["a subject that no store keeps", (token) => forgedToken(token, provider.key(), { sub: "u1\ud800" }), /claim sub/],
    ["another key", (token) => forgedToken(token, { ...newKey("x"), kid: provider.key().kid }, {}), unproven],
    ["an unknown key", (token) => forgedToken(token, newKey("x"), {}), unproven],
    ["no signature", (token) => forgedToken(token, provider.key(), {}, "none"), unproven],
    ["an end that has passed", (token) => forgedToken(token, provider.key(), { exp: seconds() - 120 }), /clock/],
    ["a beginning to come", (token) => forgedToken(token, provider.key(), { nbf: seconds() + 600 }), /clock/],
    ["a birth to come", (token) => forgedToken(token, provider.key(), { iat: seconds() + 600 }), /clock of studio/],
  ])("by a token with %s", async (_, change, words) => {
    provider.lieBy(inToken(change));
    await refused(await enter("u1"), words);
    provider.lieBy((answer) => answer);
    expect((await enter("u1")).status).toBe(200);
  });

  test("while the farm's clock is wrong by more than a minute, in either direction", async () => {
    doors.clock.jump(2 * hour); // a token lasts an hour
    await refused(await enter("u1"), /clock and this farm's differ/);
    doors.clock.jump(-2 * hour - 600_000);
    await refused(await enter("u1"), /clock of studio is \d+ s ahead/);
    doors.clock.jump(600_000 + 30_000);
    expect((await enter("u1")).status).toBe(200);
  });

  test("by userinfo of somebody else", async () => {
    provider.lieBy((answer, { url }) =>
      url.endsWith("/me") ? { ...answer, body: JSON.stringify({ sub: "u2", groups: ["admins"] }) } : answer,
    );
    await refused(await enter("u1"), unproven);
    provider.lieBy((answer) => answer);
  });
});

test("an owner who narrows the groups while somebody is on their way decides", async () => {
  provider.people.set("u1", { preferred_username: "ada", groups: ["editors"] });
  provider.lieBy(async (answer, { url }) => {
    const roles = { owner: ["admins"], operator: [], viewer: ["staff"] };
    if (url.endsWith("/me")) await doors.ask("POST", "/identity/providers", owner, studio({ roles }));
    return answer;
  });
  expect(await enter("u1")).toMatchObject({ status: 403, cookie: undefined });
  provider.lieBy(async (answer, { url }) => {
    if (url.endsWith("/me")) await doors.ask("DELETE", "/identity/providers/studio", owner);
    return answer;
  });
  provider.people.set("u1", { preferred_username: "ada", groups: ["staff"] });
  expect(await enter("u1")).toMatchObject({ status: 404, cookie: undefined });
  expect(await names()).toEqual([["Root", "owner", null]]);
});

test("the audit tells who came in and who did not, and nothing that opens anything", async () => {
  provider.people.set("u1", { preferred_username: "ada", groups: ["staff"] });
  const browser: Browser = new Map();
  const url = await provider.visit(await begin(browser), "u1");
  await finish(browser, url);
  await finish(browser, url);
  provider.people.set("u1", { preferred_username: "ada", groups: [] });
  await enter("u1");
  await doors.farm.trail.flush();
  const lines = await doors.farm.store.trail.after(0, 100);
  const told = lines.map(({ who, action, outcome, about }) => [who, action, outcome, about].join(" "));
  expect(told.filter((line) => /SignIn|removePerson/.test(line))).toEqual([
    // What is the same is told once; what strangers are refused again is counted for a minute.
    "a stranger beginSignIn done provider=studio times=2",
    "ada finishSignIn done provider=studio name=ada",
    "a stranger finishSignIn NOT_ALLOWED provider=studio",
    "the provider studio removePerson done subject=u1",
  ]);
  const secrets = ["code", "state"].map((each) => url.searchParams.get(each) ?? "none");
  for (const secret of [clientSecret, ...secrets]) expect(JSON.stringify(lines)).not.toContain(secret);
});

test("keys may change between two sign-ins: the new one counts at once, the old one no more", async () => {
  provider.people.set("u1", { preferred_username: "ada", groups: ["staff"] });
  expect((await enter("u1")).status).toBe(200);
  const old = provider.rotateKeys();
  expect((await enter("u1")).status).toBe(200);
  provider.lieBy(inToken((token) => forgedToken(token, old, {})));
  expect((await enter("u1")).status).toBe(403);
});

describe("addresses", () => {
  test.each(["//evil.example", "https://evil.example", "/\\evil.example", "javascript:alert(1)", "jobs", "/a b"])(
    "%s is no page to go on to",
    async (page) => {
      const { status, body } = await request(new Map(), "POST", "/sign-ins/studio", { page });
      expect([status, body.error]).toEqual([400, "VALIDATION_FAILED"]);
    },
  );

  test("where the provider sends people back to leads to the pages themselves, and passes on nothing else", async () => {
    const url = "/signed-in/studio?code=c&state=s&iss=https%3A%2F%2Fi&next=https://evil.example&code=d&error=";
    const { status, headers } = await doors.inject({ method: "GET", url, headers: { host: "farm.test" } });
    expect([status, headers.location, headers["cache-control"]]).toEqual([
      ...[303, "/#/signed-in?provider=studio&code=c&state=s&iss=https%3A%2F%2Fi&error=", "no-store"],
    ]);
    const odd = await doors.inject({ method: "GET", url: "/signed-in/%2F%2Fevil.example?state=%0d%0ax", headers: {} });
    expect([odd.status, odd.headers.location]).toEqual([303, "/#/signed-in?provider=&state=%0D%0Ax"]);
  });

  test("the provider sends people back to the name that they opened the farm by, and to no foreign one", async () => {
    const back = new URL(await begin(new Map())).searchParams.get("redirect_uri");
    expect(back).toBe("http://farm.test/signed-in/studio");
    const foreign = { host: "evil.example", origin: "http://evil.example" };
    const { status } = await doors.inject({
      ...{ method: "POST", url: "/ui/v1/sign-ins/studio", payload: {}, headers: foreign },
    });
    expect(status).toBe(403);
  });
});

test("signing out leads to the provider's own sign-out and back, and ends the session here first", async () => {
  provider.people.set("u1", { preferred_username: "ada", groups: ["staff"] });
  const browser: Browser = new Map();
  await enter("u1", browser);
  const { body } = await request(browser, "DELETE", "/session");
  const address = new URL(body.go_to);
  expect([address.origin, address.pathname]).toEqual([provider.issuer, "/session/end"]);
  expect(address.searchParams.get("post_logout_redirect_uri")).toBe("http://farm.test/");
  expect(address.searchParams.get("id_token_hint")?.split(".").length).toBe(3);
  expect((await request(browser, "GET", "/session")).status).toBe(401);
  expect((await doors.ask("DELETE", "/session", owner)).body).toEqual({ go_to: null });
});
