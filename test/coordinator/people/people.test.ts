import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createPasswords, passwordCost } from "../../../coordinator/people/passwords.ts";
import {
  createPeople,
  idleMs,
  longestSessionMs,
  mostSessions,
  type People,
} from "../../../coordinator/people/people.ts";
import { Secret } from "../../../shared/basics/secret.ts";
import { createTestClock, turns } from "../../helpers/clock.ts";
import { cheapPasswords, goodPassword as goodText } from "../../helpers/farm/doors.ts";
import { aFolder, openTestFarm, removeFolder, type TestFarm } from "../../helpers/farm/farm.ts";
import { stored } from "../../helpers/farm/stored.ts";

const goodPassword = new Secret(goodText);

let folder: string;
let world: TestFarm;
let people: People;

beforeEach(async () => {
  folder = aFolder();
  world = await openTestFarm(folder);
  people = createPeople(world.farm.store, cheapPasswords(), world.farm.clock);
});

afterEach(async () => {
  await world.close();
  removeFolder(folder);
});

const firstCode = async (): Promise<Secret> => (await people.newFirstCode()) ?? new Secret("");
/** By the password alone. */
const signIn = async (name: string, password: Secret, from?: string) =>
  people.enter(await people.requirePassword(name, password, from));
const rows = (sql: string): unknown[] => stored(world.farm).all(sql);

describe("the first code", () => {
  test("makes the owner and signs them in", async () => {
    const { session, token } = await people.signInFirst(await firstCode(), "Ada", goodPassword);
    expect(session).toMatchObject({ name: "Ada", role: "owner" });
    expect(await people.use(token)).toEqual(session);
  });

  test("works once, and there is none while somebody can sign in", async () => {
    const code = await firstCode();
    await people.signInFirst(code, "Ada", goodPassword);
    await expect(people.signInFirst(code, "Eve", goodPassword)).rejects.toMatchObject({ code: "CONFLICT" });
    expect(await people.newFirstCode()).toBeNull();
  });

  test("makes one owner, however many use it at once", async () => {
    const code = await firstCode();
    const tries = ["Ada", "Eve", "Bob"].map((name) => people.signInFirst(code, name, goodPassword));
    const results = await Promise.allSettled(tries);
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected"]);
    expect((await people.list()).map(({ name, role }) => [name, role])).toEqual([["Ada", "owner"]]);
  });

  test("is replaced by every start, and is nowhere in the store", async () => {
    const older = await firstCode();
    const newer = await firstCode();
    await expect(people.signInFirst(older, "Eve", goodPassword)).rejects.toMatchObject({ code: "NOT_AUTHENTICATED" });
    await expect(people.signInFirst(new Secret(""), "Eve", goodPassword)).rejects.toMatchObject({
      code: "NOT_AUTHENTICATED",
    });
    expect(JSON.stringify(rows("SELECT * FROM records"))).not.toContain(newer.reveal());
    await people.signInFirst(newer, "Ada", goodPassword);
  });

  test("is not taken by people who are no owners", async () => {
    const code = await firstCode();
    await people.create("Eve", goodPassword, "viewer");
    expect((await firstCode()).reveal()).not.toBe("");
    const newest = await firstCode();
    await expect(people.signInFirst(code, "Ada", goodPassword)).rejects.toMatchObject({ code: "NOT_AUTHENTICATED" });
    await expect(people.signInFirst(newest, "eve", goodPassword)).rejects.toMatchObject({
      code: "CONFLICT",
      message: "There is somebody called eve already",
    });
    const { session } = await people.signInFirst(newest, "Ada", goodPassword);
    expect(session).toMatchObject({ name: "Ada", role: "owner" });
    expect(await people.newFirstCode()).toBeNull();
  });

  test("opens nothing where none was made", async () => {
    await expect(people.signInFirst(new Secret(""), "Eve", goodPassword)).rejects.toMatchObject({
      code: "NOT_AUTHENTICATED",
    });
  });
});

