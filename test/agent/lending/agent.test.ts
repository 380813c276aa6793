import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { afterEach, expect, test } from "vitest";
import type { Senses } from "../../../agent/lending/senses.ts";
import type { Sensed } from "../../../agent/lending/situation.ts";
import { gentleRules, type LendingReport } from "../../../shared/lending/lending.ts";
import { aFarm, anAssignment, type Farm, fenceOf } from "../../helpers/agent/agent-fixture.ts";
import { until } from "../../helpers/processes/farm-processes.ts";

let farm: Farm;
afterEach(() => farm.end());

/** A real agent with real children; only what it senses of its owner is the test's. */
const begin = async (rules: Partial<typeof gentleRules> = {}) => {
  farm = await aFarm();
  let sensed: Sensed = { idleMs: 3_600_000 };
  const reports: LendingReport[] = [];
  const senses: Senses = {
    read: () => ({ sensed }),
    tell: (told) => {
      sensed = { ...sensed, ...told };
    },
  };
  const config = { ...farm.config, lending: { ...gentleRules, noticeSec: 0, ...rules } };
  const agent = await farm.start({ config, lending: { senses, onReport: (report) => reports.push(report) } });
  await farm.coordinator.receive("hello");
  const pidFile = farm.path("pid");
  const hang = async (counter = 1): Promise<number> => {
    farm.coordinator.assign(anAssignment({ root: farm.root, counter, argv: ["hang", pidFile] }));
    await until("the child", () => existsSync(pidFile));
    return Number(await readFile(pidFile, "utf8"));
  };
  return { agent, reports, hang };
};

const stateOf = async (pid: number): Promise<string | undefined> => {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => undefined);
  return stat?.slice(stat.lastIndexOf(")") + 2)[0];
};
const isLinux = process.platform === "linux";

test.skipIf(!isLinux)(
  `the owner's return stops the child, and their leaving lets it go on${isLinux ? "" : " (SKIPPED: reads /proc)"}`,
  async () => {
    const { agent, reports, hang } = await begin();
    const pid = await hang();
    agent.lending.tell({ idleMs: 0 });
    await until("the stop", async () => (await stateOf(pid)) === "T");
    expect(reports.at(-1)).toMatchObject({
      standing: { state: "inUse", takes: false, isSuspended: true },
      running: [{ taskId: 1, name: "a task" }],
    });
    agent.lending.tell({ idleMs: 3_600_000 });
    agent.lending.set({ rules: { ...gentleRules, noticeSec: 0 }, press: undefined });
    await until("the child going on", async () => (await stateOf(pid)) !== "T");
    expect(reports.at(-1)).toMatchObject({ standing: { state: "lending", isSuspended: false } });
  },
);

test("who gives back at once ends the child, sweeps its files and tells the coordinator; later work goes straight back", async () => {
  const { agent, reports, hang } = await begin({ onReturn: "requeue" });
  const pid = await hang();
  agent.lending.tell({ idleMs: 0 });
  const why = "In use. Lending starts after 5 min without mouse or key";
  expect(await farm.coordinator.receive("returned")).toEqual({ type: "returned", fence: fenceOf(1), why });
  expect([await stateOf(pid), await farm.list()]).toEqual([undefined, []]);
  expect(reports.at(-1)?.ended).toMatchObject([{ name: "a task", how: "givenBack" }]);

  farm.coordinator.assign(anAssignment({ root: farm.root, counter: 2 }));
  expect(await farm.coordinator.receive("returned", 1)).toEqual({ type: "returned", fence: fenceOf(2), why });
});

test("who lets tasks finish gets their files, and nothing new", async () => {
  const { agent } = await begin({ onReturn: "finish" });
  farm.coordinator.assign(anAssignment({ root: farm.root, argv: ["slow", "made"] }));
  await farm.coordinator.receive("started");
  agent.lending.tell({ idleMs: 0 });
  expect((await farm.coordinator.reportOf(fenceOf(1))).outcome).toMatchObject({ outcome: "published" });
  expect(await farm.list()).toEqual(["result.mp4"]);
});

test("the coordinator hears of each change at once, and of all with every hello", async () => {
  const { agent } = await begin();
  expect((await farm.coordinator.receive("hello")).standing).toMatchObject({ state: "lending", takes: true });
  agent.lending.tell({ idleMs: 0 });
  await until("the heartbeat", () =>
    farm.coordinator.received.some((message) => message.type === "heartbeat" && message.standing?.state === "inUse"),
  );
});

test("an agent that ends while its work stands still leaves no child behind", async () => {
  const { agent, hang } = await begin();
  const pid = await hang();
  agent.lending.tell({ idleMs: 0 });
  await until("the stop", async () => !isLinux || (await stateOf(pid)) === "T");
  await agent.stop();
  expect(await stateOf(pid)).toBeUndefined();
});
