import { expect } from "vitest";
import { takeReport } from "../../../coordinator/attempts/report.ts";
import { takeMessage } from "../../../coordinator/connections/messages.ts";
import type { Assignment, Report } from "../../../shared/protocol/messages.ts";
import { aFailure, aJob, aReport, aSmallJob, openTestFarm, type TestFarm } from "./farm.ts";
import { runDuties } from "./run-duties.ts";
import { submitJob } from "./submit-job.ts";
import { aWorldPerTest } from "./worlds.ts";

export type FakeNode = Awaited<ReturnType<TestFarm["node"]>>;

/** A farm for each test of a file, and the steps that its stories are told in. */
export const useFarm = () => {
  const story = aWorldPerTest({
    open: async (folder) => ({ folder, world: await openTestFarm(folder) }),
    close: async ({ world }) => {
      await world.close();
      expect(world.clock.waiting()).toBe(0);
    },
  });
  const world = () => story().world;
  const farm = () => world().farm;
  const submit = (job: Record<string, unknown> = aJob()) => submitJob(farm(), job);
  const report = (node: FakeNode, what: Report) => takeReport(farm(), node.id, what);
  const advance = async (ms: number) => {
    await world().clock.advance(ms);
    await runDuties(farm());
  };

  return {
    world,
    folder: () => story().folder,
    farm,
    submit,
    report,
    advance,
    /** Time that passes while the node is heard every second. */
    pass: async (node: FakeNode, seconds: number) => {
      for (let second = 0; second < seconds; second += 1) {
        await advance(1_000);
        await takeMessage(farm(), node.id, { type: "heartbeat" });
      }
    },
    /** Takes a job up to its copy task, assigned. */
    toCopy: async (node: FakeNode): Promise<{ jobId: number; copy: Assignment }> => {
      const jobId = await submit();
      await report(node, aReport(await node.assigned()));
      return { jobId, copy: await node.assigned() };
    },
    /** Of two new nodes one fails four tasks while the other does well: more than a farm trusts. */
    distrust: async (): Promise<readonly [bad: FakeNode, good: FakeNode]> => {
      const [bad, good] = [await world().node({ tags: ["bad"] }), await world().node({ tags: ["good"] })];
      for (let nr = 0; nr < 4; nr += 1) {
        await submit(aSmallJob({ task_tags: ["bad"] }));
        await report(bad, aFailure(await bad.assigned(), "resources"));
        await submit(aSmallJob({ task_tags: ["good"] }));
        await report(good, aReport(await good.assigned()));
      }
      return [bad, good];
    },
    /** The coordinator ends and starts again on the same folder, to which something may happen meanwhile. */
    restart: async (meanwhile?: () => unknown) => {
      const here = story();
      await here.world.close();
      await meanwhile?.();
      here.world = await openTestFarm(here.folder, { clock: here.world.clock });
    },
  };
};

/** A small job whose task is retried. */
export const withRetry = (count: number, delay_sec = 60) => aSmallJob({ task_retry: { count, delay_sec } });
