import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { codeAt, stepAt } from "../../../coordinator/second-steps/one-time-passwords.ts";
import { Secret } from "../../../shared/basics/secret.ts";
import { goodPassword } from "../../helpers/farm/doors.ts";
import { aFolder, removeFolder } from "../../helpers/farm/farm.ts";
import { answerIn, type Browser, type IdentityStory, openIdentityStory } from "../../helpers/farm/identity-story.ts";

let folder: string;
let story: IdentityStory;
let ada: Browser;

beforeEach(async () => {
  folder = aFolder();
  story = await openIdentityStory(folder);
  await story.put();
  ada = await story.withPassword("operator", "Ada");
  story.provider.people.set("u1", { preferred_username: "lovelace", groups: ["admins"] });
  story.provider.people.set("u2", { preferred_username: "eve", groups: ["staff"] });
});
afterEach(async () => {
  await story.close();
  removeFolder(folder);
});

const again = { password: goodPassword };
const begin = async (browser: Browser, payload: object = again) =>
  (await story.request(browser, "POST", "/links/studio", payload)).body.go_to as string;
const finish = (browser: Browser, url: URL) => story.request(browser, "PUT", "/links/studio", answerIn(url));
const link = async (browser: Browser, who = "u1") => finish(browser, await story.visit(await begin(browser), who));
const linksOf = async (browser: Browser) => (await story.request(browser, "GET", "/links")).body;
const sessionOf = async (browser: Browser) => {
  const { status, body } = await story.request(browser, "GET", "/session");
  return status === 200 ? body : status;
};
const trailOf = async (action: string) => {
  await story.doors.farm.trail.flush();
  const lines = await story.doors.farm.store.trail.after(0, 1000);
  return lines.filter((each) => each.action === action).map(({ who, outcome, about }) => [who, outcome, about]);
};

describe("an account at a provider", () => {
  test("is linked after the password, shown, opens the farm, and is ended with the sessions that it began", async () => {
    expect(await linksOf(ada)).toEqual({ items: [], others: ["studio"], asks: "password" });
    const { status, body } = await link(ada);
    expect([status, body]).toEqual([200, { provider: "studio", page: "/account" }]);
    const { items, others } = await linksOf(ada);
    expect([items, others]).toEqual([
      ...[[{ provider: "studio", name: "lovelace", created: expect.any(String), last_used: null }], []],
    ]);
    const browser: Browser = new Map();
    expect((await story.signInAt("u1", browser)).body).toMatchObject({ name: "Ada", role: "operator" });
    expect(await sessionOf(browser)).toEqual({
      ...{ name: "Ada", role: "operator", provider: "studio", is_local: true },
    });
    expect((await linksOf(ada)).items[0].last_used).not.toBeNull();
    const people = (await story.request(story.root, "GET", "/people")).body.items;
    expect(people.map(({ name, links }: { name: string; links: string[] }) => [name, links])).toEqual([
      ...[
        ["Ada", ["studio"]],
        ["Root", []],
      ],
    ]);
    expect((await story.request(ada, "DELETE", "/links/studio", again)).status).toBe(200);
    expect([await sessionOf(browser), (await sessionOf(ada)).name]).toEqual([401, "Ada"]);
    // Nobody's again: whoever it belongs to comes as themselves.
    expect((await story.signInAt("u1")).body).toMatchObject({ name: "lovelace", role: "owner" });
    const person = expect.stringMatching(/^Ada/);
    expect(await trailOf("finishLink")).toEqual([[person, "done", expect.stringContaining("provider=studio")]]);
    expect(await trailOf("endLink")).toEqual([[person, "done", expect.stringContaining("provider=studio")]]);
  });

  test("gives no stronger role than groups say, and none than an owner gave", async () => {
    await link(ada);
    const browser: Browser = new Map();
    await story.signInAt("u1", browser);
    expect((await sessionOf(browser)).role).toBe("operator");
    await story.request(story.root, "PUT", "/people/Ada", { role: "owner" });
    expect((await sessionOf(browser)).role).toBe("owner");
    story.provider.people.set("u1", { preferred_username: "lovelace", groups: ["staff"] });
    const later: Browser = new Map();
    await story.signInAt("u1", later);
    expect([(await sessionOf(later)).role, (await sessionOf(ada)).role]).toEqual(["viewer", "owner"]);
    expect((await story.request(later, "GET", "/people")).status).toBe(403);
  });

  test("opens nothing once its groups do not, and ends what it began; the person and the link stay", async () => {
    await link(ada);
    const browser: Browser = new Map();
    await story.signInAt("u1", browser);
    story.provider.people.set("u1", { preferred_username: "lovelace", groups: ["elsewhere"] });
    expect((await story.signInAt("u1")).status).toBe(403);
    expect([await sessionOf(browser), (await sessionOf(ada)).name]).toEqual([401, "Ada"]);
    expect((await linksOf(ada)).items.length).toBe(1);
    expect(await trailOf("endSessions")).toEqual([["the provider studio", "done", "subject=u1"]]);
  });

  test("of a provider that is removed, or has another issuer, is linked no more", async () => {
    await link(ada);
    const browser: Browser = new Map();
    await story.signInAt("u1", browser);
    expect((await story.request(story.root, "DELETE", "/identity/providers/studio")).status).toBe(200);
    expect(await sessionOf(browser)).toBe(401);
    await story.put();
    expect(await linksOf(ada)).toMatchObject({ items: [], others: ["studio"] });
  });

  test("is ended by an owner, and its sessions with it", async () => {
    await link(ada);
    const browser: Browser = new Map();
    await story.signInAt("u1", browser);
    expect((await story.request(ada, "DELETE", "/people/Ada/links/studio")).status).toBe(403);
    const ended = await story.request(story.root, "DELETE", "/people/ADA/links/studio");
    expect([ended.status, ended.body]).toMatchObject([200, { name: "Ada", links: [] }]);
    expect(await sessionOf(browser)).toBe(401);
    expect((await story.request(story.root, "DELETE", "/people/Ada/links/studio")).status).toBe(404);
    expect((await story.request(story.root, "DELETE", "/people/Eve/links/studio")).status).toBe(404);
    expect((await trailOf("endPersonLink")).map(([, outcome]) => outcome)).toContain("done");
  });

  test("that is the last way in stays: passwords are off, and whoever has it as only one keeps it", async () => {
    story.provider.people.set("u3", { preferred_username: "root", groups: ["admins"] });
    expect((await link(story.root, "u3")).status).toBe(200);
    const browser: Browser = new Map();
    await story.signInAt("u3", browser);
    expect(await sessionOf(browser)).toMatchObject({ name: "Root", role: "owner", provider: "studio" });
    expect((await story.request(browser, "PUT", "/identity", { passwords: false })).status).toBe(200);
    expect(await sessionOf(story.root)).toBe(401);
    expect((await linksOf(browser)).asks).toBe("fresh sign-in");
    for (const path of ["/links/studio", "/people/Root/links/studio"]) {
      const { status, body } = await story.request(browser, "DELETE", path, {});
      expect([status, body.message]).toEqual([409, expect.stringMatching(/last way in/)]);
    }
    await story.request(browser, "PUT", "/identity", { passwords: true });
    expect((await story.request(browser, "DELETE", "/links/studio", again)).status).toBe(200);
    expect(await sessionOf(browser)).toBe(401);
  });
});

