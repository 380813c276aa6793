import { describe, expect, test } from "vitest";
import { changeNode } from "../../../coordinator/nodes/change-node.ts";
import {
  changeTagLimits,
  countTagLimits,
  putComputeGroup,
  removeComputeGroup,
  setTagLimits,
} from "../../../coordinator/nodes/compute-groups.ts";
import { buildNodeInfo } from "../../../coordinator/nodes/node-info.ts";
import { aReport, aSmallJob } from "../../helpers/farm/farm.ts";
import { type FakeNode, useFarm } from "../../helpers/farm/farm-story.ts";

const { world, farm, submit, report, restart } = useFarm();

const assigned = async (node: FakeNode) =>
  (await node.take()).flatMap((message) => (message.type === "assign" ? [message.assignment] : []));
const tagged = (...task_tags: string[]) => aSmallJob({ task_tags });
const group = (provided_tags: string[], mandatory_tags: string[] = []) =>
  putComputeGroup(farm(), { name: "big", provided_tags, mandatory_tags });

describe("a compute group", () => {
  test("gives its nodes the tags it provides", async () => {
    const node = await world().node();
    await group(["gpu"]);
    await submit(tagged("gpu"));
    expect(await assigned(node)).toEqual([]);
    await changeNode(farm(), node.id, { group: "big" });
    expect(await assigned(node)).toHaveLength(1);
  });

  test("with mandatory tags has its nodes take only tasks that carry them", async () => {
    await group([], ["watch"]);
    const node = await world().node();
    await changeNode(farm(), node.id, { group: "big" });
    await submit(tagged());
    expect(await assigned(node)).toEqual([]);
    await submit(tagged("watch"));
    expect(await assigned(node)).toHaveLength(1);
  });

  test("that is changed changes what its nodes take", async () => {
    await group([]);
    const node = await world().node();
    await changeNode(farm(), node.id, { group: "big" });
    await submit(tagged("gpu"));
    expect(await assigned(node)).toEqual([]);
    await group(["gpu"]);
    expect(await assigned(node)).toHaveLength(1);
  });

  test("is kept over a restart, and its nodes with it", async () => {
    await group(["gpu"]);
    const { id } = await world().node();
    await changeNode(farm(), id, { group: "big" });
    await restart();
    await submit(tagged("gpu"));
    expect(await assigned(world().connect(id))).toHaveLength(1);
  });

  test("that is deleted leaves its nodes without one", async () => {
    await group([], ["watch"]);
    const node = await world().node();
    await changeNode(farm(), node.id, { group: "big" });
    await submit(tagged());
    expect(await removeComputeGroup(farm(), "big")).toBe(true);
    expect(await assigned(node)).toHaveLength(1);
    const row = farm().registry.row(node.id);
    expect(row && buildNodeInfo(farm(), row).group).toBeNull();
    expect(await removeComputeGroup(farm(), "big")).toBe(false);
  });

  test("that is not there takes no node", async () => {
    const node = await world().node();
    await expect(changeNode(farm(), node.id, { group: "none" })).rejects.toMatchObject({
      code: "VALIDATION_FAILED",
      message: 'group: there is no compute group "none"',
    });
  });
});

describe("a farm's limit", () => {
  test("lets no more tasks with its tag run at a time, on whatever nodes", async () => {
    await setTagLimits(farm(), [{ tag: "licence", most: 3 }]);
    const nodes = [await world().node({ tags: ["licence"] }), await world().node({ tags: ["licence"] })];
    for (let nr = 0; nr < 5; nr += 1) await submit(tagged("licence"));
    const running = (await Promise.all(nodes.map(assigned))).flat();
    expect(running).toHaveLength(3);
    expect(countTagLimits(farm())).toEqual([{ tag: "licence", most: 3, running: 3 }]);
    const [first] = running;
    const [holder] = nodes.filter(({ id }) =>
      farm()
        .registry.runningOn(id)
        .some(({ taskId }) => taskId === first?.taskId),
    );
    if (!first || !holder) throw new Error("nobody has it");
    await report(holder, aReport(first));
    expect((await Promise.all(nodes.map(assigned))).flat()).toHaveLength(1);
  });

  test("does not stand in the way of other tasks", async () => {
    await setTagLimits(farm(), [{ tag: "licence", most: 0 }]);
    const node = await world().node({ tags: ["licence"] });
    await submit(tagged("licence"));
    await submit(tagged());
    expect(await assigned(node)).toHaveLength(1);
  });

  test("that is raised lets more of them start, and is kept over a restart", async () => {
    await setTagLimits(farm(), [{ tag: "licence", most: 0 }]);
    const { id } = await world().node({ tags: ["licence"] });
    await submit(tagged("licence"));
    await restart();
    const node = world().connect(id);
    expect(await assigned(node)).toEqual([]);
    await setTagLimits(farm(), [{ tag: "licence", most: 1 }]);
    expect(await assigned(node)).toHaveLength(1);
  });

  test("stands once for each tag", async () => {
    const twice = [1, 2].map((most) => ({ tag: "a", most }));
    await expect(setTagLimits(farm(), twice)).rejects.toMatchObject({ message: 'items[1].tag: "a" occurs twice' });
    const change = changeTagLimits(farm(), { set: twice, remove: [] });
    await expect(change).rejects.toMatchObject({ message: 'set[1].tag: "a" occurs twice' });
  });

  test("two people who change different limits at once both get theirs", async () => {
    await setTagLimits(farm(), [{ tag: "theirs", most: 1 }]);
    await Promise.all([
      changeTagLimits(farm(), { set: [{ tag: "a", most: 2 }], remove: [] }),
      changeTagLimits(farm(), { set: [{ tag: "b", most: 3 }], remove: ["theirs"] }),
    ]);
    const found = countTagLimits(farm()).map(({ tag, most }) => [tag, most]);
    expect(found).toEqual([
      ["a", 2],
      ["b", 3],
    ]);
  });

  test("is changed in whole or not at all, and there are 1000 at most", async () => {
    await setTagLimits(farm(), [{ tag: "a", most: 1 }]);
    const set = Array.from({ length: 1000 }, (_, at) => ({ tag: `t${at}`, most: 1 }));
    await expect(changeTagLimits(farm(), { set, remove: [] })).rejects.toMatchObject({ code: "VALIDATION_FAILED" });
    const unknown = changeTagLimits(farm(), { set: [], remove: ["a", "never"] });
    await expect(unknown).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(countTagLimits(farm())).toEqual([{ tag: "a", most: 1, running: 0 }]);
  });
});
