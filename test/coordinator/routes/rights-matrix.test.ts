import { afterAll, beforeAll, expect, test } from "vitest";
import { api } from "../../../shared/api/api.ts";
import type { Route } from "../../../shared/api/route.ts";
import { ui, uiBase } from "../../../shared/api/ui/ui-api.ts";
import { mayDo, type Role, roles } from "../../../shared/people/person.ts";
import { type ReachKind, reachKinds, type Scope, scopes } from "../../../shared/people/scopes.ts";
import { doorRights } from "../../../shared/rights/door-rights.ts";
import { apiRights, type Right, uiRights } from "../../../shared/rights/rights.ts";
import { openTestDoors, type TestDoors } from "../../helpers/farm/doors.ts";
import { aFolder, aJob, removeFolder } from "../../helpers/farm/farm.ts";
import { stored } from "../../helpers/farm/stored.ts";
import { submitJob } from "../../helpers/farm/submit-job.ts";

let folder: string;
let doors: TestDoors;
type Headers = Awaited<ReturnType<TestDoors["enterAsProgram"]>>;
beforeAll(async () => {
  folder = aFolder();
  doors = await openTestDoors(folder);
});
afterAll(async () => {
  await doors.close();
  removeFolder(folder);
});

const table: Readonly<Record<string, Route>> = { ...api, ...ui };
const rights: Readonly<Record<string, Right>> = { ...apiRights, ...uiRights };
const routeOf = (name: string): Route => table[name] as Route; // the tables' own names

type Owner = "own" | "same group" | "other's" | "nobody's";
const owners: readonly Owner[] = ["own", "same group", "other's", "nobody's"];
const reached: Readonly<Record<ReachKind, readonly Owner[]>> = {
  own: ["own"],
  group: ["own", "same group"],
  all: owners,
};

const asProgram = async (headers: Headers, { method, path }: Pick<Route, "method" | "path">, body?: object) =>
  doors.inject({ method, url: `/v1${path}`, headers, payload: method === "GET" ? undefined : (body ?? {}) });

const submit = async (headers: Headers): Promise<string> =>
  (await asProgram(headers, { method: "POST", path: "/jobs" }, aJob())).body.id;

/** Of a table that may be wrong: what differs from what the doors do. */
const wrongScopes = async (given: Readonly<Record<string, Right>>, programs: ReadonlyMap<Scope, Headers>) => {
  const wrong: string[] = [];
  let tried = 0;
  for (const name of Object.keys(apiRights)) {
    const { access, method, path } = routeOf(name);
    if (access === "open" || access === "oapi") continue;
    for (const [scope, headers] of programs) {
      tried += 1;
      const { status } = await asProgram(headers, { method, path: path.replaceAll(/\{\w+\}/g, "999") });
      const needed = given[name]?.program;
      const isLetIn = needed === "any" || needed === scope;
      if ((status !== 403) !== isLetIn || status >= 500) wrong.push(`${scope} ${name}: ${status}`);
    }
  }
  return { tried, wrong };
};

test("every route x every scope: let in by its row and by nothing else; a wrong row is noticed", async () => {
  const programs = new Map<Scope, Headers>();
  for (const scope of scopes)
    programs.set(scope, await doors.enterAsProgram({ scopes: [scope], reach: "all", group: null }, scope));
  const { tried, wrong } = await wrongScopes(rights, programs);
  console.log(`routes x scopes: ${tried} tried, ${wrong.length} wrong`);
  expect(wrong).toEqual([]);
  const broken = { ...rights, getOpenApi: { ...apiRights.getOpenApi, program: "vault" as const } };
  expect((await wrongScopes(broken, programs)).wrong).toHaveLength(scopes.length - 1);
}, 60_000);

test("every route x every role: let in by its row and by nothing else", async () => {
  const cookies = new Map<Role | "nobody", string | undefined>([["nobody", undefined]]);
  for (const role of roles) cookies.set(role, await doors.enter(role, `a ${role}`));
  const wrong: string[] = [];
  let tried = 0;
  for (const [name, { person }] of Object.entries(rights)) {
    if (person === "nobody" || person === "stranger") continue;
    const { method, path } = routeOf(name);
    const url = path.replace("{name}", "nobody").replaceAll(/\{\w+\}/g, "999");
    for (const [role, cookie] of cookies) {
      tried += 1;
      const { status } = await doors.ask(method, url, cookie);
      const isLetIn = role !== "nobody" && mayDo(role, person === "entering" ? "viewer" : person);
      if ((status !== 401 && status !== 403) !== isLetIn) wrong.push(`${role} ${name}: ${status}`);
    }
  }
  console.log(`routes x roles: ${tried} tried, ${wrong.length} wrong`);
  expect(wrong).toEqual([]);
}, 60_000);

