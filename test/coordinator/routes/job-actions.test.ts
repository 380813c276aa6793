import { describe, expect, test } from "vitest";
import { openTestCoordinator } from "../../helpers/farm/coordinator.ts";
import { aConnection, aCopy, aJob, aSource } from "../../helpers/farm/farm.ts";
import { aWorldPerTest } from "../../helpers/farm/worlds.ts";

const world = aWorldPerTest({ open: openTestCoordinator, close: ({ coordinator }) => coordinator.close() });

const ask = async (method: string, path: string, body?: object) => {
  const answer = await world().api(method, path, { body });
  return [answer.status, answer.body];
};
const submit = async (own: object = {}): Promise<string> =>
  (await world().api("POST", "/jobs", { body: { ...aJob(), ...own } })).body.id;
const info = async (id: string) => (await world().api("GET", `/jobs/${id}/info?fields=substatus&fields=priority`)).body;

describe("many jobs at once", () => {
  test("are stopped, and each answers for itself", async () => {
    const [a, b] = [await submit(), await submit()];
    expect(await ask("POST", "/jobs/actions", { action: "stop", ids: [a, "999", b, "x"] })).toEqual([
      200,
      {
        items: [
          { id: a, success: true },
          { id: "999", success: false, error: "NOT_FOUND", message: "There is no job 999" },
          { id: b, success: true },
          { id: "x", success: false, error: "NOT_FOUND", message: "There is no job x" },
        ],
        undo: expect.any(String),
      },
    ]);
    expect([(await info(a)).substatus, (await info(b)).substatus]).toEqual(["stopped", "stopped"]);
  });

  test("get a priority by its value", async () => {
    const id = await submit();
    await ask("POST", "/jobs/actions", { action: "priority", ids: [id], priority: 200 });
    expect((await info(id)).priority).toBe(200);
    expect(await ask("POST", "/jobs/actions", { action: "priority", ids: [id] })).toMatchObject([
      400,
      { details: [{ path: "priority", message: "is needed for the action priority" }] },
    ]);
  });

  test("are paused, resumed, retried and deleted", async () => {
    const id = await submit();
    await ask("POST", "/jobs/actions", { action: "pause", ids: [id] });
    expect((await info(id)).substatus).toBe("paused");
    await ask("POST", "/jobs/actions", { action: "resume", ids: [id] });
    expect((await info(id)).substatus).toBe("waiting");
    await ask("PUT", `/jobs/${id}/stop`);
    expect(await ask("POST", "/jobs/actions", { action: "retry", ids: [id] })).toEqual([
      200,
      { items: [{ id, success: true }] },
    ]);
    expect((await info(id)).substatus).toBe("waiting");
    await ask("POST", "/jobs/actions", { action: "delete", ids: [id] });
    expect(await ask("GET", `/jobs/${id}/info`)).toMatchObject([404, {}]);
  });

  test("that are retried and still paused or scheduled are named so", async () => {
    const ids = [await submit({ paused: true }), await submit({ start_after: "2099-01-01T00:00:00Z" }), await submit()];
    await ask("POST", "/jobs/actions", { action: "stop", ids });
    const [, { items }] = await ask("POST", "/jobs/actions", { action: "retry", ids });
    expect(items).toEqual([
      { id: ids[0], success: true, held: "paused" },
      { id: ids[1], success: true, held: "scheduled" },
      { id: ids[2], success: true },
    ]);
    await ask("PUT", `/jobs/${ids[0]}/stop`);
    expect(await ask("POST", `/jobs/${ids[0]}/retry`)).toMatchObject([200, { id: ids[0], held: "paused" }]);
  });

  test("get a priority by a step, each from its own, within the bounds", async () => {
    const [a, b] = [await submit({ priority: 100 }), await submit({ priority: 250 })];
    await ask("POST", "/jobs/actions", { action: "priority", ids: [a, b], priority_step: 10 });
    expect([(await info(a)).priority, (await info(b)).priority]).toEqual([110, 254]);
  });

  test("get a time to start after, and lose it again", async () => {
    const id = await submit();
    const schedule = (at: string | null) =>
      ask("POST", "/jobs/actions", { action: "schedule", ids: [id], start_after: at });
    await schedule("2099-01-01T00:00:00Z");
    expect((await info(id)).substatus).toBe("scheduled");
    await schedule(null);
    expect((await info(id)).substatus).toBe("waiting");
    expect(await ask("POST", "/jobs/actions", { action: "schedule", ids: [id] })).toMatchObject([
      400,
      { details: [{ path: "start_after", message: "is needed for the action schedule" }] },
    ]);
  });

  test("are refused for an action that there is not", async () => {
    expect(await ask("POST", "/jobs/actions", { action: "explode", ids: ["1"] })).toMatchObject([400, {}]);
  });
});

