import { beforeEach, describe, expect, test } from "vitest";
import { passkeyPlace } from "../../../coordinator/second-steps/place.ts";
import { Secret } from "../../../shared/basics/secret.ts";
import { goodPassword, openTestDoors } from "../../helpers/farm/doors.ts";
import { stored } from "../../helpers/farm/stored.ts";
import { aWorldPerTest } from "../../helpers/farm/worlds.ts";
import { createAuthenticator, type Odd } from "../../helpers/sign-in/authenticator.ts";
import { openBrowser, secure, type TestBrowser } from "./browser.ts";

const doors = aWorldPerTest({ open: openTestDoors, close: (each) => each.close() });

let ada: TestBrowser;
let device: ReturnType<typeof createAuthenticator>;
beforeEach(async () => {
  await doors().people.create("Ada", new Secret(goodPassword), "owner");
  await doors().people.create("Eve", new Secret(goodPassword), "viewer");
  device = createAuthenticator(secure.origin);
  ada = openBrowser(doors);
  await ada.signIn();
});

/** Makes a passkey for whoever is signed in there. */
const add = async (browser: TestBrowser, odd: Odd = {}, name = "laptop", on = device) => {
  const { body: wish } = await browser.request("POST", "/second-steps/passkeys", { password: goodPassword });
  return browser.request("PUT", "/second-steps/passkeys", on.make(wish, name, odd));
};
const asked = async (browser: TestBrowser) => (await browser.request("POST", "/passkey-session")).body;
/** Signs in with the passkey made last, or another one. */
const enter = async (browser: TestBrowser, odd: Odd = {}, made = device.kept.at(-1)) =>
  browser.request("PUT", "/passkey-session", device.use(await asked(browser), made, odd));

