import { expect, test } from "vitest";
import { openTestCoordinator } from "../../../helpers/farm/coordinator.ts";
import { aProfile, aRecordingConnection, aSmallJob, enrol } from "../../../helpers/farm/farm.ts";
import { aWorldPerTest } from "../../../helpers/farm/worlds.ts";
import { commandEnv, documentsOf, runHere } from "../../../helpers/processes/cli.ts";

const farm = aWorldPerTest({ open: openTestCoordinator, close: ({ coordinator }) => coordinator.close() });

const run = (...words: string[]) => runHere(words, { env: commandEnv(farm()), clock: farm().clock });
const json = async (...words: string[]) => documentsOf((await run(...words, "--json")).stdout);
const submit = (more: Record<string, unknown> = {}) =>
  runHere(["submit", "-"], { env: commandEnv(farm()), clock: farm().clock, stdin: JSON.stringify(aSmallJob(more)) });

const aNode = async (): Promise<void> => {
  const { farm: inner } = farm().coordinator;
  const row = await enrol(inner, aProfile({ name: "edit-1" }));
  inner.registry.connect(row, aRecordingConnection().connection, farm().clock.monotonic());
};

test("what is wrong with a job is said once, and what was probably meant", async () => {
  const { stderr } = await submit({ name: "{{nmae}}", definitions: { name: "x" } });
  expect(stderr).toBe('"{{nmae}}" is used, but definitions has no "nmae"; did you mean {{name}}?\n');
});

test("a job is paused and resumed", async () => {
  await submit();
  expect((await run("pause", "1")).stdout).toBe("Job 1: paused\n");
  expect(await json("pause", "1")).toEqual([{ id: "1", status: "queued", substatus: "paused" }]);
  expect(await json("resume", "1")).toEqual([{ id: "1", status: "queued", substatus: "waiting" }]);
  expect((await run("pause", "9")).status).toBe(1);
  expect((await run("resume")).status).toBe(2);
});

test("a retry says what is queued again, and whether the job is still held", async () => {
  await aNode();
  await submit();
  await run("stop", "1");
  expect((await run("retry", "1")).stdout).toBe("Job 1: 1 task is queued again, 0 elements are planned again\n");
  await run("pause", "1");
  await run("stop", "1");
  expect((await run("retry", "1")).stdout).toContain(
    "still paused, and starts nothing before it is resumed: mediafarm resume 1",
  );
  await run("stop", "1");
  expect(await json("retry", "1")).toMatchObject([{ id: "1", held: "paused" }]);
});

test("several jobs are paused, given a priority and stopped by their IDs or by what selects them", async () => {
  for (const name of ["nightly", "nightly", "other"]) await submit({ name });
  expect((await run("pause", "1", "2", "9")).stdout).toBe("Job 1: paused\nJob 2: paused\n");
  expect((await run("pause", "9")).stderr).toContain("9");
  expect(await json("resume", "--name", "nightly")).toEqual([
    { id: "2", status: "queued", substatus: "waiting" },
    { id: "1", status: "queued", substatus: "waiting" },
  ]);
  expect((await run("priority", "50", "--name", "other")).stdout).toBe("Job 3 has priority 50\n");
  expect((await run("stop", "--status", "queued")).stdout).toBe(
    "Job 3 is stopped\nJob 2 is stopped\nJob 1 is stopped\n",
  );
  expect((await run("stop", "--status", "queued")).stderr).toContain("No job matches.");
});

test("a task says why it waits", async () => {
  await aNode();
  await submit({ task_tags: ["gpu"] });
  const { stdout } = await run("explain", "1");
  expect(stdout).toMatch(/No node of the farm provides tag "gpu"; unless one joins it fails at [\d :-]+\./);
  expect(stdout).toContain('edit-1  Does not provide the tag "gpu"');
  expect(await json("explain", "1")).toMatchObject([
    { task_id: "1", nodes: [{ reasons: [{ data: { tag: "gpu" } }] }] },
  ]);
  expect((await run("explain", "77")).status).toBe(1);
});

test("compute groups are made, joined and deleted", async () => {
  await aNode();
  expect(await json("groups", "set", "big", "--provides", "gpu,nvenc", "--mandatory", "only")).toEqual([
    { name: "big", provided_tags: ["gpu", "nvenc"], mandatory_tags: ["only"] },
  ]);
  expect(await json("node", "1", "--group", "big")).toMatchObject([{ group: "big" }]);
  expect((await run("groups")).stdout).toMatch(/big +gpu,nvenc +only/);
  expect(await json("node", "1", "--group", "-")).toMatchObject([{ group: null }]);
  expect(await json("groups", "remove", "big")).toEqual([]);
  expect((await run("groups", "remove", "big")).status).toBe(1);
  expect((await run("groups", "rename", "big")).status).toBe(2);
});

test("limits are set one by one and taken away", async () => {
  await json("limits", "set", "a=1", "b=2");
  expect(await json("limits", "set", "b=3")).toEqual([
    { tag: "a", most: 1, running: 0 },
    { tag: "b", most: 3, running: 0 },
  ]);
  expect(await json("limits", "remove", "a")).toEqual([{ tag: "b", most: 3, running: 0 }]);
  expect((await run("limits", "set", "b")).status).toBe(2);
  const gone = await run("limits", "remove", "never");
  expect([gone.status, gone.stderr]).toEqual([1, expect.stringContaining('There is no limit of "never"')]);
});
