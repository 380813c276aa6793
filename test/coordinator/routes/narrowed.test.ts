import { describe, expect, test } from "vitest";
import { api } from "../../../shared/api/api.ts";
import type { Route } from "../../../shared/api/route.ts";
import { ui } from "../../../shared/api/ui/ui-api.ts";
import { Secret } from "../../../shared/basics/secret.ts";
import { breadthOf } from "../../../shared/rights/narrowing.ts";
import { apiRights, type Right, uiRights } from "../../../shared/rights/rights.ts";
import { goodPassword, openTestDoors } from "../../helpers/farm/doors.ts";
import { aSmallJob } from "../../helpers/farm/farm.ts";
import { submitJob } from "../../helpers/farm/submit-job.ts";
import { aWorldPerTest } from "../../helpers/farm/worlds.ts";

const doors = aWorldPerTest({ open: openTestDoors, close: (each) => each.close() });

const routes: Readonly<Record<string, Route>> = { ...api, ...ui };
const rights: Readonly<Record<string, Right>> = { ...apiRights, ...uiRights };
type Only = { readonly only_tags?: string[]; readonly only_groups?: string[] };

const enter = async (name: string, only: Only, role: "operator" | "viewer" = "operator"): Promise<string> => {
  await doors().people.create(name, new Secret(goodPassword), role, only);
  return (await doors().signIn(name)).cookie ?? "";
};
const job = (...task_tags: string[]) => submitJob(doors().farm, aSmallJob({ task_tags })).then(String);
type Method = Parameters<ReturnType<typeof doors>["ask"]>[0];
const as = (cookie: string) => async (method: Method, path: string, body?: object) => {
  const { status, body: answer } = await doors().ask(method, path, cookie, body);
  return { status, body: answer };
};
const refused = { status: 403, body: { error: "NOT_ALLOWED", message: expect.stringContaining("narrowed") } };

/** Routes that end the session, or whose answer names each job for itself. */
const others = new Set(["signOut", "endSession", "changeJobs", "undoJobs", "createJob"]);
const forOperators = Object.entries(rights).filter(
  ([name, { person }]) => (person === "viewer" || person === "operator") && !others.has(name),
);

/** Whether a narrowed role is the reason to refuse this call, by the table. */
const isRefusedBy = (right: Right, path: string, isOwn: boolean): boolean => {
  const breadth = breadthOf(right);
  return breadth === "nothing" || (breadth === "tagged" && /\{(?:job|node)_id\}/.test(path) && !isOwn);
};

test("every route x a narrowed operator: all that is read, what has their tag, and nothing that the farm shares", async () => {
  const ask = as(await enter("Bob", { only_tags: ["a"] }));
  const jobs = [await job("a", "x"), await job("x")];
  const nodes = [await doors().node({ tags: ["a"] }), await doors().node({ tags: ["x"] })];
  const wrong: string[] = [];
  const tryOne = async (name: string, right: Right, at: 0 | 1) => {
    const { method, path } = routes[name] as Route; // the tables' own names
    const url = path.replace("{job_id}", jobs[at] ?? "").replace("{node_id}", String(nodes[at]?.id));
    const body = method === "GET" ? undefined : {};
    const answer = await ask(method, url.replaceAll(/\{\w+\}/g, "999"), body);
    const isNarrow = answer.status === 403 && /narrowed/.test(answer.body.message);
    if (isNarrow !== isRefusedBy(right, path, at === 0)) wrong.push(`${name} ${at}: ${JSON.stringify(answer)}`);
  };
  for (const [name, right] of forOperators) for (const at of [0, 1] as const) await tryOne(name, right, at);
  console.log(`routes x a narrowed operator: ${forOperators.length * 2} tried, ${wrong.length} wrong`);
  expect(wrong).toEqual([]);
  expect(forOperators.length).toBeGreaterThan(50);
}, 60_000);

