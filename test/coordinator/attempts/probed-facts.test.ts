import { expect, test } from "vitest";
import { noteBreach } from "../../../coordinator/nodes/health/breaches.ts";
import { mostBreaches } from "../../../coordinator/nodes/health/health-rules.ts";
import type { Assignment, Report } from "../../../shared/protocol/messages.ts";
import { aReport, aSmallJob, someFacts } from "../../helpers/farm/farm.ts";
import { useFarm } from "../../helpers/farm/farm-story.ts";
import { stored } from "../../helpers/farm/stored.ts";

/** What a node finds unchanged, and what others say of the same file before it has said so. */
const { world, farm, submit, report } = useFarm();

const seen = { uri: "file:///media/in.mov", size: 1000, modified: 5 };

const foundUnchanged = (probe: Assignment): Report => {
  const found = { probe_0: { unchanged: true, tool: "probe-1", file: seen } };
  return aReport(probe, { outcome: { outcome: "published", published: { outputs: {}, found } } });
};

/** A job whose probe is told of stored facts, and what `bad` looks at too. */
const twoProbes = async () => {
  const [bad, good] = [await world().node({ tags: ["bad"] }), await world().node({ tags: ["good"] })];
  await submit(aSmallJob({ task_tags: ["bad"] }));
  await report(bad, aReport(await bad.assigned()));
  await submit(aSmallJob({ task_tags: ["bad"] }));
  const lie = await bad.assigned();
  const job = await submit(aSmallJob({ task_tags: ["good"] }));
  return { ...{ bad, good, lie, job }, probe: await good.assigned() };
};
const knownOf = ({ work: { steps } }: Assignment) => (steps[0]?.do === "probe" ? steps[0].known : undefined);
const factsOf = (job: number) => stored(farm()).tasks(job).at(-1)?.published?.found.probe_0?.file;

test.each([
  ["of another size", { size: 1001 }, "probe-1"],
  ["of another time", { modified: 6 }, "probe-1"],
  ["as another tool sees it", {}, "probe-2"],
])("a file that another node meanwhile told to be %s is looked at anew", async (_what, changes, tool) => {
  const { bad, good, lie, job, probe } = await twoProbes();
  const file = { ...seen, ...changes, facts: { ...someFacts, duration: { num: 1, den: 1 } } };
  const found = { probe_0: { unchanged: false, tool, file } };
  await report(bad, aReport(lie, { outcome: { outcome: "published", published: { outputs: {}, found } } }));
  await report(good, foundUnchanged(probe));
  expect(world().job(job)).toMatchObject({ status: "active" });
  const again = await good.assigned();
  expect(knownOf(again)).toEqual({ size: seen.size, modified: seen.modified, ...changes, tool });
  await report(good, aReport(again));
  expect(world().job(job)).toMatchObject({ status: "completed" });
  expect(factsOf(job)).toEqual({ ...seen, facts: someFacts });
});

test("a file whose facts are of a node that was meanwhile found out is looked at anew", async () => {
  const { bad, good, job, probe } = await twoProbes();
  for (let nr = 0; nr < mostBreaches; nr += 1) await noteBreach(farm(), bad.id, "lied");
  await report(good, foundUnchanged(probe));
  expect(world().job(job)).toMatchObject({ status: "active" });
  const again = await good.assigned();
  expect(knownOf(again)).toBeUndefined();
  await report(good, aReport(again));
  expect(world().job(job)).toMatchObject({ status: "completed" });
});

test("a file that nobody spoke of meanwhile has the facts that are stored", async () => {
  const { good, job, probe } = await twoProbes();
  await report(good, foundUnchanged(probe));
  expect(world().job(job)).toMatchObject({ status: "completed" });
  expect(factsOf(job)).toEqual({ ...seen, facts: someFacts });
});