describe("a passkey", () => {
  test("is made on the account's page, and signs in alone", async () => {
    const { status, body } = await add(ada);
    expect([status, body.recovery.length]).toEqual([200, 10]);
    expect((await ada.request("GET", "/second-steps")).body).toMatchObject({
      ...{ codes: null, recovery_left: 10, is_required: false, not_here: null },
      passkeys: [{ name: "laptop", host: "localhost", last_used: null, created: expect.any(String) }],
    });
    const other = openBrowser(doors);
    const question = await asked(other);
    expect(question).toEqual({
      ...{ challenge: expect.stringMatching(/^[\w-]{43}$/), rpId: "localhost", timeout: 300_000 },
      ...{ allowCredentials: [], userVerification: "required" },
    });
    const entered = await other.request("PUT", "/passkey-session", device.use(question));
    expect([entered.status, entered.body, await other.who()]).toEqual([200, { name: "Ada", role: "owner" }, "Ada"]);
    expect([...other.cookies.keys()]).toEqual(["mediafarm_session_8700"]);
    const [passkey] = (await ada.request("GET", "/second-steps")).body.passkeys;
    expect(passkey.last_used).toEqual(expect.any(String));
    // A second one comes without new recovery codes, and the same one is not made twice.
    const { body: wish } = await ada.request("POST", "/second-steps/passkeys", { password: goodPassword });
    expect(wish.excludeCredentials).toEqual([{ type: "public-key", id: passkey.id, transports: ["internal"] }]);
    expect((await add(ada, {}, "phone")).body).toEqual({ recovery: [] });
  });

  test("is the second step after the password; somebody else's is not", async () => {
    await add(ada);
    const eve = openBrowser(doors);
    await eve.signIn("Eve");
    await add(eve, {}, "Eve's");
    const [adas, eves] = device.kept;
    const other = openBrowser(doors);
    expect((await other.signIn("Ada")).body).toEqual({
      ...{ name: "Ada", step: "prove", ways: ["passkey", "recovery"], not_here: null },
    });
    const question = await asked(other);
    expect(question.allowCredentials).toHaveLength(1);
    const refused = await enter(other, {}, eves);
    expect([refused.status, refused.body.message]).toEqual([401, "This passkey is not Ada's"]);
    // Named as Ada's, it is not one of hers; nor does her own open where it names Eve.
    for (const [made, user] of [
      [eves, adas?.user],
      [adas, eves?.user],
    ] as const)
      expect((await enter(other, { user: user ?? "" }, made)).status).toBe(401);
    expect(await other.who()).toBeUndefined();
    // An authenticator that was asked for one by its id need not say whose it is.
    expect((await enter(other, { user: null }, adas)).body).toEqual({ name: "Ada", role: "owner" });
    // Without the password before it, it has to.
    expect((await enter(openBrowser(doors), { user: null }, adas)).status).toBe(401);
  });

  test.each<[string, Odd]>([
    ["from another site", { origin: "https://evil.example" }],
    ["from another port of this host", { origin: "http://localhost:9000" }],
    ["for another name", { host: "evil.example" }],
    ["to another challenge", { challenge: "x".repeat(43) }],
    ["without finger, face or PIN", { isUnlocked: false }],
    ["that makes a passkey, or uses one, instead", { type: "webauthn.other" }],
  ])("is refused with an answer %s", async (_, odd) => {
    expect((await add(ada, odd)).body).toMatchObject({ error: "VALIDATION_FAILED" });
    expect((await ada.request("GET", "/second-steps")).body.passkeys).toEqual([]);
    await add(ada);
    const other = openBrowser(doors);
    const { status, body } = await enter(other, odd);
    expect([status, body.error, await other.who()]).toEqual([401, "NOT_AUTHENTICATED", undefined]);
    expect((await enter(other)).status).toBe(200);
  });

  test("is refused with a signature of another one", async () => {
    await add(ada);
    await add(ada, {}, "phone");
    const [laptop, phone] = device.kept;
    const other = openBrowser(doors);
    const answer = device.use(await asked(other), phone);
    const { status } = await other.request("PUT", "/passkey-session", {
      ...answer,
      id: laptop?.id.toString("base64url"),
    });
    expect(status).toBe(401);
  });

  test("answers a challenge once, in the browser that asked, soon, and in the session that asked", async () => {
    await add(ada);
    const [one, two] = [openBrowser(doors), openBrowser(doors)];
    const use = (browser: TestBrowser, answer: object) => browser.request("PUT", "/passkey-session", answer);
    const answer = device.use(await asked(one));
    const cookies = new Map(one.cookies);
    await asked(two);
    expect((await use(two, answer)).status).toBe(401); // another challenge
    expect((await use(openBrowser(doors), answer)).status).toBe(403); // none
    expect((await use(one, answer)).status).toBe(200);
    const replayed = openBrowser(doors);
    for (const [name, value] of cookies) replayed.cookies.set(name, value);
    expect([(await use(replayed, answer)).status, await replayed.who()]).toEqual([403, undefined]);
    // Asked for before the password was entered: it is not the step after it.
    const before = device.use(await asked(two));
    await two.signIn("Ada");
    expect((await use(two, before)).status).toBe(403);
    const late = device.use(await asked(two));
    await doors().clock.advance(300_000);
    expect((await use(two, late)).status).toBe(403);
    // One that signs in makes no passkey.
    const { body: wish } = await ada.request("POST", "/second-steps/passkeys", { password: goodPassword });
    const { challenge } = await asked(ada);
    expect((await ada.request("PUT", "/second-steps/passkeys", device.make({ ...wish, challenge }))).status).toBe(403);
    // One of another session does not either.
    const eve = openBrowser(doors);
    await eve.signIn("Eve");
    const { body: hers } = await eve.request("POST", "/second-steps/passkeys", { password: goodPassword });
    const kept = [...ada.cookies].find(([name]) => name.includes("session")) ?? ["", ""];
    eve.cookies.set(...kept);
    expect((await eve.request("PUT", "/second-steps/passkeys", device.make(hers))).status).toBe(403);
  });

  test("that was removed opens nothing, also where it was asked for before", async () => {
    await add(ada);
    await add(ada, {}, "phone");
    const [laptop] = device.kept;
    const other = openBrowser(doors);
    const answer = device.use(await asked(other), laptop);
    const path = `/second-steps/passkeys/${laptop?.id.toString("base64url")}`;
    expect((await ada.request("DELETE", path, { password: "wrong" })).status).toBe(400);
    const left = await ada.request("DELETE", path, { password: goodPassword });
    expect(left.body.passkeys.map(({ name }: { name: string }) => name)).toEqual(["phone"]);
    expect((await ada.request("DELETE", path, { password: goodPassword })).status).toBe(404);
    expect((await other.request("PUT", "/passkey-session", answer)).body.message).toContain("opens nothing here");
    await doors()
      .people.remove("Ada")
      .catch(() => undefined);
    await doors().people.create("Root", new Secret(goodPassword), "owner");
    await doors().people.remove("Ada");
    expect((await enter(other)).status).toBe(401);
  });

  test("that counts backwards is refused as a copy, and the audit says whose; one that never counts is not", async () => {
    await add(ada);
    device.setCount(7);
    expect((await enter(openBrowser(doors))).status).toBe(200);
    for (const count of [7, 3, 0]) {
      device.setCount(count);
      const { status, body } = await enter(openBrowser(doors));
      expect([status, body.message]).toEqual([401, expect.stringContaining("counts backwards")]);
    }
    await doors().farm.trail.flush();
    const lines = (await doors().farm.store.trail.find({}, 100)).filter(
      (each) => each.action === "passkeyCountsBackwards",
    );
    expect(lines.map(({ who, outcome, about }) => [who, outcome, about])).toEqual(
      [0, 3, 7].map((count) => ["Ada (person 1)", "NOT_AUTHENTICATED", `name=laptop counter=${count} before=7`]),
    );
    device.setCount(8);
    expect((await enter(openBrowser(doors))).status).toBe(200);
    await add(ada, {}, "in a cloud");
    device.setCount(0);
    for (let times = 0; times < 2; times += 1) expect((await enter(openBrowser(doors))).status).toBe(200);
  });

  test("guesses are slowed down like passwords", async () => {
    await add(ada);
    const other = openBrowser(doors);
    const wrong = async () => {
      let isOver = false;
      const answer = enter(other, { challenge: "x".repeat(43) }).finally(() => {
        isOver = true;
      });
      let waited = 0;
      for (; !isOver; waited += 100) await doors().clock.advance(100);
      return { ...(await answer), waited };
    };
    for (let times = 0; times < 5; times += 1) expect((await wrong()).status).toBe(401);
    const sixth = await wrong();
    expect([sixth.status, sixth.waited >= 200]).toEqual([401, true]);
  });

  test("of all people together are twenty each at most, each under a name", async () => {
    for (let nr = 0; nr < 20; nr += 1) expect((await add(ada, {}, `nr ${nr}`)).status).toBe(200);
    expect((await add(ada)).body.message).toContain("20 passkeys already");
    const eve = openBrowser(doors);
    await eve.signIn("Eve");
    expect((await add(eve, {}, " ")).status).toBe(400);
    expect((await add(eve)).status).toBe(200);
    expect(new Set(device.kept.map(({ user }) => user)).size).toBe(2);
    expect(JSON.stringify(stored(doors().farm).all("SELECT name FROM people"))).toContain("Ada");
  });
});

