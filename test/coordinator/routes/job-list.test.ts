import { afterEach, beforeEach, expect, test } from "vitest";
import { pauseJob } from "../../../coordinator/jobs/pause.ts";
import { stopJob } from "../../../coordinator/jobs/stop.ts";
import type { UiJobRow } from "../../../shared/api/job-view.ts";
import { openTestDoors, type TestDoors } from "../../helpers/farm/doors.ts";
import { aFolder, aJob, removeFolder } from "../../helpers/farm/farm.ts";

let folder: string;
let doors: TestDoors;
let ana: string;

beforeEach(async () => {
  folder = aFolder();
  doors = await openTestDoors(folder);
  ana = await doors.enter("operator", "Ana");
});

afterEach(async () => {
  await doors.close();
  removeFolder(folder);
});

const submit = async (cookie: string, name: string): Promise<number> =>
  Number((await doors.ask("POST", "/jobs", cookie, aJob({ name }))).body.id);

const list = async (query = "") => {
  const { status, body } = await doors.ask("GET", `/jobs${query}`, ana);
  expect(status).toBe(200);
  return { ...body, items: (body.items as UiJobRow[]).map(({ name }) => name) };
};

test("a job names the person who sent it, and the list can be narrowed to them", async () => {
  const ben = await doors.enter("operator", "Ben");
  const id = await submit(ana, "one");
  await submit(ben, "two");
  const { body } = await doors.ask("GET", `/jobs/${id}`, ana);
  expect(body.info).toMatchObject({ owner: "Ana", origin: "pages", parent_id: null });
  expect((await list('?owners=["Ben"]')).items).toEqual(["two"]);
  expect((await list("?text=an")).items).toEqual(["one"]);
  expect((await list("?owners=[null]")).items).toEqual([]);
  expect((await doors.ask("GET", "/owners", ana)).body).toEqual({ items: ["Ana", "Ben"] });
});

test("the list comes in groups with their sizes, wherever a page begins", async () => {
  const names = ["a", "b", "c", "d"];
  const [, b, c] = await Promise.all(names.map((name) => submit(ana, name)));
  await pauseJob(doors.farm, b ?? 0);
  await stopJob(doors.farm, c ?? 0);
  const queued = { status: "queued", substatus: "waiting", count: 2 };
  const groups = [
    { group: "active", count: 2, states: [queued] },
    { group: "held", count: 1, states: [{ status: "queued", substatus: "paused", count: 1 }] },
    { group: "ended", count: 1, states: [{ status: "failed", substatus: "stopped", count: 1 }] },
  ];
  expect(await list()).toEqual({ items: ["d", "a", "b", "c"], count: 4, groups });
  expect(await list("?skip=1&take=2")).toEqual({ items: ["a", "b"], count: 4, groups });
  expect(await list("?sort=name&order=asc")).toEqual({ items: ["a", "d", "b", "c"], count: 4, groups });
  expect((await list("?sort=name&order=asc&flat=true")).items).toEqual(names);
  expect((await list('?owners=["Ana"]&skip=3')).groups).toEqual(groups);
});
