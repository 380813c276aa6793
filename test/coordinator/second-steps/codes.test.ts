import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { machineFile } from "../../../coordinator/people/machine-key.ts";
import { codeAt, stepAt } from "../../../coordinator/second-steps/one-time-passwords.ts";
import { Secret } from "../../../shared/basics/secret.ts";
import { goodPassword, openTestDoors } from "../../helpers/farm/doors.ts";
import { stored } from "../../helpers/farm/stored.ts";
import { aWorldPerTest } from "../../helpers/farm/worlds.ts";
import { openBrowser, type TestBrowser } from "./browser.ts";

let dataFolder = "";
const doors = aWorldPerTest({
  open: (folder) => {
    dataFolder = folder;
    return openTestDoors(folder);
  },
  close: (each) => each.close(),
});
const machineKey = (): string => JSON.parse(readFileSync(join(dataFolder, machineFile), "utf8")).key;
const stepMs = 30_000;

let ada: TestBrowser;
beforeEach(async () => {
  await doors().people.create("Ada", new Secret(goodPassword), "owner");
  ada = openBrowser(doors);
  await ada.signIn();
});

const codeNow = (secret: Secret, shift = 0): string => codeAt(secret, stepAt(doors().clock.now()) + shift);
const elsewhere = async (): Promise<TestBrowser> => {
  const browser = openBrowser(doors);
  await browser.signIn();
  return browser;
};
const prove = (browser: TestBrowser, one_time_code: string) => browser.request("PUT", "/session", { one_time_code });
const linesOf = async (action: string) => {
  await doors().farm.trail.flush();
  const lines = await doors().farm.store.trail.find({}, 100);
  return lines.filter((line) => line.action === action && line.outcome === "done");
};