type Senders = Readonly<Record<Owner, Headers | undefined>>;

/** Asks for a new job of this owner, or its task; tells what is wrong with the answer. */
const tryOne = async (name: string, reach: ReachKind, owner: Owner, senders: Senders): Promise<string[]> => {
  const { method, path } = routeOf(name);
  const [me, sender] = [senders.own as Headers, senders[owner]];
  const id = sender ? await submit(sender) : String(await submitJob(doors.farm, aJob()));
  const named = rights[name]?.object === "task" ? await taskOf(id) : id;
  const at = (text: string) => path.replace(/\{\w+\}/, text).replace("{position}", "0");
  const answer = await asProgram(me, { method, path: at(named) });
  const missing = await asProgram(me, { method, path: at("987654") });
  // A task that is reached may lack the file that is asked for, which is told in other words.
  const isFound = answer.status !== 404 || answer.text !== missing.text.replaceAll("987654", named);
  if (isFound === reached[reach].includes(owner)) return [];
  return [`${reach} ${owner} ${name}: ${answer.status} ${answer.text.slice(0, 80)}`];
};

test("every route of a job or a task x every reach x whose it is: found, or not there", async () => {
  const wrong: string[] = [];
  let tried = 0;
  const names = Object.entries(apiRights).flatMap(([name, { object }]) =>
    /^(?:job|task)$/.test(object) ? [name] : [],
  );
  for (const reach of reachKinds) {
    const power = { scopes: [...scopes], group: `g-${reach}` };
    const senders: Senders = {
      own: await doors.enterAsProgram({ ...power, reach }, "me"),
      "same group": await doors.enterAsProgram({ ...power, reach: "own" }, "mate"),
      "other's": await doors.enterAsProgram({ ...power, reach: "own", group: "others" }, "other"),
      "nobody's": undefined,
    };
    for (const [name, owner] of names.flatMap((each) => owners.map((owner) => [each, owner] as const))) {
      tried += 1;
      wrong.push(...(await tryOne(name, reach, owner, senders)));
    }
  }
  console.log(`routes of jobs x reach x owner: ${tried} tried, ${wrong.length} wrong`);
  expect(wrong).toEqual([]);
}, 180_000);

const taskOf = async (job: string): Promise<string> => {
  const first = await doors.enterAsProgram();
  for (let tries = 0; tries < 100; tries += 1) {
    const { body } = await asProgram(first, { method: "GET", path: `/jobs/${job}/tasks` });
    if (body.items.length > 0) return body.items[0].id;
    await doors.clock.advance(1000);
  }
  throw new Error(`job ${job} got no task`);
};

test("lists, counts, many at once and presets hold what is reached, and nothing else", async () => {
  for (const reach of reachKinds) {
    const power = { scopes: [...scopes], group: `l-${reach}` };
    const [me, mate, other] = [
      await doors.enterAsProgram({ ...power, reach }, "me"),
      await doors.enterAsProgram({ ...power, reach: "own" }, "mate"),
      await doors.enterAsProgram({ ...power, group: "far", reach: "own" }, "other"),
    ];
    const jobs = { own: await submit(me), "same group": await submit(mate), "other's": await submit(other) };
    const mine = reached[reach].flatMap((owner) => (owner in jobs ? [jobs[owner as keyof typeof jobs]] : [])).sort();
    const ids = Object.values(jobs);
    const list = await asProgram(me, { method: "GET", path: `/jobs/info?ids=${JSON.stringify(ids)}` });
    expect(list.body.items.map(({ id }: { id: string }) => id).sort()).toEqual(mine);
    const { body: count } = await asProgram(me, { method: "GET", path: "/jobs/count" });
    if (reach !== "all") expect(count).toEqual({ count: mine.length });
    const bulk = await asProgram(me, { method: "POST", path: "/jobs/actions" }, { action: "pause", ids });
    const done = bulk.body.items.filter(({ success }: { success: boolean }) => success);
    expect(done.map(({ id }: { id: string }) => id).sort()).toEqual(mine);
    const gone = await asProgram(me, { method: "DELETE", path: "/jobs" }, { ids });
    expect(gone.body.items.sort()).toEqual(mine);

    for (const [key, headers] of Object.entries({ own: me, mate, other }))
      await asProgram(headers, { method: "POST", path: "/presets" }, { key: `${key} ${reach}`, payload: {} });
    const keys = reach === "own" ? ["own"] : reach === "group" ? ["own", "mate"] : ["own", "mate", "other"];
    const { body: presets } = await asProgram(me, { method: "GET", path: "/presets" });
    const named = presets.items
      .map(({ key }: { key: string }) => key)
      .filter((key: string) => key.endsWith(` ${reach}`));
    expect(named.sort()).toEqual(keys.map((key) => `${key} ${reach}`).sort());
    for (const key of ["own", "mate", "other"]) {
      const path = `/presets/${encodeURIComponent(`${key} ${reach}`)}`;
      const put = await asProgram(me, { method: "POST", path: "/presets" }, { key: `${key} ${reach}`, payload: {} });
      const statuses = [put.status, (await asProgram(me, { method: "GET", path })).status];
      expect([reach, key, ...statuses]).toEqual([reach, key, ...(keys.includes(key) ? [200, 200] : [409, 404])]);
      expect((await asProgram(me, { method: "DELETE", path })).status).toBe(keys.includes(key) ? 200 : 404);
    }
  }
}, 60_000);

