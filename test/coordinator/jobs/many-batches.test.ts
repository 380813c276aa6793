import { expect, test } from "vitest";
import { loseAttempt } from "../../../coordinator/attempts/lost-attempts.ts";
import { takeReport } from "../../../coordinator/attempts/report.ts";
import { instanceLimits } from "../../../media/instances/graph-state.ts";
import { turns } from "../../helpers/clock.ts";
import { aListing, aReport, openTestFarm, type TestFarm } from "../../helpers/farm/farm.ts";
import type { FakeNode } from "../../helpers/farm/farm-story.ts";
import { aLargeJob } from "../../helpers/farm/large-job.ts";
import { stored } from "../../helpers/farm/stored.ts";
import { submitJob } from "../../helpers/farm/submit-job.ts";
import { aWorldPerTest } from "../../helpers/farm/worlds.ts";
import { isLong, seed, times } from "../../helpers/long.ts";
import { randomFrom } from "../../helpers/random/random.ts";

/** Comparing all of such a job with the store after every batch would take hours: the end alone is compared. */
const open = (folder: string) => openTestFarm(folder, { isAudited: false });
const story = aWorldPerTest({
  open: async (folder) => ({ folder, world: await open(folder) }),
  close: ({ world }) => world.close(),
});

const batches = times(1200, 1200, 5000);

/** What the job holds in memory at most, and begins. */
const watch = () => {
  const most = { runs: 0, tasks: 0, begun: 0 };
  let progress = 0;
  return {
    most,
    look: (world: TestFarm, id: number): void => {
      const value = world.farm.values.peekJob(id);
      most.runs = Math.max(most.runs, value?.runs.size ?? 0);
      most.tasks = Math.max(most.tasks, value?.tasks.size ?? 0);
      most.begun = Math.max(most.begun, value?.graph.begun ?? 0);
      const shown = world.job(id)?.progress ?? 0;
      expect(shown).toBeGreaterThanOrEqual(progress);
      progress = shown;
    },
  };
};

/** All nodes do what they were given. */
const reportAll = async ({ farm }: TestFarm, nodes: readonly FakeNode[]): Promise<void> => {
  await turns();
  const reports = nodes.flatMap(({ id, heard }) =>
    heard.splice(0).flatMap((each) => (each.type === "assign" ? [{ id, report: aReport(each.assignment) }] : [])),
  );
  await Promise.all(reports.map(({ id, report }) => takeReport(farm, id, report)));
};

const title = `a job of ${batches} batches begins, runs and ends in bounded memory, and ends the same where the farm ends`;
test(title, { timeout: isLong ? 3_600_000 : 60_000 }, async () => {
  const here = story();
  const random = randomFrom(seed);
  const id = await submitJob(here.world.farm, aLargeJob);
  const files = Array.from({ length: batches }, (_, nr) => `file:///media/${String(nr).padStart(6, "0")}.mov`);
  const first = await here.world.node();
  await takeReport(here.world.farm, first.id, aListing(await first.assigned(), files));
  // Each has room for two small tasks at a time.
  let nodes = [first];
  for (let nr = 1; nr < 40; nr += 1) nodes.push(await here.world.node({ name: `n${nr}` }));
  const { most, look } = watch();
  while (!(await isOver(here.world, id))) {
    await reportAll(here.world, nodes);
    look(here.world, id);
    if (!random.chance(0.04)) continue;
    await here.world.close();
    here.world = await openTestFarm(here.folder, { isAudited: false, clock: here.world.clock });
    nodes = nodes.map(({ id }) => here.world.connect(id));
    const held = nodes.flatMap((node) => here.world.farm.registry.runningOn(node.id));
    for (const { fence } of held) await giveBack(here.world, fence);
  }
  expect(here.world.job(id), `MEDIAFARM_SEED=${seed}`).toMatchObject({ status: "completed", progress: 100 });
  expect(stored(here.world.farm).instances(id)).toHaveLength(2 * batches);
  expect(most.begun).toBeLessThanOrEqual(instanceLimits.open);
  // What is begun, what became durable just now, and the enumeration itself.
  expect([most.runs < 3 * instanceLimits.open, most.tasks < 3 * instanceLimits.open]).toEqual([true, true]);
  if (isLong) console.log(most);
});

const isOver = async (world: TestFarm, id: number): Promise<boolean> => {
  await turns(20);
  return world.job(id)?.status === "completed" || world.job(id)?.status === "failed";
};

const giveBack = async ({ farm }: TestFarm, fence: { readonly counter: number }): Promise<void> => {
  await farm.change([], (draft) => {
    const attempt = draft.attempt(fence.counter);
    if (attempt) loseAttempt(farm, draft, attempt, "the test took it away", { isCounted: false });
  });
  farm.wake();
};