describe("one-time codes", () => {
  test("count once they are confirmed by one; after that, the password alone opens nothing", async () => {
    const begun = await ada.request("POST", "/second-steps/codes", { password: goodPassword });
    expect(begun.body).toEqual({ secret: expect.any(String), issuer: "Mediafarm localhost", account: "Ada" });
    expect(await (await elsewhere()).who()).toBe("Ada");
    const wrong = await ada.request("PUT", "/second-steps/codes", { one_time_code: "000000" });
    expect([wrong.status, wrong.body.error]).toEqual([400, "VALIDATION_FAILED"]);
    const { recovery } = await ada.setUpCodes();
    expect(recovery).toHaveLength(10);
    expect((await ada.request("GET", "/second-steps")).body).toMatchObject({
      ...{ codes: { since: expect.any(String) }, recovery_left: 10, passkeys: [], is_required: false },
    });
    const other = openBrowser(doors);
    const { status, body } = await other.signIn();
    expect([status, body]).toEqual([200, { name: "Ada", step: "prove", ways: ["code", "recovery"], not_here: null }]);
    expect([...other.cookies.keys()]).toEqual(["mediafarm_half_8700"]);
    // Nothing at all, not even what somebody without a second step may set up.
    for (const path of ["/session", "/second-steps", "/jobs", "/people"])
      expect((await other.request("GET", path)).status).toBe(401);
    expect((await other.request("POST", "/second-steps/codes", {})).status).toBe(401);
    expect((await other.request("PUT", "/session", {})).status).toBe(400);
  });

  test("open once each, one step early or late", async () => {
    const { secret, code } = await ada.setUpCodes();
    const other = await elsewhere();
    // The code that confirmed them is used.
    expect((await prove(other, code)).status).toBe(401);
    expect((await prove(other, codeNow(secret, 2))).status).toBe(401);
    const early = codeNow(secret, 1);
    expect((await prove(other, ` ${early.slice(0, 3)} ${early.slice(3)} `)).body).toEqual({
      name: "Ada",
      role: "owner",
    });
    expect([await other.who(), [...other.cookies.keys()]]).toEqual(["Ada", ["mediafarm_session_8700"]]);
    const third = await elsewhere();
    expect((await prove(third, early)).body.message).toBe("The code is wrong, or was used already");
    await doors().clock.advance(2 * stepMs);
    expect((await prove(third, codeNow(secret, -1))).status).toBe(401); // the one that was used early
    expect((await prove(third, codeNow(secret))).status).toBe(200);
    await doors().clock.advance(3 * stepMs);
    const fourth = await elsewhere();
    expect((await prove(fourth, codeNow(secret, -2))).status).toBe(401);
    expect((await prove(fourth, codeNow(secret, -1))).status).toBe(200);
  });

  test("of a used step do not open a second session that waits for one", async () => {
    const { secret } = await ada.setUpCodes();
    await doors().clock.advance(stepMs);
    const [one, two] = [await elsewhere(), await elsewhere()];
    const both = await Promise.all([prove(one, codeNow(secret)), prove(two, codeNow(secret))]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 401]);
  });

  test("may be wrong five times, then the password is needed again; ten times from anywhere, and codes wait", async () => {
    const { secret } = await ada.setUpCodes();
    await doors().clock.advance(stepMs);
    const guess = async (browser: TestBrowser, code = "000000") => {
      let isOver = false;
      const answer = prove(browser, code).finally(() => {
        isOver = true;
      });
      while (!isOver) await doors().clock.advance(1000);
      return answer;
    };
    const first = await elsewhere();
    for (let wrong = 0; wrong < 5; wrong += 1) expect((await guess(first)).status).toBe(401);
    expect((await guess(first, codeNow(secret))).body.message).toContain("Enter name and password again");
    const second = await elsewhere();
    for (let wrong = 0; wrong < 4; wrong += 1) expect((await guess(second)).status).toBe(401);
    const third = await elsewhere();
    expect((await guess(third)).status).toBe(401);
    const refused = await guess(third, codeNow(secret));
    expect([refused.status, refused.body.error]).toEqual([429, "TOO_MANY_ATTEMPTS"]);
    await doors().clock.advance(15 * 60_000);
    const later = await elsewhere();
    expect((await guess(later, codeNow(secret))).status).toBe(200);
  });

  test("are asked for ten minutes long after the password, and only while that is the password", async () => {
    const { secret } = await ada.setUpCodes();
    const late = await elsewhere();
    await doors().clock.advance(10 * 60_000);
    expect((await prove(late, codeNow(secret))).status).toBe(401);
    const changed = await elsewhere();
    await ada.request("PUT", "/session/password", { password: goodPassword, new_password: "another one" });
    expect((await prove(changed, codeNow(secret))).status).toBe(401);
    expect(await changed.who()).toBeUndefined();
  });

  test("lie sealed in the store, recovery codes as marks", async () => {
    const { secret, recovery } = await ada.setUpCodes();
    const text = JSON.stringify(stored(doors().farm).all("SELECT second_steps FROM people"));
    expect(text).not.toContain(secret.reveal());
    for (const code of recovery) for (const part of code.split("-")) expect(text).not.toContain(part);
    const lines = JSON.stringify(await doors().farm.store.trail.find({}, 100));
    expect(lines).not.toContain(secret.reveal());
  });

  test("need the password again, to be set up, taken away, and for new recovery codes", async () => {
    await ada.setUpCodes();
    for (const [method, path] of [
      ["POST", "/second-steps/codes"],
      ["DELETE", "/second-steps/codes"],
      ["POST", "/second-steps/recovery"],
      ["POST", "/second-steps/passkeys"],
    ] as const) {
      for (const body of [{}, { password: "wrong" }])
        expect([path, (await ada.request(method, path, body)).body.error]).toEqual([path, "VALIDATION_FAILED"]);
      await doors().clock.advance(20 * 60_000);
    }
    const gone = await ada.request("DELETE", "/second-steps/codes", { password: goodPassword });
    expect(gone.body).toMatchObject({ codes: null, recovery_left: 0 });
    expect((await ada.signIn()).body).toEqual({ name: "Ada", role: "owner" });
  });
});

describe("recovery codes", () => {
  test("open once each, whatever stands between the letters; new ones replace them", async () => {
    const { recovery } = await ada.setUpCodes();
    const use = async (code = "") => {
      const browser = await elsewhere();
      return (await browser.request("PUT", "/session", { recovery_code: code })).status;
    };
    const [first = "", second] = recovery;
    expect([await use(first.toUpperCase().replaceAll("-", " ")), await use(first), await use("aaaa-bbbb")]).toEqual([
      200, 401, 401,
    ]);
    expect((await ada.request("GET", "/second-steps")).body.recovery_left).toBe(9);
    const { body } = await ada.request("POST", "/second-steps/recovery", { password: goodPassword });
    expect([await use(second), await use(body.recovery[0])]).toEqual([401, 200]);
  });

  test("are not there for who has no second step", async () => {
    const { status } = await ada.request("POST", "/second-steps/recovery", { password: goodPassword });
    expect(status).toBe(409);
  });
});