describe("nothing is linked", () => {
  const refused = async (answer: { status: number; body: { message: string } }, status: number, words: RegExp) => {
    expect([answer.status, answer.body.message]).toEqual([status, expect.stringMatching(words)]);
    expect((await story.doors.people.links(null)).length).toBe(0);
  };

  test("without the password, with a wrong one, or by another site's page", async () => {
    for (const payload of [{}, { password: "wrong password" }, { one_time_code: "123456" }])
      expect((await story.request(ada, "POST", "/links/studio", payload)).status).toBe(400);
    const cookie = [...ada].map(([name, value]) => `${name}=${value}`).join("; ");
    for (const method of ["POST", "PUT", "DELETE"] as const) {
      const headers = { host: "farm.test", origin: "https://evil.example", cookie };
      const payload = method === "PUT" ? { oauth_state: "x" } : again;
      const { status } = await story.doors.inject({ method, url: "/ui/v1/links/studio", headers, payload });
      expect(status).toBe(403);
    }
    expect(ada.has("mediafarm_attempt")).toBe(false);
  });

  test("in another browser, session or person than the one that began", async () => {
    const url = await story.visit(await begin(ada), "u1");
    const attempt = ada.get("mediafarm_attempt") ?? "";
    const eve = await story.withPassword("viewer", "Eve");
    // The attacker sends somebody who is signed in to where the provider sent the attacker.
    await refused(await finish(eve, url), 403, /not begun in this browser/);
    await refused(await finish(new Map([...eve, ["mediafarm_attempt", attempt]]), url), 403, /another browser/);
    const other = await story.doors.signIn("Ada");
    const own: Browser = new Map([
      ["mediafarm_session", other.cookie ?? ""],
      ["mediafarm_attempt", attempt],
    ]);
    await refused(await finish(own, url), 403, /another browser/);
    expect((await finish(ada, url)).status).toBe(200);
  });

  test("by a session that ended meanwhile, at whatever moment", async () => {
    const url = await story.visit(await begin(ada), "u1");
    const session = ada.get("mediafarm_session") ?? "";
    await story.request(ada, "DELETE", "/session");
    await refused(await finish(new Map([...ada, ["mediafarm_session", session]]), url), 401, /sign in/);
    const next: Browser = new Map([["mediafarm_session", (await story.doors.signIn("Ada")).cookie ?? ""]]);
    const again = await story.visit(await begin(next), "u1");
    story.provider.lieBy(async (answer, { url: asked }) => {
      if (asked.endsWith("/token")) await story.doors.people.remove("Ada");
      return answer;
    });
    await refused(await finish(next, again), 401, /signed out meanwhile/);
  });

  test("twice by one answer, or by an answer that was used", async () => {
    const url = await story.visit(await begin(ada), "u1");
    const attempt = ada.get("mediafarm_attempt") ?? "";
    expect((await finish(ada, url)).status).toBe(200);
    await story.request(ada, "DELETE", "/links/studio", again);
    await refused(await finish(new Map([...ada, ["mediafarm_attempt", attempt]]), url), 403, /used already/);
  });

  test("by what was begun to sign in, and nobody signs in by what was begun to link", async () => {
    const browser: Browser = new Map(ada);
    const { body } = await story.request(browser, "POST", "/sign-ins/studio", {});
    await refused(await finish(browser, await story.visit(body.go_to, "u1")), 403, /begun to sign in/);
    const url = await story.visit(await begin(ada), "u1");
    const signIn = await story.request(new Map(ada), "PUT", "/sign-ins/studio", answerIn(url));
    await refused(signIn, 403, /begun to link/);
    expect(signIn.cookie).toBeUndefined();
    // What the page reads of the state decides nothing.
    const { oauth_state, ...rest } = answerIn(url);
    const plain = { ...rest, oauth_state: oauth_state.replace(/^link\./, "") };
    await refused(
      await story.request(new Map(ada), "PUT", "/sign-ins/studio", plain),
      403,
      /not begun in this browser/,
    );
  });

  test("of another provider than the one that was asked", async () => {
    const other = { name: "other", issuer: "https://other.example" };
    await story.put(other);
    const url = await story.visit(await begin(ada), "u1");
    const mixed = await story.request(ada, "PUT", "/links/other", answerIn(url));
    await refused(mixed, 403, /not begun in this browser/);
    url.searchParams.set("iss", "https://other.example");
    await refused(await finish(ada, url), 403, /does not prove/);
    expect((await story.request(ada, "POST", "/links/nowhere", again)).status).toBe(404);
  });

  test("that is somebody's already, whoever asks first, nor a second one of the provider", async () => {
    const eve = await story.withPassword("viewer", "Eve");
    const urls = [await story.visit(await begin(ada), "u1"), await story.visit(await begin(eve), "u1")] as const;
    const answers = await Promise.all([finish(ada, urls[0]), finish(eve, urls[1])]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect((await story.doors.people.links(null)).length).toBe(1);
    const [winner, loser] = answers[0]?.status === 200 ? [ada, eve] : [eve, ada];
    expect((await link(winner, "u2")).body.message).toMatch(/have an account of this provider/);
    expect((await link(loser, "u1")).body.message).toMatch(/somebody already/);
    // Whom the provider vouches for is somebody as well.
    await story.signInAt("u2");
    expect((await link(loser, "u2")).body.message).toMatch(/somebody already/);
  });

  test("whose groups open nothing", async () => {
    story.provider.people.set("u4", { preferred_username: "out", groups: ["elsewhere"] });
    await refused(await link(ada, "u4"), 403, /None of your groups/);
  });

  test("to the machine, to strangers, or to whom the same provider vouches for", async () => {
    await refused(await story.request(new Map(), "POST", "/links/studio", again), 401, /sign in/);
    const browser: Browser = new Map();
    await story.signInAt("u2", browser);
    expect(await linksOf(browser)).toEqual({ items: [], others: [], asks: "fresh sign-in" });
    await refused(await link(browser, "u1"), 409, /have an account of this provider/);
    await story.doors.clock.advance(15 * 60_000 + 1);
    await refused(await story.request(browser, "POST", "/links/studio", again), 403, /fresh sign-in/);
  });
});

test("a code of the app stands for the password, once, and few wrong ones", async () => {
  const { body } = await story.request(ada, "POST", "/second-steps/codes", again);
  const codeIn = (steps: number) => codeAt(new Secret(body.secret), stepAt(story.doors.clock.now()) + steps);
  await story.request(ada, "PUT", "/second-steps/codes", { one_time_code: codeIn(0) });
  expect((await linksOf(ada)).asks).toBe("password or code");
  const withCode = (one_time_code: string) => story.request(ada, "POST", "/links/studio", { one_time_code });
  expect((await withCode(codeIn(0))).status).toBe(400);
  expect((await withCode(codeIn(1))).status).toBe(200);
  expect((await withCode(codeIn(1))).status).toBe(400);
});