describe("all jobs that match", () => {
  const stopMatching = (matching: object, count: number) =>
    ask("POST", "/jobs/actions", { action: "stop", matching, count });
  const substatuses = (ids: readonly string[]) => Promise.all(ids.map(async (id) => (await info(id)).substatus));

  test("are stopped by their filter, but for the ones left out, and no others", async () => {
    const ids = [await submit({ name: "reel 1" }), await submit({ name: "reel 2" }), await submit({ name: "reel 3" })];
    const other = await submit({ name: "poster" });
    const [first = "", second = "", third = ""] = ids;
    const [status, { items }] = await stopMatching(
      { text: "reel", statuses: ["queued", "active"], except: [second] },
      2,
    );
    expect([status, items]).toEqual([
      200,
      [
        { id: first, success: true },
        { id: third, success: true },
      ],
    ]);
    expect(await substatuses([...ids, other])).toEqual(["stopped", "waiting", "stopped", "waiting"]);
  });

  test("are left alone if they have become more than were meant", async () => {
    const ids = [await submit(), await submit(), await submit()];
    expect(await stopMatching({}, 2)).toMatchObject([
      409,
      { message: "3 jobs match by now, and 2 were meant: nothing was changed" },
    ]);
    expect(await substatuses(ids)).toEqual(["waiting", "waiting", "waiting"]);
    expect(await stopMatching({}, 4)).toMatchObject([200, {}]);
  });

  test("are counted by the caller, and named in one way only", async () => {
    expect(await ask("POST", "/jobs/actions", { action: "stop", matching: {} })).toMatchObject([
      400,
      { details: [{ path: "count" }] },
    ]);
    expect(await ask("POST", "/jobs/actions", { action: "stop", matching: {}, count: 1, ids: ["1"] })).toMatchObject([
      400,
      { details: [{ path: "ids" }] },
    ]);
    expect(await ask("POST", "/jobs/actions", { action: "stop" })).toMatchObject([400, { details: [{ path: "ids" }] }]);
  });
});

describe("one undo", () => {
  const act = async (body: object): Promise<string> => (await ask("POST", "/jobs/actions", body))[1].undo;
  const undo = (name: string) => ask("POST", "/jobs/actions/undo", { undo: name });

  test("puts all stopped jobs back into the queue, in their order", async () => {
    const ids = [await submit(), await submit()];
    const name = await act({ action: "stop", matching: {}, count: 2 });
    expect(await undo(name)).toEqual([200, { items: ids.map((id) => ({ id, success: true })) }]);
    for (const id of ids) expect((await info(id)).substatus).toBe("waiting");
  });

  test("gives every job its own priority back, and its own time", async () => {
    const [a, b] = [await submit({ priority: 5 }), await submit({ priority: 7 })];
    await undo(await act({ action: "priority", ids: [a, b], priority: 200 }));
    expect([(await info(a)).priority, (await info(b)).priority]).toEqual([5, 7]);
    const [held, later] = [await submit({ paused: true }), await submit({ start_after: "2099-01-01T00:00:00Z" })];
    await undo(await act({ action: "resume", ids: [a, held, later] }));
    const states = await Promise.all([a, held, later].map(async (id) => (await info(id)).substatus));
    expect(states).toEqual(["waiting", "paused", "scheduled"]);
  });

  test("does not resume what was paused before", async () => {
    const [a, b] = [await submit(), await submit({ paused: true })];
    await undo(await act({ action: "pause", ids: [a, b] }));
    expect([(await info(a)).substatus, (await info(b)).substatus]).toEqual(["waiting", "paused"]);
  });

  test("works once", async () => {
    const name = await act({ action: "pause", ids: [await submit()] });
    await undo(name);
    expect(await undo(name)).toMatchObject([404, {}]);
    expect(await undo("guessed")).toMatchObject([404, {}]);
  });

  test("is not offered where nothing changed", async () => {
    const id = await submit({ paused: true });
    expect(await act({ action: "pause", ids: [id] })).toBeUndefined();
  });
});

describe("a dry run", () => {
  test("says what a job would do, and queues nothing", async () => {
    const job = aJob({ payload: { elements: [aSource(), aCopy()], connections: [aConnection("src", ["copy"])] } });
    const [status, plan] = await ask("POST", "/jobs?dry_run=true", job);
    expect([status, plan]).toEqual([
      200,
      {
        id: "0",
        dry_run: true,
        warnings: [],
        finish: null,
        elements: [
          {
            uid: "src",
            kind: "source",
            title: "Source",
            plan: "facts",
            tasks: [],
            needs: ["file:///media/in.mov"],
            cause: null,
            message: null,
          },
          { uid: "copy", kind: "copy", title: "Copy", plan: "later", tasks: [], needs: [], cause: null, message: null },
        ],
      },
    ]);
    expect(await ask("GET", "/jobs/count")).toEqual([200, { count: 0 }]);
  });

  test("refuses what a submission would refuse", async () => {
    expect(await ask("POST", "/jobs?dry_run=true", aJob({ priority: 999 }))).toMatchObject([400, {}]);
  });

  test("tells of elements that this version cannot do", async () => {
    const elements = [{ uid: "t", kind: "dolby_vision", payload: {} }];
    const [, plan] = await ask("POST", "/jobs?dry_run=true", aJob({ payload: { elements } }));
    expect(plan).toMatchObject({ elements: [{ plan: "refused", cause: "capability" }] });
  });
});

test("outputs of a job without any are an empty list", async () => {
  expect(await ask("GET", `/jobs/${await submit()}/outputs`)).toEqual([200, { items: [], count: 0 }]);
  expect(await ask("GET", "/jobs/77/outputs")).toMatchObject([404, {}]);
});

describe("saved views", () => {
  const view = { page: "jobs", name: "Standing still", search: { state: "waiting", sort: "creation_time" } };

  test("are kept by page and name, replaced, and deleted", async () => {
    expect(await ask("PUT", "/views/jobs/Standing%20still", { search: view.search })).toEqual([200, view]);
    await ask("PUT", "/views/jobs/Standing%20still", { search: { state: "failed" } });
    expect(await ask("GET", "/views")).toEqual([200, { items: [{ ...view, search: { state: "failed" } }] }]);
    expect(await ask("DELETE", "/views/jobs/Standing%20still")).toEqual([200, {}]);
    expect(await ask("DELETE", "/views/jobs/Standing%20still")).toMatchObject([404, {}]);
  });

  test("are refused for pages that there are not", async () => {
    expect(await ask("PUT", "/views/moon/x", { search: {} })).toMatchObject([400, {}]);
  });
});
