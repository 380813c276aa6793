import { existsSync } from "node:fs";
import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { backOff } from "../../../agent/session/session.ts";
import type { Hello } from "../../../shared/protocol/messages.ts";
import { aFarm, anAssignment, type Farm, fenceOf } from "../../helpers/agent/agent-fixture.ts";

let farm: Farm;
afterEach(() => farm.end());

const started = async (options: Parameters<typeof aFarm>[0] = {}): Promise<Farm> => {
  farm = await aFarm(options);
  await farm.start();
  await farm.coordinator.receive("hello");
  return farm;
};

const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5));
};

test("a node joins with the token, keeps its key with mode 0600 and comes back with it", async () => {
  farm = await aFarm();
  const agent = await farm.start();
  const first = await farm.coordinator.receive("hello");
  expect(first.credentials).toEqual({ joinToken: farm.coordinator.token });
  const path = join(farm.dataDir, "identity.json");
  await until(() => existsSync(path));
  await agent.stop();
  await farm.start({ config: { ...farm.config, joinToken: undefined } });
  const second = await farm.coordinator.receive("hello", 1);
  expect(second.credentials).toEqual({ nodeId: 7, nodeKey: "key-of-7" });
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});

test.each([true, false])("a node that is not known any more joins anew (retry: %s)", async (retry) => {
  const refuse = (hello: Hello) =>
    "nodeId" in hello.credentials
      ? ({ type: "refused", message: "No such node", retry } as const)
      : farm.coordinator.welcome(hello);
  farm = await aFarm({ answer: (hello) => refuse(hello) });
  const first = await farm.start();
  await until(() => existsSync(join(farm.dataDir, "identity.json")));
  await first.stop();
  await farm.start();
  expect((await farm.coordinator.receive("hello", 1)).credentials).toHaveProperty("nodeId");
  expect((await farm.coordinator.receive("hello", 2)).credentials).toHaveProperty("joinToken");
});

test("a refusal for good ends the agent with the coordinator's words", async () => {
  farm = await aFarm({ answer: () => ({ type: "refused", message: "The join token was revoked", retry: false }) });
  const agent = await farm.start();
  await expect(agent.ended).rejects.toThrow("The coordinator refused this node: The join token was revoked");
});

test("an attempt goes on while the line is cut, and hello names it", async () => {
  await started();
  farm.coordinator.assign(anAssignment({ root: farm.root, argv: ["slow", "made"] }));
  await farm.coordinator.receive("progress");
  farm.coordinator.cut();
  const { attempts } = await farm.coordinator.receive("hello", 1);
  expect(attempts).toMatchObject([{ fence: fenceOf(1), taskId: 1 }]);
  expect((await farm.coordinator.reportOf(fenceOf(1))).outcome.outcome).toBe("published");
});

test("a coordinator that takes its time hears nothing but hello until it has welcomed the node, and misses nothing", async () => {
  let hellos = 0;
  await started({ answer: (hello) => (hellos++ === 0 ? farm.coordinator.welcome(hello) : undefined) });
  const go = join(farm.dataDir, "go");
  farm.coordinator.assign(anAssignment({ root: farm.root, argv: ["until", go] }));
  await farm.coordinator.receive("progress");
  farm.coordinator.cut();
  const hello = await farm.coordinator.receive("hello", 1);
  await writeFile(go, "");
  await until(() => existsSync(join(farm.dataDir, "attempts/1.1/intent.json")));
  expect(farm.coordinator.received.at(-1)).toEqual(hello);
  farm.coordinator.send(farm.coordinator.welcome(hello));
  expect((await farm.coordinator.reportOf(fenceOf(1))).outcome.outcome).toBe("published");
});

test("a report that was not taken is handed in again after the next welcome, in its old place", async () => {
  await started({ takes: false });
  for (const counter of [1, 2, 3]) {
    farm.coordinator.assign(anAssignment({ root: farm.root, counter, output: { name: `${counter}.mp4` } }));
    await farm.coordinator.reportOf(fenceOf(counter));
  }
  farm.coordinator.cut();
  const { attempts } = await farm.coordinator.receive("hello", 1);
  expect(attempts.map(({ state }) => state)).toEqual(["reported", "reported", "reported"]);
  const again = [3, 4, 5].map(async (index) => (await farm.coordinator.receive("report", index)).report.fence.counter);
  expect(await Promise.all(again)).toEqual([1, 2, 3]);
});

