import { expect, test } from "vitest";
import { findMissingCapabilities } from "../../../coordinator/jobs/missing-capabilities.ts";
import { changeNode } from "../../../coordinator/nodes/change-node.ts";
import type { NodeProfile, NodeRow } from "../../../coordinator/store/rows.ts";
import { explain } from "../../../coordinator/views/explain.ts";
import { parseJob } from "../../../media/jobs/parse-job.ts";
import { aReport, aSmallJob } from "../../helpers/farm/farm.ts";
import { useFarm } from "../../helpers/farm/farm-story.ts";
import { stored } from "../../helpers/farm/stored.ts";

/** What a node says of itself that came by a join token, and that nobody has let work yet. */
const { world, farm, submit, report, advance, pass } = useFarm();

const joiner = async (changes: Partial<NodeProfile>) => {
  const node = await world().node({ name: "joiner", ...changes });
  await farm().change([], (draft) => draft.setNode(draft.node(node.id) as NodeRow, { state: "pending" })); // it was just made
  return node;
};

test("a task that only such a node could run fails like one that nobody can run, and is explained so", async () => {
  const node = await world().node();
  await joiner({ tags: ["gpu"] });
  const jobId = await submit(aSmallJob({ task_tags: ["gpu"] }));
  const [task] = stored(farm()).tasks(jobId);
  const told = task && explain(farm(), task, "all");
  expect(told?.reasons.map(({ reason }) => reason)).toEqual(["nobody_can"]);
  expect(told?.nodes.map(({ name, reasons }) => [name, reasons[0]?.reason])).toEqual([
    ["n1", "missing_tag"],
    ["joiner", "node_pending"],
  ]);
  await pass(node, 61);
  expect(world().job(jobId)).toMatchObject({
    status: "failed",
    error: 'src: No node of the farm provides tag "gpu"',
  });
});

test("the same task waits for a node that was let in", async () => {
  await world().node();
  const { id } = await joiner({ tags: ["gpu"] });
  await changeNode(farm(), id, { state: "active" });
  await changeNode(farm(), id, { state: "paused" });
  const jobId = await submit(aSmallJob({ task_tags: ["gpu"] }));
  await advance(61_000);
  expect(world().job(jobId)).toMatchObject({ status: "queued" });
});

test("its folders are required of nobody, and what it could do is told as missing", async () => {
  const node = await world().node({ roots: ["/elsewhere"] });
  const { id } = await joiner({ roots: ["/media"], tags: ["gpu"] });
  const jobId = await submit(aSmallJob());
  const probe = await node.assigned();
  expect(stored(farm()).tasks(jobId)).toMatchObject([{ requires: ["ffprobe"] }]);
  await report(node, aReport(probe));
  const told = () => findMissingCapabilities(farm(), parseJob(aSmallJob({ task_tags: ["gpu"] })));
  expect(await told()).toEqual(['task_tags: no node of the farm provides the tag "gpu"']);
  await changeNode(farm(), id, { state: "active" });
  expect(await told()).toEqual([]);
});