describe("an owner", () => {
  test("may want a second step of some or all, once they have one; the next sign-in then leads to it, and to nothing else", async () => {
    await doors().people.create("Vic", new Secret(goodPassword), "viewer");
    await doors().people.create("Op", new Secret(goodPassword), "operator");
    const set = (from: string | null) => ada.request("PUT", "/identity/second-step", { from });
    expect((await set("viewer")).body.message).toContain("to your own account first");
    expect((await set(null)).status).toBe(200);
    await ada.setUpCodes();
    expect((await set("operator")).body).toMatchObject({ second_step: "operator", passwords: true });
    const vic = openBrowser(doors);
    expect((await vic.signIn("Vic")).body).toEqual({ name: "Vic", role: "viewer" });
    const op = openBrowser(doors);
    expect((await op.signIn("Op")).body).toEqual({ name: "Op", step: "set up", ways: [], not_here: null });
    for (const path of ["/session", "/second-steps", "/jobs"]) expect((await op.request("GET", path)).status).toBe(401);
    expect((await op.request("DELETE", "/second-steps/codes", {})).status).toBe(401);
    const { recovery } = await op.setUpCodes(undefined);
    expect([recovery.length, await op.who(), [...op.cookies.keys()]]).toEqual([10, "Op", ["mediafarm_session_8700"]]);
    // What the farm wants stays.
    const gone = await op.request("DELETE", "/second-steps/codes", { password: goodPassword });
    expect([gone.status, gone.body.message]).toEqual([409, expect.stringContaining("add another one first")]);
    // Who is signed in stays so; the next sign-in asks.
    expect((await set("viewer")).status).toBe(200);
    expect(await vic.who()).toBe("Vic");
    expect((await openBrowser(doors).signIn("Vic")).body.step).toBe("set up");
    const [line] = await linesOf("setSecondStep");
    expect(line?.who).toBe("Ada (person 1)");
  });

  test("clears somebody's second step; whose password alone was shown sets up no second one beside it", async () => {
    await doors().people.create("Vic", new Secret(goodPassword), "viewer");
    await ada.setUpCodes();
    await ada.request("PUT", "/identity/second-step", { from: "viewer" });
    const [thief, vic] = [openBrowser(doors), openBrowser(doors)];
    await thief.signIn("Vic");
    await vic.signIn("Vic");
    await vic.setUpCodes(undefined);
    await expect(thief.setUpCodes(undefined)).rejects.toThrow("You have a second step already");
    expect(await thief.who()).toBeUndefined();
    const people = async () => (await ada.request("GET", "/people")).body.items;
    expect(
      (await people()).map((each: { name: string; second_step: boolean }) => [each.name, each.second_step]),
    ).toEqual([
      ["Ada", true],
      ["Vic", true],
    ]);
    expect((await vic.request("DELETE", "/people/Ada/second-steps")).status).toBe(403);
    expect((await ada.request("DELETE", "/people/vic/second-steps")).body).toMatchObject({ second_step: false });
    expect((await ada.request("DELETE", "/people/nobody/second-steps")).status).toBe(404);
    expect((await openBrowser(doors).signIn("Vic")).body.step).toBe("set up");
    const [line] = await linesOf("clearSecondSteps");
    expect([line?.who, line?.about]).toEqual(["Ada (person 1)", "name=Vic"]);
  });

  test("who is locked out gets in by the machine's own key", async () => {
    await ada.setUpCodes();
    doors().machine.publish("http://farm.test/");
    const headers = { authorization: `Bearer ${machineKey()}` };
    const ask = (method: "PUT" | "DELETE", path: string, payload: object) =>
      doors().inject({ method, url: `/ui/v1${path}`, headers, payload });
    expect((await ask("PUT", "/identity/second-step", { from: "owner" })).status).toBe(200);
    expect((await ask("DELETE", "/people/Ada/second-steps", {})).status).toBe(200);
    expect((await openBrowser(doors).signIn()).body.step).toBe("set up");
    expect((await ask("PUT", "/identity/second-step", { from: null })).status).toBe(200);
    expect((await openBrowser(doors).signIn()).body).toEqual({ name: "Ada", role: "owner" });
  });
});

test("a link for a new password does not replace the second step", async () => {
  const { secret } = await ada.setUpCodes();
  const { code } = await doors().people.newReset("Ada");
  const other = openBrowser(doors);
  const answer = await other.request("POST", "/reset-session", { code: code.reveal(), password: "another one" });
  expect(answer.body).toMatchObject({ step: "prove" });
  expect([await other.who(), await ada.who()]).toEqual([undefined, undefined]);
  await doors().clock.advance(stepMs);
  expect((await prove(other, codeNow(secret))).body).toEqual({ name: "Ada", role: "owner" });
});
