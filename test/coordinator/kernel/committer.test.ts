import { describe, expect, test } from "vitest";
import { takeReport } from "../../../coordinator/attempts/report.ts";
import { pauseJob } from "../../../coordinator/jobs/pause.ts";
import { stopJob } from "../../../coordinator/jobs/stop.ts";
import { updateJob } from "../../../coordinator/jobs/update.ts";
import type { Batch, RefusalKind } from "../../../coordinator/store/batch.ts";
import { StoreRefusal } from "../../../coordinator/store/batch.ts";
import type { Store } from "../../../coordinator/store/store.ts";
import type { Assignment } from "../../../shared/protocol/messages.ts";
import { turns } from "../../helpers/clock.ts";
import { aReport, aSmallJob, aSource, openTestFarm } from "../../helpers/farm/farm.ts";
import { stored } from "../../helpers/farm/stored.ts";
import { submitJob } from "../../helpers/farm/submit-job.ts";
import { aWorldPerTest } from "../../helpers/farm/worlds.ts";

/** What becomes of the next batches: undefined lets one through. */
type Fate = (batch: Batch, write: () => Promise<void>) => Promise<void>;

/** A farm whose store does to batches what a test says. After every batch memory is compared with the store. */
const world = aWorldPerTest({
  open: async (folder) => {
    const fates: Fate[] = [];
    const wrap = (store: Store): Store => ({
      ...store,
      write: (batch) => {
        const fate = fates.shift();
        return fate ? fate(batch, () => store.write(batch)) : store.write(batch);
      },
    });
    return { ...(await openTestFarm(folder, { wrap })), fates };
  },
  close: ({ close }) => close(),
});

const refused =
  (kind: RefusalKind): Fate =>
  async () => {
    throw new StoreRefusal(kind, `refused: ${kind}`);
  };
/** The answer to a batch that was written gets lost on its way. */
const unheard: Fate = async (_batch, write) => {
  await write();
  throw new StoreRefusal("unknown", "no answer");
};
/** The batch is written, and its answer comes when the test says so. */
const late = () => {
  let answer: () => void = () => undefined;
  const heard = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const fate: Fate = async (_batch, write) => {
    await write();
    await heard;
  };
  return { fate, answer };
};

const submit = (more: Record<string, unknown> = {}) => submitJob(world().farm, aSmallJob(more));
const running = async () => {
  const node = await world().node();
  const jobId = await submit();
  const probe = await node.assigned();
  return { node, jobId, probe };
};

type Node = Awaited<ReturnType<ReturnType<typeof world>["node"]>>;
const assignments = async (node: Node): Promise<Assignment[]> =>
  (await node.take()).flatMap((message) => (message.type === "assign" ? [message.assignment] : []));
/** Of which jobs the node was given tasks since the last look. */
const jobsOf = async (node: Node): Promise<(number | undefined)[]> =>
  (await assignments(node)).map(({ taskId }) => stored(world().farm).task(taskId)?.job_id);