test("one program, or one person, cannot take up the room of all: not for presets, and not for views", async () => {
  const power = { scopes: [...scopes], reach: "own", group: null } as const;
  const [greedy, other] = [await doors.enterAsProgram(power, "greedy"), await doors.enterAsProgram(power, "other")];
  const put = (me: Headers, path: string, body: object) => asProgram(me, { method: "POST", path }, body);
  expect((await put(greedy, "/presets", { key: "first", payload: {} })).status).toBe(200);
  const whose = stored(doors.farm).all<{ owner: string }>("SELECT owner FROM records WHERE key = 'first'")[0]?.owner;
  stored(doors.farm).exec(
    `WITH RECURSIVE n(nr) AS (SELECT 1 UNION ALL SELECT nr + 1 FROM n WHERE nr < 1999)
    INSERT INTO records (kind, key, value, owner) SELECT 'preset', 'k' || nr, '{"key":"k","payload":{}}', '${whose}' FROM n`,
  );
  const refused = { status: 409, body: { message: "You made 2000 presets, which is the limit: delete one first" } };
  expect(await put(greedy, "/presets", { key: "one more", payload: {} })).toMatchObject(refused);
  // What is there may be replaced, and others have their own room.
  expect((await put(greedy, "/presets", { key: "first", payload: { a: 1 } })).status).toBe(200);
  expect((await put(other, "/presets", { key: "one more", payload: {} })).status).toBe(200);
  const putView = async (me: Headers, nr: number) =>
    (await asProgram(me, { method: "PUT", path: `/views/jobs/view ${nr}` }, { search: {} })).status;
  for (let nr = 0; nr < 100; nr += 1) expect(await putView(greedy, nr)).toBe(200);
  expect([await putView(greedy, 100), await putView(greedy, 5), await putView(other, 100)]).toEqual([409, 200, 200]);
  stored(doors.farm).exec(`DELETE FROM records WHERE kind = 'preset' AND owner = '${whose}'`);
}, 60_000);

/** Method and path of every route of the framework. */
const boundRoutes = (): Set<string> => {
  const bound = new Set<string>();
  const stack: string[] = [];
  for (const line of doors.app.printRoutes({ commonPrefix: false }).split("\n")) {
    const [, indent, part = "", methods = ""] = /^([│ ]*)[├└]── (.*?)(?: \(([A-Z, ]+)\))?$/.exec(line) ?? [];
    if (indent === undefined) continue;
    stack.length = indent.length / 4;
    stack.push(part);
    for (const method of methods.split(", "))
      if (!["", "HEAD"].includes(method)) bound.add(`${method} ${stack.join("")}`);
  }
  return bound;
};

/** Method and path of every route that has a row. */
const routesWithRows = (): Set<string> =>
  new Set([
    ...Object.keys(doorRights),
    ...Object.entries(rights).flatMap(([name, { person }]) => {
      const { method, path, alias, access } = routeOf(name);
      const paths = [path, ...(alias ? [alias] : [])].map((each) => each.replaceAll(/\{(\w+)\}/g, ":$1"));
      const ofPrograms = name in apiRights ? paths.map((at) => `${method} ${access === "open" ? "" : "/v1"}${at}`) : [];
      return [...ofPrograms, ...(person === "nobody" ? [] : paths.map((at) => `${method} ${uiBase}${at}`))];
    }),
  ]);

test("every route that is bound has a row, and every row a route", () => {
  const [bound, known] = [boundRoutes(), routesWithRows()];
  expect(bound.size).toBeGreaterThan(100);
  // The framework's list names a route with a wildcard by the wildcard alone.
  const wildcards = ["GET /v1/media/:token/*", "GET /ui/v1/media/:token/*"];
  expect([...bound].filter((each) => !known.has(each))).toEqual(["GET /*"]);
  for (const each of wildcards)
    expect(doors.app.hasRoute({ method: "GET", url: each.slice("GET ".length) })).toBe(true);
  // The agents' WebSocket is no route of the framework.
  expect([...known].filter((each) => !bound.has(each))).toEqual([...wildcards, "GET /v1/agent"]);
});
