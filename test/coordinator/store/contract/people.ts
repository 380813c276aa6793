import { expect } from "vitest";
import type { Power } from "../../../../shared/people/scopes.ts";
import type { Contract } from "./contract.ts";

const pass = (hash: string, more: { now?: number; expires?: number; most?: number } = {}) => ({
  ...{ hash, now: 1, expires: 100, most: 2 },
  ...more,
});
const person = (name: string, role: "owner" | "viewer" = "owner") => ({ name, role, passwordHash: "h", created: 1 });
const vouched = (subject: string, names: readonly string[], role: "owner" | "viewer" = "viewer") => {
  return { issuer: "https://a", subject, names, role, created: 1, sid: null };
};
const notNarrowed = { only_tags: "[]", only_groups: "[]" };
const byPassword = { ...notNarrowed, most_role: null, issuer: null, home: null };
const power: Power = { scopes: ["jobs:read", "vault"], reach: "group", group: "dailies" };
const apiUser = (auth_key: string, created = 1) => {
  return { auth_key, secretHash: `hash of ${auth_key}`, name: `name of ${auth_key}`, ...power, created, expires: null };
};

/** People, programs, and what they are signed in with. */
export const people: Contract = {
  "names are the same whatever their case, and people come in the order of names": async (store) => {
    const { people } = store;
    expect([await people.readAll(), await people.read("ada")]).toEqual([[], undefined]);
    await people.insert(person("bob"), pass("1"));
    const ada = await people.insert(person("Ada", "viewer"));
    expect(await people.insert(person("ADA"))).toBeUndefined();
    expect(await people.insert(person("Eve"), pass("2"))).toBeUndefined();
    expect(await people.read("aDa")).toEqual(ada);
    expect((await people.readAll()).map(({ name, role }) => [name, role])).toEqual([
      ["Ada", "viewer"],
      ["bob", "owner"],
    ]);
  },

  "to what a role is narrowed comes back as it was given, is changed in parts, and is read with each session": async (
    store,
  ) => {
    const { people, passes } = store;
    const narrowed = { only_tags: '["a"]', only_groups: "[]" };
    const ada = await people.insert({ ...person("Ada", "viewer"), narrowed });
    expect(ada).toMatchObject(narrowed);
    await people.signIn(ada?.id ?? 0, { checked: "h" }, pass("ada"));
    expect(await passes.read("session", "ada")).toMatchObject(narrowed);
    expect(await people.update("Ada", { only_groups: '["g"]' }, "")).toMatchObject({
      ...narrowed,
      only_groups: '["g"]',
    });
    expect(await people.update("Ada", { role: "owner" }, "")).toMatchObject({
      only_tags: '["a"]',
      only_groups: '["g"]',
    });
    expect(await passes.read("session", "ada")).toMatchObject({ only_tags: '["a"]', only_groups: '["g"]' });
    // Of whom a provider vouches for: an owner decides here, unless the provider does.
    const eve = vouched("eve", ["Eve"]);
    expect(await people.enter(eve, 9, pass("1"))).toMatchObject(notNarrowed);
    expect(await people.update("Eve", { role: "owner", only_tags: '["b"]' }, "")).toBe("vouched for");
    expect(await people.update("Eve", { only_tags: '["b"]' }, "")).toMatchObject({ only_tags: '["b"]' });
    expect(await people.enter(eve, 9, pass("2"))).toMatchObject({ only_tags: '["b"]' });
    expect(await people.enter({ ...eve, narrowed }, 9, pass("3"))).toMatchObject(narrowed);
    expect(await people.enter({ ...vouched("bob", ["Bob"]), narrowed }, 9, pass("4"))).toMatchObject(narrowed);
  },

  "names are the same in any form of Unicode, and with blanks around them": async ({ people }) => {
    const zoe = await people.insert(person("Zo\u00eb"));
    for (const name of ["zoe\u0308", " ZO\u00cb ", "\uff3ao\u00eb"]) {
      expect([name, await people.read(name), await people.insert(person(name))]).toEqual([name, zoe, undefined]);
    }
    expect(await people.read("zoe")).toBeUndefined();
  },

  "a person comes back as changed; one that is removed has no session, and neither has what expired": async (store) => {
    const { people, passes } = store;
    const { id = 0 } = (await people.insert(person("Ada"), pass("ada"))) ?? {};
    const eve = await people.insert(person("Eve", "viewer"));
    expect(await people.update("Eve", { role: "owner", passwordHash: "new" }, "")).toEqual({
      ...{ ...eve, role: "owner", password_hash: "new" },
    });
    expect(await people.update("eve", {}, "")).toMatchObject({ role: "owner", password_hash: "new" });
    expect(await people.renew(eve?.id ?? 0, "newer")).toMatchObject({ password_hash: "newer" });
    expect(await people.remove("eve")).toMatchObject({ name: "Eve", password_hash: "newer" });
    expect(await passes.read("session", "eve")).toBeUndefined();
    const ada = { person_id: id, name: "Ada", role: "owner", ...byPassword, created: 1, expires: 100 };
    expect(await passes.read("session", "ada")).toEqual(ada);
    const bob = await people.insert(person("Bob", "viewer"));
    await people.signIn(bob?.id ?? 0, { checked: "h" }, pass("bob", { now: 99 }));
    expect(await passes.read("session", "ada")).toEqual(ada);
    await people.signIn(bob?.id ?? 0, { checked: "h" }, pass("bob's other", { now: 100, expires: 200 }));
    expect([await passes.read("session", "ada"), await passes.read("session", "bob")]).toEqual([undefined, undefined]);
  },

  "second steps are stored as decided by what is there, and stay as they are where the decision throws": async (
    store,
  ) => {
    const { people } = store;
    const { id = 0 } = (await people.insert(person("Ada"))) ?? {};
    const add = (more: string) => people.changeSteps(id, (steps) => `${steps}${more}`);
    expect(await add("a")).toMatchObject({ name: "Ada", second_steps: "a" });
    expect((await Promise.all(["b", "b", "b"].map(add))).map((row) => row?.second_steps)).toEqual([
      "ab",
      "abb",
      "abbb",
    ]);
    const refused = people.changeSteps(id, () => {
      throw new Error("no");
    });
    await expect(refused).rejects.toThrow("no");
    expect(await people.read("Ada")).toMatchObject({ second_steps: "abbb", password_hash: "h" });
    expect(await people.update("Ada", { passwordHash: "new" }, "")).toMatchObject({ second_steps: "abbb" });
    expect(await people.changeSteps(99, () => "x")).toBeUndefined();
    expect(await people.insert(person("Eve"))).toMatchObject({ second_steps: "" });
  },

  "a person keeps as many sessions as allowed, those that end last": async (store) => {
    const { people, passes } = store;
    const { id = 0 } = (await people.insert(person("Ada"), pass("first", { expires: 10 }))) ?? {};
    await people.signIn(id, { checked: "h" }, pass("second", { expires: 30 }));
    await people.signIn(id, { checked: "h" }, pass("third", { expires: 20 }));
    const left = async () =>
      (await Promise.all(["first", "second", "third"].map((hash) => passes.read("session", hash)))).map(
        (row) => row?.expires,
      );
    expect(await left()).toEqual([undefined, 30, 20]);
    await passes.extend("session", "third", 90, 7);
    await passes.extend("session", "third", 50, 7);
    expect(await left()).toEqual([undefined, 30, 90]);
    await passes.end("session", "second");
    expect(await left()).toEqual([undefined, undefined, 90]);
  },

  "a new password ends all other sessions, and the last owner stays one": async (store) => {
    const { people, passes } = store;
    const { id = 0 } = (await people.insert(person("Ada"), pass("one"))) ?? {};
    await people.signIn(id, { checked: "h" }, pass("other"));
    const nameOf = async (hash: string) => (await passes.read("session", hash))?.name;
    expect(await people.update("Ada", { passwordHash: "new" }, "other")).toMatchObject({ name: "Ada" });
    expect([await nameOf("one"), await nameOf("other")]).toEqual([undefined, "Ada"]);
    expect(await people.update("ada", { role: "viewer" }, "")).toBe("last owner");
    expect([await people.update("Eve", { role: "viewer" }, ""), await people.remove("Eve")]).toEqual([
      "nobody",
      "nobody",
    ]);
    expect(await people.renew(id, "newest")).toMatchObject({ name: "Ada" });
    expect([await nameOf("one"), await nameOf("other")]).toEqual([undefined, undefined]);
    expect(await people.renew(99, "x")).toBeUndefined();
    expect((await people.read("Ada"))?.password_hash).toBe("newest");
  },

  "whom a provider vouches for is made once, and gets role and name anew each time": async ({ people, passes }) => {
    const ada = await people.enter(vouched("1", ["ada"]), 9, pass("first"));
    expect(ada).toMatchObject({ name: "ada", role: "viewer", password_hash: "", issuer: "https://a", subject: "1" });
    expect(await people.enter(vouched("1", ["Ada L"], "owner"), 1, pass("second"))).toEqual({
      ...{ ...ada, name: "Ada L", role: "owner" },
    });
    expect(await passes.read("session", "first")).toMatchObject({ name: "Ada L", role: "owner", issuer: "https://a" });
    // The only owner too: their groups decide.
    expect(await people.enter(vouched("1", ["Ada L"]), 9, pass("third"))).toMatchObject({ role: "viewer" });
    expect((await people.readAll()).length).toBe(1);
  },

  "a name that somebody has is nobody else's, whoever vouches": async ({ people, passes }) => {
    const own = await people.insert(person("Ada"));
    const other = await people.enter(vouched("1", ["ADA", "ada (studio)"]), 9, pass("1"));
    expect([other?.name, other?.id === own?.id]).toEqual(["ada (studio)", false]);
    expect(await people.enter(vouched("2", ["ada", "Ada (Studio)"]), 9, pass("2"))).toBeUndefined();
    expect(await passes.read("session", "2")).toBeUndefined();
    // The same name at another provider is somebody else.
    const third = { ...vouched("1", ["ada", "ada (b)"]), issuer: "https://b" };
    expect(await people.enter(third, 9, pass("3"))).toMatchObject({ name: "ada (b)" });
    expect(await people.enter(vouched("4", ["eve"]), 3, pass("4"))).toBeUndefined();
    expect(await people.enter(vouched("1", ["ada", "ada (studio)"]), 3, pass("5"))).toMatchObject({ id: other?.id });
    expect((await people.read("Ada"))?.id).toBe(own?.id);
  },

  "no password opens for whom a provider vouches, and nobody gives them one or a role": async ({ people, passes }) => {
    const { id = 0 } = (await people.enter(vouched("1", ["ada"]), 9, pass("1"))) ?? {};
    expect(await people.signIn(id, { checked: "" }, pass("2"))).toBeUndefined();
    expect(await people.renew(id, "x")).toBeUndefined();
    expect(await people.update("ada", { role: "owner" }, "")).toBe("vouched for");
    expect(await people.update("ada", { passwordHash: "x" }, "")).toBe("vouched for");
    expect(await people.read("ada")).toMatchObject({ role: "viewer", password_hash: "" });
    expect([await passes.read("session", "2"), await passes.read("session", "3")]).toEqual([undefined, undefined]);
    expect(await people.remove("ada")).toMatchObject({ id });
  },

  "who left a provider is gone with their sessions, also the only owner; sessions end by how people signed in": async (
    store,
  ) => {
    const { people, passes } = store;
    await people.enter(vouched("1", ["ada"], "owner"), 9, pass("ada"));
    await people.enter(vouched("2", ["eve"]), 9, pass("eve"));
    const bob = await people.insert(person("bob", "viewer"));
    await people.signIn(bob?.id ?? 0, { checked: "h" }, pass("bob"));
    const left = async () =>
      (await Promise.all(["ada", "eve", "bob"].map((hash) => passes.read("session", hash)))).map((row) => row?.name);
    await people.endSessions("https://a", "ada");
    expect(await left()).toEqual(["ada", undefined, "bob"]);
    await people.endSessions(null, "");
    expect(await left()).toEqual(["ada", undefined, undefined]);
    expect([await people.leave("https://b", "1"), await people.leave("https://a", "1")]).toEqual([0, 1]);
    expect([await left(), await people.read("ada")]).toEqual([[undefined, undefined, undefined], undefined]);
    expect([await people.leave("https://a", null), (await people.readAll()).map(({ name }) => name)]).toEqual([
      ...[1, ["bob"]],
    ]);
  },

  "an account is linked to one person at most, once of a provider each, while the session lasts": async ({
    people,
  }) => {
    const { id: ada = 0 } = (await people.insert(person("Ada"), pass("ada"))) ?? {};
    const { id: eve = 0 } = (await people.enter(vouched("e", ["eve"]), 9, pass("eve"))) ?? {};
    const account = (person_id: number, issuer: string, subject: string) => {
      return { person_id, issuer, subject, name: `${subject} there`, created: 5 };
    };
    const by = (hash: string, now = 50) => ({ hash, now });
    const made = { ...account(ada, "https://b", "1"), used: null };
    expect(await people.link(account(ada, "https://b", "1"), by("ada", 100))).toBe("no session");
    expect(await people.link(account(ada, "https://b", "1"), by("eve"))).toBe("no session");
    const twins = [account(ada, "https://b", "1"), account(ada, "https://b", "2"), account(eve, "https://b", "1")];
    const sessions = ["ada", "ada", "eve"];
    const tries = await Promise.all(twins.map((each, at) => people.link(each, by(sessions[at] ?? ""))));
    expect(tries).toEqual([made, "has one", "taken"]);
    // Whom the provider vouches for itself is somebody already, and nobody links what vouches for them.
    expect(await people.link(account(ada, "https://a", "e"), by("ada"))).toBe("taken");
    expect(await people.link(account(eve, "https://a", "x"), by("eve"))).toBe("has one");
    const other = await people.link(account(eve, "https://b", "2"), by("eve"));
    expect([await people.links(ada), await people.links(eve), await people.links(null)]).toEqual([
      ...[[made], [other], [made, other]],
    ]);
    await people.remove("eve");
    expect(await people.links(null)).toEqual([made]);
  },

  "who comes by a link keeps name and role, and the session has no more than the provider says": async (store) => {
    const { people, passes } = store;
    const { id = 0 } = (await people.insert(person("Ada"), pass("first"))) ?? {};
    const link = { person_id: id, issuer: "https://a", subject: "1", name: "ada", created: 5 };
    await people.link(link, { hash: "first", now: 2 });
    const coming = { ...vouched("1", ["lovelace"]), created: 7, sid: "s1" };
    expect(await people.enter(coming, 9, pass("second"))).toMatchObject({
      id,
      name: "Ada",
      role: "owner",
      issuer: null,
    });
    expect(await passes.read("session", "second")).toEqual({
      ...notNarrowed,
      ...{ person_id: id, name: "Ada", role: "owner", most_role: "viewer", issuer: "https://a", home: null },
      ...{ created: 1, expires: 100 },
    });
    expect(await people.links(id)).toEqual([{ ...link, name: "lovelace", used: 7 }]);
    expect((await people.readAll()).length).toBe(1);
    // Its password still opens, and its link goes with its sessions.
    expect(await people.signIn(id, { checked: "h" }, pass("third"))).toMatchObject({ id });
    expect(await people.unlink(id, "https://b", { keepsOne: false })).toBe("nothing");
    expect(await people.unlink(id, "https://a", { keepsOne: true })).toBe("last way");
    expect(await people.unlink(id, "https://a", { keepsOne: false })).toMatchObject({ subject: "1" });
    expect([await passes.read("session", "second"), (await passes.read("session", "third"))?.name]).toEqual([
      ...[undefined, "Ada"],
    ]);
    expect(await people.unlink(id, "https://a", { keepsOne: false })).toBe("nothing");
  },

  "of two links, the last one stays where one is kept, whoever asks at once": async ({ people }) => {
    const { id = 0 } = (await people.insert(person("Ada"), pass("ada"))) ?? {};
    for (const issuer of ["https://a", "https://b"])
      await people.link({ person_id: id, issuer, subject: "1", name: "", created: 5 }, { hash: "ada", now: 2 });
    const ended = await Promise.all(
      ["https://a", "https://b"].map((issuer) => people.unlink(id, issuer, { keepsOne: true })),
    );
    expect(ended.map((each) => (typeof each === "string" ? each : each.issuer))).toEqual(["https://a", "last way"]);
  },

  "a provider ends the sessions of an account, or one by its name, and its links go with it": async (store) => {
    const { people, passes } = store;
    const { id = 0 } = (await people.insert(person("Ada"), pass("own", { most: 9 }))) ?? {};
    const link = { person_id: id, issuer: "https://a", subject: "1", name: "ada", created: 5 };
    await people.link(link, { hash: "own", now: 2 });
    const hashes = ["own", "s1", "s2", "none", "eve"];
    const begin = async () => {
      for (const [hash, sid] of [["s1", "s1"] as const, ["s2", "s2"] as const, ["none", null] as const])
        await people.enter({ ...vouched("1", ["ada"]), sid }, 9, pass(hash, { most: 9 }));
      await people.enter({ ...vouched("2", ["eve"]), sid: "s9" }, 9, pass("eve", { most: 9 }));
    };
    const left = async () => {
      const found = await Promise.all(hashes.map((hash) => passes.read("session", hash)));
      return hashes.filter((_, at) => found[at] !== undefined);
    };
    await begin();
    expect([await people.endVouched("https://a", { subject: null, sid: "s1" }), await left()]).toEqual([
      ...[1, ["own", "s2", "none", "eve"]],
    ]);
    expect(await people.endVouched("https://b", { subject: "1", sid: null })).toBe(0);
    expect(await people.endVouched("https://a", { subject: "2", sid: "s2" })).toBe(0);
    // What was begun without a name of the provider's goes by the account.
    expect([await people.endVouched("https://a", { subject: "1", sid: "s2" }), await left()]).toEqual([
      ...[2, ["own", "eve"]],
    ]);
    await passes.end("session", "eve");
    await begin();
    expect([await people.endVouched("https://a", { subject: "1", sid: null }), await left()]).toEqual([
      3,
      ["own", "eve"],
    ]);
    expect(await people.leave("https://a", "1")).toBe(0);
    expect((await people.links(id)).length).toBe(1);
    expect([await people.leave("https://a", null), await people.links(null), await left()]).toEqual([1, [], ["own"]]);
  },

  "an API user may have an end": async ({ accounts, passes }) => {
    await accounts.createUser({ ...apiUser("a"), expires: 40 }, 2);
    const { id, ...user } = (await accounts.user("a")) ?? { id: 0 };
    expect(user).toEqual({ secret_hash: "hash of a", expires: 40 });
    await accounts.logIn(id, pass("t"), 7);
    expect(await passes.read("token", "t")).toMatchObject({ expires: 100, user_expires: 40 });
    expect((await accounts.users(1))[0]).toMatchObject({ expires: 40, last_login: 7, last_used: 7, live_tokens: 1 });
  },

  "a person's sessions say from where they were begun, the newest first; what has ended is none": async (store) => {
    const { people, passes } = store;
    const { id = 0 } = (await people.insert(person("Ada"), pass("old", { now: 1, expires: 50 }))) ?? {};
    await people.signIn(id, { checked: "h" }, pass("new", { now: 5 }));
    await passes.describe("new", "10.0.0.9", "A Browser/1\u0000");
    await passes.describe("nobody's", "x", "y");
    const old = { hash: "old", created: 1, expires: 50, origin: "", browser: "" };
    const newer = { hash: "new", created: 5, expires: 100, origin: "10.0.0.9", browser: "A Browser/1\u0000" };
    expect(await passes.sessions(id, 1)).toEqual([newer, old]);
    expect([await passes.sessions(id, 50), await passes.sessions(id + 1, 1)]).toEqual([[newer], []]);
  },

  "ids of removed people do not return": async (store) => {
    const first = await store.people.insert(person("Eve", "viewer"));
    await store.people.remove("Eve");
    expect((await store.people.insert(person("Eve", "viewer")))?.id).toBeGreaterThan(first?.id ?? 0);
  },

  "there is one account, whose pair is renewed": async (store) => {
    const { accounts } = store;
    expect(await accounts.account()).toBeUndefined();
    const made = await Promise.all(
      ["a", "b"].map((key) => accounts.create({ oapi_key: key, oapi_secret: "s" }, apiUser(key), 5)),
    );
    expect(made.sort()).toEqual([false, true]);
    expect(await accounts.users(1)).toHaveLength(1);
    await accounts.renew({ oapi_key: "new", oapi_secret: "t" }, 9);
    expect(await accounts.account()).toEqual({ oapi_key: "new", oapi_secret: "t", created: 5, renewed: 9 });
  },

  "users are as many as allowed; a revoked one is gone with its tokens": async (store) => {
    const { accounts, passes } = store;
    expect(await Promise.all(["a", "b", "c"].map((key) => accounts.createUser(apiUser(key), 2)))).toEqual([
      ...[true, true, false],
    ]);
    const { id } = (await accounts.user("a")) ?? { id: 0 };
    expect(await accounts.user("a")).toEqual({ id, secret_hash: "hash of a", expires: null });
    expect(await accounts.user(id)).toEqual({ id, secret_hash: "hash of a", expires: null });
    expect([await accounts.power(id), await accounts.power(999)]).toEqual([power, undefined]);
    await accounts.logIn(id, pass("t"), 7);
    const token = { expires: 100, user_id: id, name: "name of a", user_expires: null, ...power };
    expect([await passes.read("token", "t"), await passes.read("session", "t")]).toEqual([token, undefined]);
    expect([await accounts.revokeUser("a", 8), await accounts.revokeUser("a", 8)]).toEqual([true, false]);
    expect([await passes.read("token", "t"), await accounts.user("a"), await accounts.user(id)]).toEqual([
      ...[undefined, undefined, undefined],
    ]);
    const [left, ...others] = await accounts.users(1);
    expect([left, others]).toEqual([
      {
        ...{ id: left?.id, auth_key: "b", name: "name of b", created: 1 },
        ...{ last_login: null, last_used: null, expires: null },
        ...power,
        live_tokens: 0,
      },
      [],
    ]);
  },

  "tokens beyond the allowed number go, those that end first; live ones are counted": async (store) => {
    const { accounts, passes } = store;
    await accounts.createUser(apiUser("a"), 2);
    const { id } = (await accounts.user("a")) ?? { id: 0 };
    await accounts.logIn(id, pass("first", { expires: 10 }), 1);
    await accounts.logIn(id, pass("second", { expires: 30 }), 2);
    await accounts.logIn(id, pass("third", { expires: 20 }), 3);
    const endOf = async (hash: string) => (await passes.read("token", hash))?.expires;
    expect([await endOf("first"), await endOf("second"), await endOf("third")]).toEqual([undefined, 30, 20]);
    await passes.extend("token", "third", 25, 7);
    await passes.extend("token", "third", 15, 7);
    expect(await endOf("third")).toBe(25);
    const live = async (now: number) => (await accounts.users(now)).map(({ live_tokens }) => live_tokens);
    expect([await live(24), await live(25), await live(99)]).toEqual([[2], [1], [0]]);
    expect((await accounts.users(1))[0]).toMatchObject({ last_login: 3, last_used: 7 });
    await passes.end("token", "third");
    expect(await endOf("third")).toBeUndefined();
  },

  "does whole operations once, however many ask at once": async (store) => {
    const person = (name: string) => ({ name, role: "owner" as const, passwordHash: "h", created: 1 });
    const pass = (hash: string) => ({ hash, now: 1, expires: 100, most: 2 });
    const made = await Promise.all([
      store.people.insert(person("Ada"), pass("1")),
      store.people.insert(person("Eve"), pass("2")),
    ]);
    expect(made.map((each) => each?.name)).toEqual(["Ada", undefined]);
    expect(await store.people.remove("ADA")).toBe("last owner");
    const id = made[0]?.id ?? 0;
    expect(await store.people.signIn(id, { checked: "another" }, pass("3"))).toBeUndefined();
    expect((await store.passes.read("session", "1"))?.name).toBe("Ada");
  },
};
