import { expect, test } from "vitest";
import { takeMessage } from "../../../coordinator/connections/messages.ts";
import { aReport } from "../../helpers/farm/farm.ts";
import { useFarm } from "../../helpers/farm/farm-story.ts";

const { world, farm, report, pass, toCopy } = useFarm();

test("a start that is noted after its job has left memory keeps the slot, and the node goes on", async () => {
  const node = await world().node({ slots: 1 });
  const { jobId, copy } = await toCopy(node);
  farm().values.letGo(jobId);
  expect(farm().values.peekJob(jobId)).toBeUndefined();
  await takeMessage(farm(), node.id, { type: "started", fence: copy.fence });
  await pass(node, 1);
  expect(farm().registry.isHeld(node.id, copy.fence)).toBe(true);
  await takeMessage(farm(), node.id, { type: "progress", fence: copy.fence, progress: { percent: 10 } });
  expect((await node.take()).map(({ type }) => type)).not.toContain("stale");
  expect(await report(node, aReport(copy))).toBe("ok");
});
