import { describe, expect, test } from "vitest";
import { openTestCoordinator } from "../../helpers/farm/coordinator.ts";
import { aConnection, aCopy, aJob, aSource } from "../../helpers/farm/farm.ts";
import { aWorldPerTest } from "../../helpers/farm/worlds.ts";

const world = aWorldPerTest({ open: openTestCoordinator, close: ({ coordinator }) => coordinator.close() });

const ask = async (method: string, path: string, body?: object) => {
  const answer = await world().api(method, path, { body });
  return [answer.status, answer.body];
};
const submit = async (): Promise<string> => (await world().api("POST", "/jobs", { body: aJob() })).body.id;
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

  test("are refused for an action that there is not", async () => {
    expect(await ask("POST", "/jobs/actions", { action: "explode", ids: ["1"] })).toMatchObject([400, {}]);
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
