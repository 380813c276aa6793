import { createHmac } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { AppError } from "../../../shared/basics/errors.ts";
import { systemClock } from "../../../shared/basics/system-clock.ts";
import { goodPassword } from "../../helpers/farm/doors.ts";
import { aFolder, removeFolder } from "../../helpers/farm/farm.ts";
import { clientId, forgedToken, newKey } from "../../helpers/farm/identity-provider.ts";
import { answerIn, type Browser, type IdentityStory, openIdentityStory } from "../../helpers/farm/identity-story.ts";

let folder: string;
let story: IdentityStory;
/** Of the real provider, which tells that somebody signed out there. */
let told: string[];

beforeEach(async () => {
  folder = aFolder();
  story = await openIdentityStory(folder);
  await story.put();
  story.provider.people.set("u1", { preferred_username: "ada", groups: ["editors"] });
  told = [];
  story.provider.tellSignOuts(async (token, url) => {
    expect(url).toBe("http://farm.test/signed-out/studio");
    told.push(token);
    return (await tell(token)).status;
  });
});
afterEach(async () => {
  await story.close();
  removeFolder(folder);
});

const tell = (token: string, name = "studio", more: object = {}) => {
  story.keepUp();
  return story.doors.inject({
    ...{ method: "POST", url: `/signed-out/${name}`, payload: new URLSearchParams({ logout_token: token }).toString() },
    headers: { host: "farm.test", "content-type": "application/x-www-form-urlencoded" },
    ...more,
  });
};
const statusOf = async (browser: Browser) => (await story.request(browser, "GET", "/session")).status;
const enter = async (who = "u1", there: Browser = new Map()) => {
  const browser: Browser = new Map();
  expect((await story.signInAt(who, browser, there)).status).toBe(200);
  return { browser, there };
};
const seconds = () => Math.floor(systemClock.now() / 1000);
const event = "http://schemas.openid.net/event/backchannel-logout";

/** A logout token as the provider makes them, with other claims. */
const tokenWith = (claims: object = {}, key = story.provider.key(), alg = "RS256") => {
  const given = {
    ...{ iss: story.provider.issuer, aud: clientId, sub: "u1", iat: seconds(), exp: seconds() + 120 },
    ...{ jti: `jti ${Math.random()}`, events: { [event]: {} } },
  };
  const body = Buffer.from(JSON.stringify(given)).toString("base64url");
  return forgedToken(`x.${body}.x`, key, claims, alg);
};

describe("who signs out at the provider", () => {
  test("is signed out here in the session that was begun by it, and in no other", async () => {
    const [{ browser, there }, other] = [await enter(), await enter()];
    await story.provider.signOut(there);
    expect(told.length).toBe(1);
    expect([await statusOf(browser), await statusOf(other.browser), await statusOf(story.root)]).toEqual([
      401, 200, 200,
    ]);
    await story.doors.farm.trail.flush();
    const lines = await story.doors.farm.store.trail.after(0, 1000);
    expect(lines.filter(({ action }) => action === "endSessions").map(({ who, about }) => [who, about])).toEqual([
      ["the provider studio", "subject=u1 sessions=1"],
    ]);
    // The same words again say nothing.
    const again = await tell(told[0] ?? "");
    expect([again.status, again.body.message]).toEqual([400, expect.stringMatching(/used already/)]);
  });

  test("is signed out once the provider tells it again, where the disk was full the first time", async () => {
    const { browser } = await enter();
    const token = tokenWith();
    const { people } = story.doors.farm.store;
    const full = new AppError("UNAVAILABLE", "The coordinator's disk is full");
    const stub = vi.spyOn(people, "endVouched").mockRejectedValueOnce(full);
    expect([(await tell(token)).status, await statusOf(browser)]).toEqual([503, 200]);
    expect([(await tell(token)).status, await statusOf(browser)]).toEqual([200, 401]);
    stub.mockRestore();
  });

  test("is signed out where they came by a link, and stays where a password was entered", async () => {
    const ada = await story.withPassword("operator", "Ada");
    const { body } = await story.request(ada, "POST", "/links/studio", { password: goodPassword });
    const url = await story.visit(body.go_to, "u1");
    expect((await story.request(ada, "PUT", "/links/studio", answerIn(url))).status).toBe(200);
    const { browser, there } = await enter();
    await story.provider.signOut(there);
    expect([told.length, await statusOf(browser), await statusOf(ada)]).toEqual([1, 401, 200]);
  });

  test("is signed out everywhere by a token that names the account alone, whose keys may have changed just now", async () => {
    const [one, other] = [await enter(), await enter()];
    expect((await tell(tokenWith())).status).toBe(200);
    expect([await statusOf(one.browser), await statusOf(other.browser)]).toEqual([401, 401]);
    const later = await enter();
    story.provider.rotateKeys();
    await story.doors.clock.advance(10_000);
    expect((await tell(tokenWith({ iat: seconds() + 10 }))).status).toBe(200);
    expect(await statusOf(later.browser)).toBe(401);
  });
});