test("attempts that the welcome does not keep are dropped with their files", async () => {
  let isFirst = true;
  const answer = (hello: Hello) => {
    const said = farm.coordinator.welcome(hello, isFirst ? undefined : []);
    isFirst = false;
    return said;
  };
  farm = await aFarm({ grants: false, answer: (hello) => answer(hello) });
  await farm.start();
  await farm.coordinator.receive("hello");
  farm.coordinator.assign(anAssignment({ root: farm.root }));
  await farm.coordinator.receive("commit");
  farm.coordinator.cut();
  await farm.coordinator.receive("hello", 1);
  while ((await farm.list()).length > 0) await new Promise(setImmediate);
});

test("a coordinator of an epoch that is over is not obeyed", async () => {
  await started({ epoch: 5, heartbeatMs: 1000 });
  await farm.coordinator.receive("heartbeat");
  farm.coordinator.send({ type: "assign", epoch: 4, assignment: anAssignment({ root: farm.root }) });
  await farm.coordinator.receive("hello", 1);
  expect(farm.coordinator.received.some(({ type }) => type === "started")).toBe(false);
});

test("nonsense from the coordinator closes the socket, and the agent comes back", async () => {
  await started();
  farm.coordinator.sendRaw('{"type":"assign","epoch":1}');
  await farm.coordinator.receive("hello", 1);
  farm.coordinator.sendRaw("no json");
  await farm.coordinator.receive("hello", 2);
});

test("a coordinator that falls silent is left and looked for again", async () => {
  await started({ heartbeatMs: 30 });
  await farm.coordinator.receive("heartbeat");
  farm.coordinator.pauseReading();
  await farm.coordinator.receive("hello", 1);
});

test("a clean stop says goodbye, and verified work is offered again at the next start", async () => {
  farm = await aFarm({ grants: false });
  const agent = await farm.start();
  await farm.coordinator.receive("hello");
  farm.coordinator.assign(anAssignment({ root: farm.root }));
  await farm.coordinator.receive("commit");
  await agent.stop();
  await farm.coordinator.receive("goodbye");
  await farm.start();
  expect((await farm.coordinator.receive("hello", 1)).attempts).toMatchObject([{ state: "verified" }]);
  const { fence } = await farm.coordinator.receive("commit", 1);
  farm.coordinator.send({ type: "granted", epoch: 1, fence });
  expect((await farm.coordinator.reportOf(fence)).outcome.outcome).toBe("published");
  expect(await readFile(farm.path("out/result.mp4"), "utf8")).toContain("made");
});

test("the pause between two tries doubles up to half a minute, less some jitter", async () => {
  farm = await aFarm();
  expect([0, 1, 2, 20].map((failures) => backOff(failures, 0))).toEqual([250, 500, 1000, 10_000]);
  expect(backOff(0, 0.999)).toBeCloseTo(125, 0);
});

test("an agent that is refused for its twin tries again with the same key, and a revoked one ends", async () => {
  const answers = ["twin", "revoked"] as const;
  let times = 0;
  farm = await aFarm({
    answer: () => {
      const reason = answers[times++];
      return { type: "refused", message: "no", retry: reason === "twin", reason };
    },
  });
  await writeFile(
    join(farm.dataDir, "identity.json"),
    JSON.stringify({ farms: { "farm-1": { url: farm.coordinator.url, nodeId: 7, nodeKey: "key" } } }),
  );
  const agent = await farm.start();
  await expect(agent.ended).rejects.toThrow("refused this node");
  const hellos = farm.coordinator.received.filter(({ type }) => type === "hello");
  expect(hellos.map((hello) => "credentials" in hello && hello.credentials)).toEqual([
    { nodeId: 7, nodeKey: "key" },
    { nodeId: 7, nodeKey: "key" },
  ]);
});
