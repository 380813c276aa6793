import { afterEach, beforeEach, expect, test } from "vitest";
import { openTestDoors, type TestDoors } from "../../helpers/farm/doors.ts";
import { aConnection, aFolder, aSource, removeFolder } from "../../helpers/farm/farm.ts";

let folder: string;
let doors: TestDoors;
type Program = Awaited<ReturnType<TestDoors["enterAsProgram"]>>;
beforeEach(async () => {
  folder = aFolder();
  doors = await openTestDoors(folder);
});
afterEach(async () => {
  await doors.close();
  removeFolder(folder);
});

const ask = (headers: Program, method: "GET" | "POST", path: string, payload?: object) =>
  doors.inject({ method, url: `/v1${path}`, headers, ...(payload && { payload }) });

const scopes = ["jobs:read", "jobs:write", "presets:read", "presets:write"] as const;
const program = (name: string, reach: "own" | "group" | "all", some: readonly (typeof scopes)[number][] = scopes) =>
  doors.enterAsProgram({ scopes: some, reach, group: "studio" }, name);

const access = { username: "u", password: "pw-access" };
const location = { storage_provider: "sftp", path: "sftp://host/out", access };
const preset = { key: "archive", kind: "copy", payload: { target: { location } } };
const jobWith = (target: object) => ({
  name: "a job",
  payload: {
    elements: [aSource(), { uid: "copy", kind: "copy", preset: { key: "archive" }, payload: { target } }],
    connections: [aConnection("src", ["copy"])],
  },
});

test("a group mate uses a preset's secrets at its address, also without reading presets, and nowhere else", async () => {
  const [owner, mate] = [await program("a", "own"), await program("b", "group", ["jobs:write", "jobs:read"])];
  await ask(owner, "POST", "/presets", preset);
  expect((await ask(mate, "POST", "/jobs", jobWith({ file_pattern: "x" }))).status).toBe(200);
  const elsewhere = jobWith({ location: { path: "sftp://evil/out" } });
  const refused = await ask(mate, "POST", "/jobs", elsewhere);
  expect([refused.status, refused.body.details]).toEqual([
    400,
    [expect.objectContaining({ path: "payload.elements[1].payload.target.location.access" })],
  ]);
  expect(refused.text).not.toContain("pw-");
  expect((await ask(mate, "POST", "/jobs", { ...elsewhere, dry_run: true })).status).toBe(400);
  const ownAccess = { location: { path: "sftp://other/out", access: { username: "me", password: "mine" } } };
  expect((await ask(mate, "POST", "/jobs", jobWith(ownAccess))).status).toBe(200);
  expect((await ask(owner, "POST", "/jobs", elsewhere)).status).toBe(200);
});

test("a preset that was read with hidden secrets and stored again keeps them; elsewhere they are refused by name", async () => {
  const [owner, mate] = [await program("a", "own"), await program("b", "group")];
  await ask(owner, "POST", "/presets", preset);
  const read = (await ask(mate, "GET", "/presets/archive")).body;
  expect((await ask(mate, "POST", "/presets", { ...read, name: "renamed" })).status).toBe(200);
  expect((await ask(owner, "GET", "/presets/archive")).body).toEqual({ ...preset, name: "renamed" });
  const moved = {
    ...read,
    payload: { target: { location: { ...read.payload.target.location, path: "sftp://evil/" } } },
  };
  const refused = await ask(mate, "POST", "/presets", moved);
  expect([refused.status, refused.body.details[0]?.path]).toEqual([400, "payload.target.location.access"]);
  expect((await ask(owner, "GET", "/presets/archive")).body).toEqual({ ...preset, name: "renamed" });
  expect((await ask(mate, "POST", "/presets", { ...read, key: "copy of it" })).status).toBe(400);
});

test("people, who read no secrets, move none either", async () => {
  const operator = await doors.enter("operator");
  const first = await doors.enterAsProgram();
  await ask(first, "POST", "/presets", preset);
  const answer = await doors.ask("POST", "/jobs", operator, jobWith({ location: { path: "sftp://evil/out" } }));
  expect(answer.status).toBe(400);
  expect((await doors.ask("POST", "/jobs", operator, jobWith({ file_pattern: "y" }))).status).toBe(200);
});