describe("a session", () => {
  beforeEach(async () => {
    await people.create("Ada", goodPassword, "operator");
  });

  test("is stored as a hash of 256 random bits", async () => {
    const { token, session } = await signIn("ada", goodPassword);
    expect(Buffer.from(token.reveal(), "base64url")).toHaveLength(32);
    expect(rows("SELECT hash FROM sessions")).toEqual([{ hash: session.hash }]);
    expect(session.hash).not.toContain(token.reveal());
  });

  test("ends after twelve hours without use", async () => {
    const { token, session } = await signIn("Ada", goodPassword);
    await world.clock.advance(idleMs - 1);
    expect(await people.lasts(session)).toBe(true);
    await world.clock.advance(1);
    expect(await people.lasts(session)).toBe(false);
    expect(await people.use(token)).toBeUndefined();
  });

  test("is prolonged by use, not by a look, and at most once a minute", async () => {
    const expires = () => (rows("SELECT expires FROM sessions")[0] as { expires: number }).expires - world.clock.now();
    const { token, session } = await signIn("Ada", goodPassword);
    await world.clock.advance(59_000);
    await people.use(token);
    await turns();
    expect(expires()).toBe(idleMs - 59_000);
    await world.clock.advance(1_000);
    await people.lasts(session);
    await turns();
    expect(expires()).toBe(idleMs - 60_000);
    await people.use(token);
    await turns();
    expect(expires()).toBe(idleMs);
  });

  test("ends after thirty days, however busy", async () => {
    const { token } = await signIn("Ada", goodPassword);
    const step = idleMs / 2;
    for (let passed = step; passed < longestSessionMs; passed += step) {
      await world.clock.advance(step);
      expect(await people.use(token)).toBeDefined();
      await turns();
    }
    await world.clock.advance(step);
    expect(await people.use(token)).toBeUndefined();
  });

  test("leaves the store with the next sign-in after its end", async () => {
    await signIn("Ada", goodPassword);
    await world.clock.advance(idleMs);
    await signIn("Ada", goodPassword);
    expect(rows("SELECT hash FROM sessions")).toHaveLength(1);
  });

  test("ends by signing out, and the others stay", async () => {
    const [one, other] = [await signIn("Ada", goodPassword), await signIn("Ada", goodPassword)];
    await people.signOut(one.token);
    expect([await people.use(one.token), (await people.use(other.token))?.name]).toEqual([undefined, "Ada"]);
  });

  test("ends with a new password, but for the one that asked for it", async () => {
    const [one, other] = [await signIn("Ada", goodPassword), await signIn("Ada", goodPassword)];
    await people.update("Ada", { password: new Secret("another password") }, one.session);
    expect([(await people.use(one.token))?.name, await people.use(other.token)]).toEqual(["Ada", undefined]);
    await expect(signIn("Ada", goodPassword)).rejects.toMatchObject({ code: "NOT_AUTHENTICATED" });
    await signIn("Ada", new Secret("another password"));
  });

  test("has the new role at once", async () => {
    await people.create("Bob", goodPassword, "owner");
    const { token, session } = await signIn("Ada", goodPassword);
    await people.update("Ada", { role: "viewer" }, session);
    expect((await people.use(token))?.role).toBe("viewer");
  });

  test("ends with its person", async () => {
    const { token } = await signIn("Ada", goodPassword);
    await people.remove("Ada");
    expect(await people.use(token)).toBeUndefined();
    expect(rows("SELECT hash FROM sessions")).toEqual([]);
  });
});

describe("people", () => {
  test("are the same whatever the case and form of their name", async () => {
    await people.create("Zoë", goodPassword, "viewer");
    await expect(people.create("ZOE\u0308 ", goodPassword, "viewer")).rejects.toMatchObject({ code: "CONFLICT" });
    expect((await signIn(" zoË", goodPassword)).session.name).toBe("Zoë");
  });

  test("are not signed in by a wrong password or name, which read the same", async () => {
    await people.create("Ada", goodPassword, "viewer");
    const refusal = { code: "NOT_AUTHENTICATED", message: "Name or password is wrong" };
    await expect(signIn("Ada", new Secret("long enougH"))).rejects.toMatchObject(refusal);
    await expect(signIn("Nobody", goodPassword)).rejects.toMatchObject(refusal);
  });

  test("keep the last owner", async () => {
    const { session } = await people.signInFirst(await firstCode(), "Ada", goodPassword);
    await expect(people.remove("Ada")).rejects.toMatchObject({ code: "CONFLICT" });
    await expect(people.update("Ada", { role: "operator" }, session)).rejects.toMatchObject({ code: "CONFLICT" });
    await people.update("Ada", { role: "owner" }, session);
    await people.create("Bob", goodPassword, "owner");
    await people.update("Ada", { role: "viewer" }, session);
    await expect(people.remove("Bob")).rejects.toMatchObject({ code: "CONFLICT" });
    await people.remove("Ada");
  });

  test("keep one of two owners that remove each other at once", async () => {
    await people.create("Ada", goodPassword, "owner");
    await people.create("Bob", goodPassword, "owner");
    const results = await Promise.allSettled([people.remove("Ada"), people.remove("Bob")]);
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
  });

  test("that are not there cannot be changed or removed", async () => {
    const { session } = await people.signInFirst(await firstCode(), "Ada", goodPassword);
    await expect(people.remove("Bob")).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(people.update("Bob", { role: "viewer" }, session)).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});

describe("passwords", () => {
  test("are kept as scrypt with parameters and a salt of their own", async () => {
    const { logN, r, p } = passwordCost;
    const passwords = createPasswords(createTestClock());
    const [one, other] = [await passwords.hash(goodPassword), await passwords.hash(goodPassword)];
    expect(one).toMatch(new RegExp(`^scrypt\\$${logN}\\$${r}\\$${p}\\$[\\w-]{22}\\$[\\w-]{43}$`));
    expect(other).not.toBe(one);
    expect(await passwords.isRight(goodPassword, one)).toBe(true);
    expect(await passwords.isRight(new Secret(`${goodText} `), one)).toBe(false);
  });

  test("made with other parameters are still known", async () => {
    const old = await createPasswords(createTestClock(), { logN: 5, r: 2, p: 2 }).hash(goodPassword);
    expect(await cheapPasswords().isRight(goodPassword, old)).toBe(true);
  });

  test("are the same in every form of Unicode", async () => {
    const passwords = cheapPasswords();
    expect(await passwords.isRight(new Secret("cafe\u0301 noir"), await passwords.hash(new Secret("café noir")))).toBe(
      true,
    );
  });

  test("of nobody are wrong, and cost the same", async () => {
    expect(await cheapPasswords().isRight(goodPassword, undefined)).toBe(false);
  });
});

test(`a person has ${mostSessions} sessions at most: the one that was idle longest makes room`, async () => {
  await people.create("Ada", goodPassword, "viewer");
  const first = await signIn("Ada", goodPassword);
  await world.clock.advance(1);
  for (let more = 0; more < mostSessions; more += 1) await signIn("Ada", goodPassword);
  expect(await people.use(first.token)).toBeUndefined();
  expect(rows("SELECT count(*) AS n FROM sessions")).toEqual([{ n: mostSessions }]);
});
