import { expect, test } from "vitest";
import { useFarm } from "../../helpers/farm/farm-story.ts";

const { world, farm, toCopy } = useFarm();

test("a node is overbooked while attempts whose ends were undone are back, and claims that took their slots are not decided", async () => {
  const node = await world().node({ slots: 1 });
  const { copy } = await toCopy(node);
  await toCopy(node); // both are light, and two of those run beside the slots
  const { registry } = farm();
  const held = registry.heldAs(node.id, copy.fence);
  if (!held) throw new Error("the node holds its copy");
  registry.removeRunning(node.id, copy.fence);
  registry.claim(node.id, copy.taskId + 1000, held);
  expect(registry.isOverbooked(node.id)).toBe(false);
  registry.addRunning(node.id, held);
  expect(registry.isOverbooked(node.id)).toBe(true);
  registry.unclaim(node.id, copy.taskId + 1000);
  expect(registry.isOverbooked(node.id)).toBe(false);
});
