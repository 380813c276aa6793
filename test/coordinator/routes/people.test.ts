import { beforeEach, describe, expect, test } from "vitest";
import { changeIdentity } from "../../../coordinator/identity/settings.ts";
import { Secret } from "../../../shared/basics/secret.ts";
import { turns } from "../../helpers/clock.ts";
import { goodPassword, openTestDoors } from "../../helpers/farm/doors.ts";
import { stored } from "../../helpers/farm/stored.ts";
import { aWorldPerTest } from "../../helpers/farm/worlds.ts";
import { openBrowser } from "../second-steps/browser.ts";

const doors = aWorldPerTest({
  open: openTestDoors,
  close: (each) => each.close(),
});

const first = (code: string, name = "Ada", password = goodPassword) =>
  doors().ask("POST", "/first-session", undefined, { code, name, password });

describe("the first sign-in", () => {
  test("makes the owner by the code of the link, and signs them in", async () => {
    const code = (await doors().people.newFirstCode())?.reveal() ?? "";
    const { status, body, cookie } = await first(code, "  Ada ");
    expect([status, body]).toEqual([200, { name: "Ada", role: "owner" }]);
    expect((await doors().ask("GET", "/session", cookie)).body).toEqual({ name: "Ada", role: "owner" });
    const again = await first(code, "Eve");
    expect([again.status, again.body.error, again.cookie]).toEqual([409, "CONFLICT", undefined]);
  });

  test("where the farm wants a second step of owners, opens nothing before one is set up", async () => {
    await changeIdentity(doors().farm, (before) => ({ ...before, second_step: "owner" }));
    const browser = openBrowser(doors);
    const code = (await doors().people.newFirstCode())?.reveal() ?? "";
    const payload = { code, name: "Ada", password: goodPassword };
    const { status, body, cookie } = await browser.request("POST", "/first-session", payload);
    expect([status, body, cookie]).toEqual([
      ...[200, { name: "Ada", step: "set up", ways: [], not_here: null }, undefined],
    ]);
    expect([stored(doors().farm).all("SELECT * FROM sessions"), await browser.who()]).toEqual([[], undefined]);
    expect((await browser.request("GET", "/people")).status).toBe(401);
    expect((await openBrowser(doors).signIn()).body.step).toBe("set up");
    await browser.setUpCodes();
    expect(await browser.who()).toBe("Ada");
  });

  test("is refused with another code", async () => {
    await doors().people.newFirstCode();
    const { status, body } = await first("guess");
    expect([status, body.error]).toEqual([401, "NOT_AUTHENTICATED"]);
  });

  test.each([
    ["a short password", "Ada", "123456789"],
    ["no name", "  ", goodPassword],
    ["a name that is too long", "x".repeat(101), goodPassword],
    ["a name that no address can hold", "..", goodPassword],
    ["a name with a control character", "A\u0000", goodPassword],
  ])("is refused with %s", async (_, name, password) => {
    const { status, body } = await first((await doors().people.newFirstCode())?.reveal() ?? "", name, password);
    expect([status, body.error]).toEqual([400, "VALIDATION_FAILED"]);
    expect(JSON.stringify(body)).not.toContain(password);
  });
});

describe("signing in", () => {
  beforeEach(() => doors().people.create("Ada", new Secret(goodPassword), "viewer"));

  test("answers who it is", async () => {
    expect((await doors().signIn(" aDA ")).body).toEqual({ name: "Ada", role: "viewer" });
  });

  test("with something wrong sets no cookie and does not say what was", async () => {
    for (const [name, password] of [
      ["Ada", "long enouhg"],
      ["Eve", goodPassword],
    ] as const) {
      const { status, body, cookie } = await doors().signIn(name, password);
      expect([status, body.message, cookie]).toEqual([401, "Name or password is wrong", undefined]);
    }
  });

  test("is slowed down after five wrong passwords, and never locked", async () => {
    for (let wrong = 0; wrong < 5; wrong += 1) await doors().signIn("Ada", "wrong");
    let isAnswered = false;
    const sixth = doors()
      .signIn("Ada", "wrong")
      .then((answer) => {
        isAnswered = true;
        return answer;
      });
    while (doors().clock.waiting() < 2) await turns(); // its own penalty, and the pause of the line
    await doors().clock.advance(199);
    expect(isAnswered).toBe(false);
    await doors().clock.advance(1);
    expect((await sixth).status).toBe(401);
    const right = doors().signIn("Ada"); // the next try for this name is made a second after the last one
    await doors().clock.advance(800);
    expect((await right).status).toBe(200);
    expect((await doors().signIn("Ada", "wrong")).status).toBe(401);
  });

  test("more than twelve times at once is refused, so that guessing in parallel gains nothing", async () => {
    const tries = Promise.all(Array.from({ length: 14 }, () => doors().signIn("Ada", "wrong")));
    let isOver = false;
    const all = tries.finally(() => {
      isOver = true;
    });
    while (!isOver) await doors().clock.advance(1000);
    const counts = Map.groupBy(await all, ({ status }) => status);
    expect([...counts].map(([status, { length }]) => [status, length])).toEqual([
      [401, 12],
      [429, 2],
    ]);
  });
});

/** Whether all of these are over. */
const settled = (all: readonly Promise<unknown>[]): Promise<boolean> =>
  Promise.race([Promise.all(all).then(() => true), turns().then(() => false)]);

