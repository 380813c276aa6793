import { afterAll, beforeAll, expect, test } from "vitest";
import { api } from "../../../shared/api/api.ts";
import type { Route } from "../../../shared/api/route.ts";
import { ui } from "../../../shared/api/ui/ui-api.ts";
import { apiRights, uiRights } from "../../../shared/rights/rights.ts";
import { isTold } from "../../../shared/rights/told.ts";
import { openTestDoors, type TestDoors } from "../../helpers/farm/doors.ts";
import { aFolder, aJob, removeFolder } from "../../helpers/farm/farm.ts";

let folder: string;
let doors: TestDoors;
let owner: string;
beforeAll(async () => {
  folder = aFolder();
  doors = await openTestDoors(folder);
  owner = await doors.enter("owner", "Ada");
});
afterAll(async () => {
  await doors.close();
  removeFolder(folder);
});

const table: Readonly<Record<string, Route>> = { ...api, ...ui };
const rights = { ...apiRights, ...uiRights };
const all = Object.entries(table).map(([name, route]) => ({ name, route, right: rights[name as keyof typeof rights] })); // the tables' own names

/** The lines that a call left. */
const linesOf = async (call: () => Promise<unknown>) => {
  const { trail } = doors.farm;
  await trail.flush();
  const [newest] = await doors.farm.store.trail.find({}, 1);
  await call();
  // A line is told once its answer is out.
  for (let tries = 0; tries < 50; tries += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    await trail.flush();
  }
  return doors.farm.store.trail.after(newest?.id ?? 0, 10);
};

const filled = (path: string): string => path.replace("{name}", "nobody").replaceAll(/\{\w+\}/g, "999");

test("whatever is not only read is told", () => {
  const changing = all.filter(({ right }) => right.action !== "read").map(({ name }) => name);
  expect(changing.length).toBeGreaterThan(40);
  expect(changing.filter((name) => !isTold(name, table[name] as Route))).toEqual([]); // the table's own name
});

test("each call of a told route by an owner leaves one line that names the route and the person, and the others leave none", async () => {
  const wrong: string[] = [];
  for (const { name, route, right } of all) {
    if (right.person === "nobody" || name === "signOut") continue;
    const lines = await linesOf(() =>
      doors.ask(route.method, filled(route.path), owner, route.method === "GET" ? undefined : {}),
    );
    const told = lines.map(({ action, who }) => `${action} by ${who}`);
    const wanted = !isTold(name, route)
      ? []
      : [right.person === "stranger" ? `${name} by a stranger` : `${name} by Ada (person 1)`];
    if (told.join() !== wanted.join()) wrong.push(`${name}: ${told.join(", ") || "nothing"}`);
  }
  expect(wrong).toEqual([]);
}, 120_000);

test("each call of a told route without credentials leaves a line that says it was refused", async () => {
  const wrong: string[] = [];
  for (const { name, route, right } of all) {
    if (!isTold(name, route) || right.person === "nobody" || right.person === "stranger") continue;
    const body = route.method === "GET" ? undefined : {};
    const lines = await linesOf(() => doors.ask(route.method, filled(route.path), undefined, body));
    const told = lines.map(({ action, outcome, who, origin }) => [action, outcome, who, origin].join(" "));
    if (told.join() !== `${name} NOT_AUTHENTICATED a stranger 127.0.0.1`)
      wrong.push(`${name}: ${told.join(", ") || "nothing"}`);
  }
  expect(wrong).toEqual([]);
}, 120_000);

test("lines tell what was made and changed, and no secret", async () => {
  const lines = await linesOf(async () => {
    const program = await doors.enterAsProgram();
    const { body } = await doors.inject({
      method: "POST",
      url: "/v1/jobs",
      headers: program,
      payload: aJob({ name: "My film", comment: "opensesame-too" }),
    });
    await doors.inject({
      method: "PUT",
      url: `/v1/jobs/${body.id}/stop`,
      headers: program,
      payload: { note: "wrong reel" },
    });
    await doors.ask("POST", "/people", owner, { name: "Ben", password: "opensesame-123", role: "viewer" });
    await doors.signIn("Ben", "a wrong password");
    await doors.ask("POST", "/api-users", owner, { name: "the archive" });
  });
  const told = lines.map(({ action, outcome, about }) => `${action} ${outcome} ${about}`);
  expect(told).toEqual([
    expect.stringMatching(/^login done auth_key=[\w-]+$/),
    'createJob done name="My film" id=1',
    'stopJob done job_id=1 note="wrong reel" id=1',
    "createPerson done name=Ben role=viewer",
    "signIn NOT_AUTHENTICATED ",
    expect.stringMatching(/^createApiUser done name="the archive" auth_key=\S+$/),
  ]);
  expect(JSON.stringify(lines)).not.toMatch(/opensesame|wrong password/);
});
