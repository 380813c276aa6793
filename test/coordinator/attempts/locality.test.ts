import { expect, test } from "vitest";
import { grantCommit } from "../../../coordinator/attempts/report.ts";
import { changeNode } from "../../../coordinator/nodes/change-node.ts";
import { explain } from "../../../coordinator/views/explain.ts";
import { aConnection, aCopy, anIntent, aReport, aSource } from "../../helpers/farm/farm.ts";
import { type FakeNode, useFarm } from "../../helpers/farm/farm-story.ts";
import { stored } from "../../helpers/farm/stored.ts";

const { world, farm, submit, report } = useFarm();

const twoCopies = {
  name: "a job",
  payload: {
    elements: [aSource(), aCopy(), aCopy({ uid: "again" })],
    connections: [aConnection("src", ["copy"]), aConnection("copy", ["again"])],
  },
};

/** The second node makes the first copy while the first one is paused. */
const madeOnSecond = async (): Promise<{
  jobId: number;
  first: FakeNode;
  second: FakeNode;
  publish: () => Promise<void>;
}> => {
  const [first, second] = [await world().node({ name: "first" }), await world().node({ name: "second" })];
  await changeNode(farm(), first.id, { state: "paused" });
  const jobId = await submit(twoCopies);
  await report(second, aReport(await second.assigned()));
  const copy = await second.assigned();
  const publish = async () => {
    await grantCommit(farm(), second.id, copy.fence, anIntent(copy));
    await report(second, aReport(copy));
  };
  return { jobId, first, second, publish };
};

test("a task goes to the free node that made its input, though another one is asked first", async () => {
  const { first, second, publish } = await madeOnSecond();
  await changeNode(farm(), first.id, { state: "active" });
  await publish();
  expect((await second.take()).map(({ type }) => type)).toEqual(["assign"]);
  expect(await first.take()).toEqual([]);
});

test("it goes to another node at once where that one is not free, and the explanation tells who is close", async () => {
  const { jobId, first, second, publish } = await madeOnSecond();
  await changeNode(farm(), second.id, { state: "paused" });
  await publish();
  const task = stored(farm())
    .tasks(jobId)
    .find(({ element_uid }) => element_uid === "again");
  expect(task && explain(farm(), task, "all").nodes.map(({ name, near }) => [name, near])).toEqual([
    ["first", undefined],
    ["second", "1 of 1 input made or fetched here, or covered by a root: it goes before other free nodes"],
  ]);
  await changeNode(farm(), first.id, { state: "active" });
  expect((await first.take()).map(({ type }) => type)).toEqual(["assign"]);
});