describe("who guesses keeps nobody else out", () => {
  beforeEach(() => doors().people.create("Ada", new Secret(goodPassword), "owner"));
  test("where four guess for nobody as fast as they are answered, the right password opens at once", async () => {
    for (let wrong = 0; wrong < 6; wrong += 1) {
      const guess = doors().signIn("nobody", "wrong");
      if (wrong < 5) await guess;
    }
    const guesses = [1, 2, 3, 4].map(() => doors().signIn("nobody", "wrong"));
    while (doors().clock.waiting() === 0) await turns();
    expect((await doors().signIn("Ada")).status).toBe(200);
    while (!(await settled(guesses))) await doors().clock.advance(1000);
  });

  test("where four guess for the same name from the same address, the right password opens all the same", async () => {
    const { clock, signIn } = doors();
    let isOver = false;
    let guesses = 0;
    const guess = async () => {
      for (; !isOver; guesses += 1) expect((await signIn("Ada", "wrong")).status).toBe(401);
    };
    const all = [1, 2, 3, 4].map(guess);
    const begun = clock.monotonic();
    // A busy machine needs more turns for the same guesses.
    while (clock.monotonic() - begun < 60_000 || guesses <= 5) await clock.advance(100);
    // Five at once, then one a second at most, and every wrong answer is late.
    expect(guesses).toBeLessThanOrEqual(65);
    let status: number | undefined;
    const owner = signIn("Ada").then((answer) => {
      status = answer.status;
      isOver = true;
    });
    while (status === undefined) await clock.advance(100);
    expect(status).toBe(200);
    while (!(await settled(all))) await clock.advance(1000);
    await owner;
  });

  test("where hundreds guess for many names, the right password opens at once", async () => {
    const guesses = Array.from({ length: 400 }, (_, nr) => doors().signIn(`nobody ${nr}`, "wrong"));
    expect((await doors().signIn("Ada")).status).toBe(200);
    let isOver = false;
    const all = Promise.all(guesses).finally(() => {
      isOver = true;
    });
    while (!isOver) await doors().clock.advance(5000);
    expect(new Set((await all).map(({ status }) => status))).toEqual(new Set([401, 429]));
  });
});

describe("the list of people", () => {
  const added = { name: "Bob/Böb 字", password: goodPassword, role: "operator" };
  const path = `/people/${encodeURIComponent(added.name)}`;
  let owner: string;

  beforeEach(async () => {
    owner = await doors().enter("owner", "Ada");
  });

  test("is made, changed and shown by an owner, without passwords", async () => {
    const plain = {
      ...{ created: "2026-11-01T00:00:00.000Z", second_step: false, links: [] },
      ...{ only_tags: [], only_groups: [] },
    };
    const made = await doors().ask("POST", "/people", owner, added);
    expect(made.body).toEqual({ name: added.name, role: "operator", ...plain });
    const changed = await doors().ask("PUT", path, owner, { role: "viewer" });
    expect(changed.body).toEqual({ name: added.name, role: "viewer", ...plain });
    expect((await doors().ask("GET", "/people", owner)).body).toEqual({
      items: [
        { name: "Ada", role: "owner", ...plain },
        { name: added.name, role: "viewer", ...plain },
      ],
    });
    expect((await doors().ask("DELETE", path, owner)).status).toBe(200);
    expect((await doors().ask("DELETE", path, owner)).body.error).toBe("NOT_FOUND");
    expect((await doors().signIn(added.name)).status).toBe(401);
  });

  test("takes the longest name there can be", async () => {
    const name = "字".repeat(100);
    expect((await doors().ask("POST", "/people", owner, { ...added, name })).status).toBe(200);
    expect((await doors().ask("DELETE", `/people/${encodeURIComponent(name)}`, owner)).status).toBe(200);
  });

  test("holds a name once", async () => {
    const { status, body } = await doors().ask("POST", "/people", owner, { ...added, name: "ADA" });
    expect([status, body.error]).toEqual([409, "CONFLICT"]);
  });

  test.each([
    ["a short password", { password: "123456789" }],
    ["an unknown role", { role: "root" }],
    ["an unknown field", { is_admin: true }],
  ])("refuses %s", async (_, change) => {
    await doors().ask("POST", "/people", owner, added);
    expect((await doors().ask("POST", "/people", owner, { ...added, name: "Cy", ...change })).status).toBe(400);
    expect((await doors().ask("PUT", path, owner, change)).status).toBe(400);
  });

  test("keeps the last owner", async () => {
    expect((await doors().ask("DELETE", "/people/ada", owner)).body.error).toBe("CONFLICT");
    expect((await doors().ask("PUT", "/people/Ada", owner, { role: "viewer" })).body.error).toBe("CONFLICT");
  });

  test("signs somebody out with a new password, and the owner not by their own", async () => {
    const other = await doors().enter("viewer", "Bob");
    const elsewhere = (await doors().signIn("Ada")).cookie;
    await doors().ask("PUT", "/people/Bob", owner, { password: "another password" });
    expect((await doors().ask("GET", "/session", other)).status).toBe(401);
    await doors().ask("PUT", "/people/Ada", owner, { password: "another password" });
    expect((await doors().ask("GET", "/session", elsewhere)).status).toBe(401);
    expect((await doors().ask("GET", "/session", owner)).status).toBe(200);
  });
});
