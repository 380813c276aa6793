import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { AppError } from "../../../shared/basics/errors.ts";
import { fakeFfmpeg, fakeFfprobe, media } from "../../helpers/agent/agent-fixture.ts";
import { aChain, aCopyTo, aFileSource } from "../../helpers/farm/job-builders.ts";
import { type FarmProcesses, startFarm, until } from "../../helpers/processes/farm-processes.ts";
import { canMount, fillDisk } from "../../helpers/processes/small-disk.ts";

/** Nobody is there for a while who could do anything. */
const timing = { capabilityWaitMs: 60_000 };

const anAgent = (farm: FarmProcesses, dataDir = farm.dataOf("one")) =>
  farm.startMortalAgent({ name: "one", dataDir, ffmpegPath: fakeFfmpeg, ffprobePath: fakeFfprobe });

const aCopyJob = (farm: FarmProcesses, name: string, kilobytes = 1) => {
  const path = join(farm.media, `${name}.mp4`);
  writeFileSync(path, media("x".repeat(kilobytes * 1024)));
  const retry = { task_retry: { count: 5, delay_sec: 1 } };
  return aChain([aFileSource(path), aCopyTo(join(farm.folder, "out"), { existing_files: "replace" })], retry);
};

const refusalOf = async (call: Promise<unknown>): Promise<AppError> => {
  const problem = await call.then(() => undefined).catch((thrown) => thrown);
  if (problem instanceof AppError) return problem;
  throw new Error(`It was not refused, but ${String(problem)}`);
};

const title = "a full disk (skipped where no small disk can be mounted: that takes root)";

describe.skipIf(!canMount())(title, { concurrent: true }, () => {
  test("of the coordinator loses nothing that was acknowledged, says so, and is forgotten once there is room", async () => {
    await using farm = await startFarm({ isMortal: true, diskMegabytes: 8, timing });
    const early = await farm.submit(aCopyJob(farm, "early"));
    const makeRoom = fillDisk(join(farm.folder, "farm"));
    const refusal = await refusalOf(
      (async () => {
        for (let n = 0; n < 500; n++) await farm.submit(aCopyJob(farm, "late"));
      })(),
    );
    expect(refusal).toMatchObject({ code: "UNAVAILABLE" });
    expect(refusal.message).toContain("The coordinator's disk is full: nothing can be stored");
    expect(await farm.client.health({})).toEqual({ status: "ok" });
    expect((await farm.client.getDefinition({ job_id: early })).name).toBe("a test's job");
    const agent = anAgent(farm);
    makeRoom();
    await agent;
    expect(await farm.untilEnded(early)).toMatchObject({ status: "completed", error: null });
    const open = [{ field: "status" as const, values: ["queued", "active"] }];
    await until(
      "all that was accepted to end",
      async () => (await farm.client.countJobs({ filters: open })).count === 0,
    );
    expect(await farm.client.countJobs({ filters: [{ field: "status", values: ["failed"] }] })).toEqual({ count: 0 });
  });

  test("of the coordinator while an agent works keeps the agent's report until there is room", async () => {
    await using farm = await startFarm({ isMortal: true, diskMegabytes: 8, timing });
    await anAgent(farm);
    const ids = await Promise.all(Array.from({ length: 20 }, (_, n) => farm.submit(aCopyJob(farm, `early-${n}`))));
    const makeRoom = fillDisk(join(farm.folder, "farm"));
    await refusalOf(
      (async () => {
        for (let n = 0; n < 500; n++) await farm.submit(aCopyJob(farm, "late"));
      })(),
    );
    makeRoom();
    for (const id of ids) expect(await farm.untilEnded(id)).toMatchObject({ status: "completed" });
  });

  test("where outputs go fails the attempt with its cause, leaves nothing half-made, and a retry goes well", async () => {
    await using farm = await startFarm({ isMortal: true });
    farm.smallDisk(join(farm.folder, "out"), 4);
    const makeRoom = fillDisk(join(farm.folder, "out"));
    await anAgent(farm);
    const id = await farm.submit(aCopyJob(farm, "big", 1024));
    const copy = async () => {
      const fields = ["id", "kind"] as ("id" | "kind")[];
      return (await farm.client.listTasks({ job_id: id, fields })).items.find(({ kind }) => kind === "copy");
    };
    const logs = async () => {
      const task = await copy();
      return task?.id ? (await farm.client.getTaskLog({ task_id: task.id })).items : [];
    };
    await until("an attempt to fail", async () => (await logs()).some(({ state }) => state === "failed"));
    expect(readdirSync(join(farm.folder, "out")).filter((name) => !name.startsWith("ballast"))).toEqual([]);
    makeRoom();
    expect(await farm.untilEnded(id)).toMatchObject({ status: "completed" });
    expect(readdirSync(join(farm.folder, "out"))).toEqual(["big.mp4"]);
  });

  test("of an agent's own data fails or delays its attempts, and loses none", async () => {
    await using farm = await startFarm({ isMortal: true });
    const dataDir = farm.smallDisk(farm.dataOf("one"), 4);
    await anAgent(farm, dataDir);
    const makeRoom = fillDisk(dataDir);
    const id = await farm.submit(aCopyJob(farm, "one"));
    await until("an attempt to be made", async () => {
      const { items } = await farm.client.listTasks({ job_id: id, fields: ["id"] });
      const logs = await Promise.all(items.map(({ id: task }) => farm.client.getTaskLog({ task_id: String(task) })));
      return logs.some(({ items: attempts }) => attempts.some(({ state }) => state === "failed"));
    });
    makeRoom();
    expect(await farm.untilEnded(id)).toMatchObject({ status: "completed" });
    // The agent forgets an attempt once it has heard that its report is stored, a moment after the job's end.
    await until("no attempt to be left", async () => readdirSync(join(dataDir, "attempts")).length === 0);
    mkdirSync(join(farm.folder, "out"), { recursive: true });
    expect(readdirSync(join(farm.folder, "out"))).toEqual(["one.mp4"]);
  });
});