describe("where there are none", () => {
  test.each([
    ["http://farm.test", "over https only"],
    ["http://192.168.1.7:8700", "not by the address 192.168.1.7"],
    ["https://[::1]:8700", "not by the address [::1]"],
    ["", "are for browsers"],
  ])("%s is told why", (origin, words) => {
    expect(passkeyPlace(origin).refused).toContain(words);
  });

  test.each([
    ["https://farm.example:8700", "farm.example"],
    ["http://localhost:8700", "localhost"],
  ])("but there are at %s", (origin, host) => {
    expect(passkeyPlace(origin)).toEqual({ refused: null, host, origin });
  });

  test("over http, the page learns why, and nothing is asked", async () => {
    const plain = openBrowser(doors, { origin: "http://farm.test", host: "farm.test" });
    await plain.signIn();
    expect((await plain.request("GET", "/second-steps")).body.not_here).toContain("over https only");
    for (const path of ["/second-steps/passkeys", "/passkey-session"]) {
      const { status, body } = await plain.request(
        "POST",
        path,
        path.startsWith("/second") ? { password: goodPassword } : {},
      );
      expect([path, status, body.error]).toEqual([path, 409, "CONFLICT"]);
    }
  });

  test("under a name that is not this farm's, nothing is answered at all", async () => {
    const foreign = openBrowser(doors, { origin: "https://evil.example", host: "evil.example" });
    const { status, body } = await foreign.request("POST", "/passkey-session");
    expect([status, body.message]).toEqual([403, expect.stringContaining("does not go by the name evil.example")]);
  });
});