describe("jobs", () => {
  test("are submitted with one of their tags, and never without", async () => {
    const ask = as(await enter("Bob", { only_tags: ["a", "b"] }));
    for (const task_tags of [undefined, [], ["x"], ["A"]])
      expect(await ask("POST", "/jobs", aSmallJob({ task_tags }))).toMatchObject(refused);
    expect(await ask("POST", "/jobs", aSmallJob({ task_tags: ["x"], dry_run: true }))).toMatchObject(refused);
    expect((await ask("POST", "/jobs", aSmallJob({ task_tags: ["x", "b"] }))).status).toBe(200);
    const { body } = await ask("GET", "/jobs/count");
    expect(body).toEqual({ count: 1 });
  });

  test("keep one of their tags when they are changed, and others cannot be taken", async () => {
    const ask = as(await enter("Bob", { only_tags: ["a"] }));
    const [own, other] = [await job("a"), await job("x")];
    expect(await ask("PUT", `/jobs/${own}`, { task_tags: ["x"] })).toMatchObject(refused);
    expect(await ask("PUT", `/jobs/${own}`, { task_tags: [] })).toMatchObject(refused);
    expect(await ask("PUT", `/jobs/${other}`, { task_tags: ["a"] })).toMatchObject(refused);
    expect((await ask("PUT", `/jobs/${own}`, { task_tags: ["a", "x"], priority: 7 })).status).toBe(200);
    expect((await ask("GET", `/jobs/${other}/definition`)).status).toBe(200);
  });

  test("of many at once, each is answered for itself; of a deletion, none goes where one may not", async () => {
    const ask = as(await enter("Bob", { only_tags: ["a"] }));
    const [own, other, ended] = [await job("a"), await job("x"), await job("a")];
    const { body } = await ask("POST", "/jobs/actions", { action: "pause", ids: [own, other, "999"] });
    expect(body.items).toMatchObject([
      { id: own, success: true },
      { id: other, success: false, error: "NOT_ALLOWED" },
      { id: "999", success: false, error: "NOT_FOUND" },
    ]);
    const matching = { action: "stop", matching: { except: [] }, count: 3 };
    const stopped = await ask("POST", "/jobs/actions", matching);
    expect(stopped.body.items.map(({ success }: { success: boolean }) => success)).toEqual([true, false, true]);
    expect(await ask("DELETE", "/jobs", { ids: [ended, other] })).toMatchObject(refused);
    expect((await ask("DELETE", "/jobs", { ids: [ended, own] })).body.items).toHaveLength(2);
    expect(doors().job(Number(other))?.status).toBe("queued");
  });

  test("whose tags went meanwhile are not taken back", async () => {
    const ask = as(await enter("Bob", { only_tags: ["a"] }));
    const own = await job("a");
    const { body } = await ask("POST", "/jobs/actions", { action: "priority", priority: 9, ids: [own] });
    const owner = as(await doors().enter("owner"));
    await owner("PUT", `/jobs/${own}`, { task_tags: ["x"] });
    const undone = await ask("POST", "/jobs/actions/undo", { undo: body.undo });
    expect(undone.body.items).toMatchObject([{ id: own, success: false, error: "NOT_ALLOWED" }]);
  });
});

