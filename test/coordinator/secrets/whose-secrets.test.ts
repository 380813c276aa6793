import { afterEach, beforeEach, expect, test } from "vitest";
import { openTestDoors, type TestDoors } from "../../helpers/farm/doors.ts";
import { aFolder, aSmallJob, removeFolder } from "../../helpers/farm/farm.ts";
import { submitJob } from "../../helpers/farm/submit-job.ts";

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

const program = (name: string, reach: "own" | "group" | "all") =>
  doors.enterAsProgram(
    { scopes: ["jobs:read", "jobs:write", "presets:read", "presets:write"], reach, group: "studio" },
    name,
  );

const access = { username: "u", password: "pw-access" };
const job = {
  ...aSmallJob(),
  comment: "pw-comment",
  definitions: { login: { password: "pw-definition" } },
};
const preset = {
  key: "archive",
  kind: "copy",
  payload: { target: { location: { storage_provider: "sftp", path: "sftp://host/out", access } } },
};

test("secrets of a job are echoed to who sent it alone, however far others reach", async () => {
  const [sender, colleague, all] = [await program("a", "own"), await program("b", "group"), await program("c", "all")];
  const first = await doors.enterAsProgram();
  const sent = { ...job, user_data: { password: "pw-data" } };
  for (const [mine, others] of [
    [sender, [colleague, all, first]],
    [first, [all]],
  ] as const) {
    const { id } = (await ask(mine, "POST", "/jobs", sent)).body;
    expect((await ask(mine, "GET", `/jobs/${id}/definition`)).body).toEqual({ priority: 100, ...sent });
    for (const other of others) {
      const seen = await ask(other, "GET", `/jobs/${id}/definition`);
      expect(seen).toMatchObject({ status: 200, body: { payload: {} } });
      expect(seen.text).toContain("(hidden)");
      expect(seen.text).not.toContain("pw-");
    }
  }
});

test("secrets of a preset are echoed to who stored it first alone", async () => {
  const [sender, all] = [await program("a", "own"), await program("c", "all")];
  await ask(sender, "POST", "/presets", preset);
  expect((await ask(sender, "GET", "/presets/archive")).body).toEqual(preset);
  const seen = await ask(all, "GET", "/presets/archive");
  expect(seen).toMatchObject({ status: 200, body: { key: "archive" } });
  expect(seen.text).toContain("(hidden)");
  expect(seen.text).not.toContain("pw-");
});

test("what is nobody's, as jobs from before there were owners, shows its secrets to no program", async () => {
  const id = await submitJob(doors.farm, { ...job, user_data: { password: "pw-data" } });
  const seen = await ask(await doors.enterAsProgram(), "GET", `/jobs/${id}/definition`);
  expect(seen.status).toBe(200);
  expect(seen.text).not.toContain("pw-data");
});