describe("a batch", () => {
  test("that is refused for its content fails nobody who is not the reason", async () => {
    const { farm, fates } = world();
    const { node, jobId, probe } = await running();
    stored(farm).exec(
      "CREATE TRIGGER broken BEFORE UPDATE OF name ON jobs WHEN NEW.name = 'bad' BEGIN SELECT RAISE(ABORT, 'no'); END",
    );
    expect(fates).toEqual([]);
    const outcomes = await Promise.allSettled([
      updateJob(farm, jobId, { priority: 7 }),
      updateJob(farm, jobId, { name: "bad" }),
      takeReport(farm, node.id, aReport(probe)),
      takeReport(farm, node.id, aReport(probe)),
      submit(),
    ]);
    expect(outcomes.map((each) => (each.status === "fulfilled" ? each.value : each.reason.message))).toEqual([
      expect.objectContaining({ priority: 100 }), // what it was
      ...["no", "ok", "ok", 2],
    ]);
    expect(stored(farm).job(jobId)).toMatchObject({ name: "a job", priority: 7, status: "completed" });
    expect(farm.registry.runningOn(node.id).map(({ jobId }) => jobId)).toEqual([]);
  });

  test("that the disk refuses fails all, gives back what it took, and is asked for again", async () => {
    const { farm, fates } = world();
    const { node, jobId, probe } = await running();
    const waiting = await submit();
    await node.take();
    fates.push(refused("disk"));
    const outcomes = await Promise.allSettled([
      takeReport(farm, node.id, aReport(probe)),
      stopJob(farm, waiting),
      updateJob(farm, jobId, { name: "new" }),
    ]);
    expect(outcomes.map((each) => each.status === "rejected" && each.reason.code)).toEqual([
      ...["UNAVAILABLE", "UNAVAILABLE", "UNAVAILABLE"],
    ]);
    expect(farm.registry.isHeld(node.id, probe.fence)).toBe(true);
    expect([world().job(jobId)?.status, world().job(waiting)?.substatus]).toEqual(["active", "running"]);
    expect(await takeReport(farm, node.id, aReport(probe))).toBe("ok");
    expect(world().job(jobId)?.status).toBe("completed");
  });

  test("that is refused costs no job its turn", async () => {
    const { farm, fates } = world();
    const node = await world().node(); // it has two light slots
    const payload = { elements: ["a", "b", "c", "d"].map((uid) => aSource({ uid })) };
    const [first, second] = [await submit({ payload }), await submit({ payload })];
    const [a, b] = await assignments(node);
    if (!a || !b) throw new Error("the first job begins with two tasks");
    await updateJob(farm, second, { priority: 200 });
    await takeReport(farm, node.id, aReport(a));
    expect(await jobsOf(node)).toEqual([second]);
    await updateJob(farm, second, { priority: 100 });
    fates.push(refused("disk"));
    await expect(takeReport(farm, node.id, aReport(b))).rejects.toMatchObject({ code: "UNAVAILABLE" });
    await takeReport(farm, node.id, aReport(b));
    expect(await jobsOf(node)).toEqual([first]);
  });

  test("that takes back a job's end leaves it the turns that it had", async () => {
    const { farm, fates } = world();
    const node = await world().node();
    const payload = { elements: ["a", "b", "c", "d"].map((uid) => aSource({ uid })) };
    const jobs = [await submit({ payload }), await submit({ payload })];
    const [a, b] = await assignments(node);
    if (!a || !b) throw new Error("the first job begins with two tasks");
    fates.push(refused("disk"));
    await expect(stopJob(farm, jobs[0] as number)).rejects.toMatchObject({ code: "UNAVAILABLE" });
    await takeReport(farm, node.id, aReport(a));
    expect(await jobsOf(node)).toEqual([jobs[0]]);
  });

  test("of which nobody knows whether it was written is found out about, and answered once", async () => {
    const { farm, fates } = world();
    const { node, jobId, probe } = await running();
    fates.push(unheard);
    expect(await takeReport(farm, node.id, aReport(probe))).toBe("ok");
    expect(await takeReport(farm, node.id, aReport(probe))).toBe("ok");
    expect(world().job(jobId)?.status).toBe("completed");
    fates.push(refused("unknown"));
    await expect(submit()).rejects.toMatchObject({ code: "UNAVAILABLE" });
    expect(stored(farm).jobIds()).toEqual([jobId]);
    expect(await submit()).toBe(jobId + 1);
  });

  test("that is answered late keeps back all that was decided on it, also a repeat and a refusal", async () => {
    const { farm, fates } = world();
    const { node, jobId, probe } = await running();
    const { fate, answer } = late();
    fates.push(fate);
    const told: string[] = [];
    const first = takeReport(farm, node.id, aReport(probe)).then(() => told.push("first"));
    await turns();
    const followers = [
      takeReport(farm, node.id, aReport(probe)).then(() => told.push("repeat")),
      pauseJob(farm, 99).catch(() => told.push("refusal")),
    ];
    await turns();
    expect([told, farm.values.peekJob(jobId)?.row?.status]).toEqual([[], "completed"]);
    answer();
    await Promise.all([first, ...followers]);
    expect(told).toEqual(["first", "repeat", "refusal"]);
  });

  test("that takes long keeps back decisions once so many bytes are not durable, and none is lost", async () => {
    const { farm, fates } = world();
    const { fate, answer } = late();
    fates.push(fate);
    const comment = "x".repeat(20_000); // larger jobs are read in threads, one after the other
    const submitted = Array.from({ length: 1100 }, () => submit({ comment }));
    await turns();
    for (let more = 0; more < 50; more += 1) await turns();
    const decided = [...farm.values.allJobs()].length;
    expect(decided).toBeGreaterThan(500);
    expect(decided).toBeLessThan(1100);
    answer();
    expect(new Set(await Promise.all(submitted)).size).toBe(1100);
  });

  test("that is refused late takes back what was built on it, and makes it again", async () => {
    const { farm, fates } = world();
    const { node, jobId, probe } = await running();
    let refuse: () => void = () => undefined;
    fates.push(
      () =>
        new Promise((_resolve, reject) => {
          refuse = () => reject(new StoreRefusal("content", "no", { cause: new Error("no") }));
        }),
    );
    const report = takeReport(farm, node.id, aReport(probe));
    await turns();
    const follower = submit();
    await turns();
    refuse();
    expect(await report).toBe("ok");
    expect(await follower).toBe(jobId + 1);
    expect(world().job(jobId)?.status).toBe("completed");
  });

  test("that another coordinator has overtaken ends this one: nothing is answered any more", async () => {
    const { farm } = world();
    const jobId = await submit();
    await farm.store.lead(farm.epoch + 1);
    await expect(updateJob(farm, jobId, { name: "late" })).rejects.toMatchObject({ code: "UNAVAILABLE" });
    await expect(submit()).rejects.toMatchObject({ code: "UNAVAILABLE" });
    expect(stored(farm).job(jobId)?.name).toBe("a job");
  });
});

test("decisions are made in the order of asking, and all of a turn are one batch", async () => {
  const { farm } = world();
  const jobId = await submit();
  await farm.settle();
  const before = farm.commits();
  const seen: string[] = [];
  await Promise.all(
    ["a", "b", "c"].map((name) =>
      farm.change([jobId], (draft) => {
        seen.push(`${draft.job(jobId).row?.name} -> ${name}`);
        draft.setJob(jobId, { name });
      }),
    ),
  );
  expect(seen).toEqual(["a job -> a", "a -> b", "b -> c"]);
  expect([stored(farm).job(jobId)?.name, farm.commits()]).toEqual(["c", before + 1]);
});

test("a decision that throws leaves nothing behind", async () => {
  const { farm } = world();
  const jobId = await submit();
  const broken = farm.change([jobId], (draft) => {
    draft.setJob(jobId, { name: "half" });
    draft.removeJob(jobId);
    throw new Error("no");
  });
  await expect(broken).rejects.toThrow("no");
  expect(farm.values.peekJob(jobId)?.row?.name).toBe("a job");
});