describe("nodes", () => {
  test("with their tag, also by their group, are drained and paused; tags and groups stay as they are", async () => {
    const owner = as(await doors().enter("owner"));
    await owner("PUT", "/groups/Studio A", { provided_tags: ["a"], mandatory_tags: [] });
    const ask = as(await enter("Bob", { only_groups: ["Studio A"] }));
    const [tagged, grouped, other] = [
      await doors().node({ tags: ["a"] }),
      await doors().node(),
      await doors().node({ tags: ["x"] }),
    ];
    await owner("PUT", `/nodes/${grouped.id}`, { group: "Studio A" });
    for (const { id } of [tagged, grouped]) {
      expect((await ask("PUT", `/nodes/${id}`, { state: "drain" })).status).toBe(200);
      expect(await ask("PUT", `/nodes/${id}`, { tags: ["a"] })).toMatchObject(refused);
      expect(await ask("PUT", `/nodes/${id}`, { group: null })).toMatchObject(refused);
    }
    expect(await ask("PUT", `/nodes/${other.id}`, { state: "drain" })).toMatchObject(refused);
    expect((await ask("PUT", "/nodes/999", { state: "drain" })).status).toBe(404);
    // A group that provides nothing stands for nothing, from the next call on.
    await owner("PUT", "/groups/Studio A", { provided_tags: [], mandatory_tags: [] });
    expect(await ask("PUT", `/nodes/${tagged.id}`, { state: "active" })).toMatchObject(refused);
  });
});

describe("who narrows", () => {
  test("is an owner; it holds in open sessions, is told, and ends as it began", async () => {
    const owner = as(await doors().enter("owner"));
    const cookie = await enter("Bob", {});
    const ask = as(cookie);
    const [own, other] = [await job("a"), await job("x")];
    const pause = async () => [
      (await ask("PUT", `/jobs/${own}`, { priority: 3 })).status,
      (await ask("PUT", `/jobs/${other}`, { priority: 3 })).status,
    ];
    expect(await pause()).toEqual([200, 200]);
    expect(await ask("GET", "/session")).toMatchObject({ body: { name: "Bob", role: "operator" } });
    const changed = await owner("PUT", "/people/Bob", { only_tags: ["b", "a", "a"] });
    expect(changed.body).toMatchObject({ name: "Bob", only_tags: ["a", "b"], only_groups: [] });
    expect(await pause()).toEqual([200, 403]);
    expect((await ask("GET", "/session")).body).toMatchObject({ only_tags: ["a", "b"], only_groups: [] });
    await doors().farm.trail.flush();
    const lines = await doors().farm.store.trail.find({ text: "only_tags" }, 9);
    expect(lines.map(({ action, about }) => [action, about])).toEqual([
      ["updatePerson", expect.stringContaining("only_tags=[b,a,a]")],
    ]);
    expect(await ask("PUT", "/people/Bob", { only_tags: [] })).toMatchObject({ status: 403 });
    await owner("PUT", "/people/Bob", { only_tags: [] });
    expect(await pause()).toEqual([200, 200]);
  });

  test("cannot narrow an owner; whoever becomes one is free, and held again afterwards", async () => {
    const owner = as(await doors().enter("owner"));
    const ask = as(await enter("Bob", { only_tags: ["a"] }));
    const other = await job("x");
    const bad = { status: 400, body: { error: "VALIDATION_FAILED", details: [{ path: "only_tags" }] } };
    expect(await owner("PUT", "/people/owner", { only_tags: ["a"] })).toMatchObject(bad);
    const eve = { name: "Eve", password: goodPassword, role: "owner", only_tags: ["a"] };
    expect(await owner("POST", "/people", eve)).toMatchObject(bad);
    await owner("PUT", "/people/Bob", { role: "owner" });
    expect((await ask("PUT", `/jobs/${other}`, { priority: 3 })).status).toBe(200);
    await owner("PUT", "/people/Bob", { role: "operator" });
    expect((await ask("PUT", `/jobs/${other}`, { priority: 3 })).status).toBe(403);
  });

  test("leaves a viewer a viewer, and programs alone", async () => {
    const ask = as(await enter("Vic", { only_tags: ["a"] }, "viewer"));
    const own = await job("a");
    const { status, body } = await ask("PUT", `/jobs/${own}`, { priority: 3 });
    expect([status, body.message]).toEqual([403, expect.stringContaining("needs the role operator")]);
    const headers = await doors().enterAsProgram();
    const payload = { priority: 4 };
    expect((await doors().inject({ method: "PUT", url: `/v1/jobs/${own}`, headers, payload })).status).toBe(200);
  });
});
