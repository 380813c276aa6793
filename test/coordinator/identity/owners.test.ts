import { afterEach, beforeEach, expect, test } from "vitest";
import { goodPassword, openTestDoors, type TestDoors } from "../../helpers/farm/doors.ts";
import { aFolder, removeFolder } from "../../helpers/farm/farm.ts";
import { stored } from "../../helpers/farm/stored.ts";

let folder: string;
let doors: TestDoors;
let owner: string;
const issuer = "https://login.example";
const studio = {
  ...{ name: "studio", issuer, client_id: "farm", client_secret: "opensesame-4711" },
  roles: { owner: ["admins"], operator: [], viewer: [] },
};

beforeEach(async () => {
  folder = aFolder();
  doors = await openTestDoors(folder);
  owner = await doors.enter("owner", "Root");
});
afterEach(async () => {
  await doors.close();
  removeFolder(folder);
});

const put = (changes: object = {}, cookie = owner) =>
  doors.ask("POST", "/identity/providers", cookie, { ...studio, ...changes });
/** Somebody whom the provider let in. */
const vouched = async (subject: string, role: "owner" | "viewer" = "viewer", at = issuer): Promise<string> => {
  const person = { issuer: at, subject, names: [subject], role, sid: null };
  return (await doors.people.signInVouched(person, 3_600_000)).token.reveal();
};
const statusOf = async (cookie: string) => (await doors.ask("GET", "/session", cookie)).status;

test("a client secret is sealed, shown to nobody, and stays where it is not given anew", async () => {
  const { body } = await put();
  expect(body).toMatchObject({ passwords: true, providers: [{ name: "studio", is_confidential: true }] });
  await put({ client_secret: undefined, session_hours: 1 });
  const shown = JSON.stringify((await doors.ask("GET", "/identity", owner)).body);
  expect(shown).toContain('"session_hours":1,"is_confidential":true');
  const kept = JSON.stringify(stored(doors.farm).all("SELECT * FROM records"));
  expect(shown + kept).not.toContain("opensesame");
  await doors.farm.trail.flush();
  expect(JSON.stringify(await doors.farm.store.trail.after(0, 100))).not.toContain("opensesame");
});

test("everybody learns which buttons there are, and nothing else", async () => {
  await put();
  expect((await doors.ask("GET", "/sign-ins")).body).toEqual({ passwords: true, providers: ["studio"] });
});

test("whoever came by a provider that is removed, or by another issuer, is gone; by other groups, signs in again", async () => {
  await put();
  const [ada, eve] = [await vouched("ada"), await vouched("eve", "viewer", "https://other.example")];
  await put({ roles: { owner: ["others"], operator: [], viewer: [] } });
  expect([await statusOf(ada), await statusOf(eve), await statusOf(owner)]).toEqual([401, 200, 200]);
  const again = await vouched("ada");
  await put({ issuer: "https://new.example" });
  expect([await statusOf(again), (await doors.people.list()).map(({ name }) => name)]).toEqual([401, ["eve", "Root"]]);
  const newer = await vouched("ida", "viewer", "https://new.example");
  await doors.ask("DELETE", "/identity/providers/studio", owner);
  expect([await statusOf(newer), (await doors.people.list()).map(({ name }) => name)]).toEqual([401, ["eve", "Root"]]);
});

test("an owner who came by a provider does not remove it, and stays signed in over a change of its groups", async () => {
  await put();
  const ada = await vouched("ada", "owner");
  expect((await doors.ask("DELETE", "/identity/providers/studio", ada)).status).toBe(409);
  expect((await put({ issuer: "https://new.example" }, ada)).status).toBe(409);
  expect((await put({ session_hours: 2 }, ada)).status).toBe(200);
  expect(await statusOf(ada)).toBe(200);
});

test("passwords are switched off only by whom a provider let in; then they open nothing, and their sessions end", async () => {
  const set = (cookie: string, passwords: boolean) => doors.ask("PUT", "/identity", cookie, { passwords });
  expect((await set(owner, false)).body.message).toMatch(/^Sign in with a provider first/);
  await put();
  expect((await set(owner, false)).status).toBe(409);
  const { code } = (await doors.ask("POST", "/people/Root/reset", owner)).body;
  const ada = await vouched("ada", "owner");
  expect((await set(ada, false)).status).toBe(200);
  expect([await statusOf(owner), await statusOf(ada)]).toEqual([401, 200]);
  const { status, body, cookie } = await doors.signIn("Root");
  expect([status, body.message, cookie]).toEqual([
    ...[403, "Passwords open nothing on this farm: sign in with studio", undefined],
  ]);
  const reset = await doors.ask("POST", "/reset-session", undefined, { code, password: goodPassword });
  expect([reset.status, reset.cookie]).toEqual([403, undefined]);
  // The machine's own key is the way back.
  const asMachine = await machineHeaders();
  const back = { method: "PUT" as const, url: "/ui/v1/identity", headers: asMachine, payload: { passwords: true } };
  expect((await doors.inject(back)).status).toBe(200);
  expect((await doors.signIn("Root")).status).toBe(200);
  expect((await doors.inject({ ...back, payload: { passwords: false } })).status).toBe(200);
});

test("passwords stay where there is no provider, and the last provider where there are no passwords", async () => {
  const headers = await machineHeaders();
  const off = { method: "PUT" as const, url: "/ui/v1/identity", headers, payload: { passwords: false } };
  expect((await doors.inject(off)).body.message).toMatch(/no identity provider/);
  await put();
  expect((await doors.inject(off)).status).toBe(200);
  const gone = await doors.inject({ method: "DELETE", url: "/ui/v1/identity/providers/studio", headers });
  expect([gone.status, gone.body.message]).toEqual([409, expect.stringMatching(/only way to sign in/)]);
});

test("a person whom a provider lets in has no password here, and nobody changes their role or gives them one", async () => {
  await put();
  const ada = await vouched("ada");
  expect((await doors.signIn("ada", "")).status).toBe(401);
  const change = (method: "PUT" | "POST", path: string, body?: object) => doors.ask(method, path, owner, body);
  expect((await change("PUT", "/people/ada", { role: "owner" })).status).toBe(409);
  expect((await change("PUT", "/people/ada", { password: goodPassword })).status).toBe(409);
  expect((await change("POST", "/people/ada/reset")).status).toBe(409);
  const own = await doors.ask("PUT", "/session/password", ada, { password: "", new_password: goodPassword });
  expect(own.status).toBe(400);
  expect((await doors.ask("GET", "/people", owner)).body.items[0]).toMatchObject({ name: "ada", provider: "studio" });
  expect((await doors.ask("DELETE", "/people/ada", owner)).status).toBe(200);
  expect(await statusOf(ada)).toBe(401);
});

test("an owner without a password sees the OAPI pair for fifteen minutes after signing in", async () => {
  await put();
  const ada = await vouched("ada", "owner");
  expect((await doors.ask("POST", "/account/oapi", ada, {})).status).toBe(200);
  await doors.clock.advance(15 * 60_000 + 1);
  expect((await doors.ask("POST", "/account/oapi", ada, {})).status).toBe(403);
  expect((await doors.ask("POST", "/account/oapi", ada, { password: goodPassword })).status).toBe(403);
});

const machineHeaders = async () => {
  const { readFileSync } = await import("node:fs");
  doors.machine.publish("http://farm.test/");
  const { key } = JSON.parse(readFileSync(`${folder}/machine.key`, "utf8"));
  return { authorization: `Bearer ${key}`, host: "farm.test" };
};