describe("nobody is signed out", () => {
  let browser: Browser;
  beforeEach(async () => {
    browser = (await enter()).browser;
  });
  const refused = async (answer: Awaited<ReturnType<typeof tell>>, status = 400) => {
    expect([answer.status, answer.headers["cache-control"]]).toEqual([status, "no-store"]);
    expect(await statusOf(browser)).toBe(200);
  };

  test.each<[string, () => string]>([
    ["from another issuer", () => tokenWith({ iss: "https://evil.example" })],
    ["for another program", () => tokenWith({ aud: "another" })],
    ["for others", () => tokenWith({ aud: ["another", "third"] })],
    ["without an audience", () => tokenWith({ aud: undefined })],
    ["without the event", () => tokenWith({ events: undefined })],
    ["with another event", () => tokenWith({ events: { "http://schemas.openid.net/event/other": {} } })],
    ["with an event that is no object", () => tokenWith({ events: { [event]: "yes" } })],
    ["with events as a list", () => tokenWith({ events: [event] })],
    ["with a nonce", () => tokenWith({ nonce: "n" })],
    ["with an empty nonce", () => tokenWith({ nonce: null })],
    ["without a time", () => tokenWith({ iat: undefined })],
    ["with a time that is a text", () => tokenWith({ iat: String(seconds()) })],
    ["without an end", () => tokenWith({ exp: undefined })],
    ["with an end that has passed", () => tokenWith({ exp: seconds() - 120 })],
    ["of long ago", () => tokenWith({ iat: seconds() - 600, exp: seconds() + 600 })],
    ["of a time to come", () => tokenWith({ iat: seconds() + 600, exp: seconds() + 900 })],
    ["that begins later", () => tokenWith({ nbf: seconds() + 600 })],
    ["without a name of its own", () => tokenWith({ jti: undefined })],
    ["with an empty name", () => tokenWith({ jti: "" })],
    ["with an endless name", () => tokenWith({ jti: "j".repeat(256) })],
    ["about nobody", () => tokenWith({ sub: undefined })],
    ["about an empty account", () => tokenWith({ sub: "" })],
    ["about an account that is a number", () => tokenWith({ sub: 1 })],
    ["about any account", () => tokenWith({ sub: { $ne: "" } })],
    ["about an empty session", () => tokenWith({ sid: "" })],
    ["with another key", () => tokenWith({}, { ...newKey("x"), kid: story.provider.key().kid })],
    ["with an unknown key", () => tokenWith({}, newKey("x"))],
    ["without a signature", () => tokenWith({}, story.provider.key(), "none")],
    ["that says another algorithm than it has", () => tokenWith({}, story.provider.key(), "ES256")],
    ["signed with the client's name as a secret", () => signedBySecret(clientId)],
    ["with its signature cut", () => tokenWith().slice(0, -8)],
    ["with its claims changed", () => changed(tokenWith({ sub: "u2" }), tokenWith())],
    ["that is no token", () => "no token"],
    ["that is empty", () => ""],
    ["of three dots", () => "..."],
    ["that is too long", () => tokenWith({ more: "m".repeat(8000) })],
  ])("by a token %s", async (_, make) => {
    await refused(await tell(make()));
    expect((await tell(tokenWith())).status).toBe(200);
    expect(await statusOf(browser)).toBe(401);
  });

  test("by an ID token", async () => {
    await refused(await tell(tokenWith({ events: undefined, nonce: "n", jti: undefined })));
  });

  test("whom the token does not name", async () => {
    for (const claims of [{ sub: "u2" }, { sub: undefined, sid: "another" }, { sid: "another" }, { sub: "U1" }]) {
      expect((await tell(tokenWith(claims))).status).toBe(200);
      expect(await statusOf(browser)).toBe(200);
    }
  });

  test("at another provider's door, an unknown one's, or by another form", async () => {
    await story.put({ name: "other", issuer: "https://other.example" });
    await refused(await tell(tokenWith(), "other"));
    await refused(await tell(tokenWith(), "nowhere"), 404);
    await refused(await tell(tokenWith(), "%2e%2e"), 400);
    const payload = `logout_token=${tokenWith()}&logout_token=${tokenWith()}`;
    await refused(await tell("", "studio", { payload }));
    await refused(await tell("", "studio", { payload: JSON.stringify({ logout_token: tokenWith() }) }));
    await refused(await tell("", "studio", { payload: "x".repeat(20_000) }), 413);
    const asked = await story.doors.inject({
      method: "GET",
      url: "/signed-out/studio",
      headers: { host: "farm.test" },
    });
    expect(asked.status).toBe(405);
  });

  test("by strangers, for whom the provider is asked for its keys once in ten seconds", async () => {
    await tell(tokenWith({}, newKey("first")));
    const before = story.provider.asked.filter((path) => path.endsWith("/jwks")).length;
    for (let nr = 0; nr < 20; nr += 1) await refused(await tell(tokenWith({}, newKey(`strange ${nr}`))));
    const after = story.provider.asked.filter((path) => path.endsWith("/jwks")).length;
    expect(after - before).toBeLessThanOrEqual(1);
    // What fits no provider of ours costs no question at all.
    const asked = story.provider.asked.length;
    await refused(await tell(tokenWith({ iss: "https://evil.example" }, newKey("x"))));
    expect(story.provider.asked.length).toBe(asked);
  });

  test("while the provider's keys cannot be read, which it is told to try again", async () => {
    story.provider.lieBy((answer, { url }) => (url.endsWith("/jwks") ? { ...answer, body: "no keys" } : answer));
    await story.doors.clock.advance(300_000);
    await refused(await tell(tokenWith({ iat: seconds() + 300, exp: seconds() + 420 })), 503);
    story.provider.lieBy((answer) => answer);
    await story.doors.clock.advance(10_000);
    expect((await tell(tokenWith({ iat: seconds() + 310, exp: seconds() + 420 }))).status).toBe(200);
  });
});

const signedBySecret = (secret: string): string => {
  const [head = "", body = ""] = tokenWith({}, story.provider.key(), "HS256").split(".");
  return [head, body, createHmac("sha256", secret).update(`${head}.${body}`).digest("base64url")].join(".");
};

/** The claims of one with the signature of another. */
const changed = (claims: string, signed: string): string =>
  [...claims.split(".").slice(0, 2), signed.split(".")[2]].join(".");
