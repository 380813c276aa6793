import { expect, test } from "vitest";
import {
  endPatienceMs,
  firstPauseMs,
  longestPauseMs,
  superviseService,
  wellAfterMs,
} from "../../../electron/services/service.ts";
import { createTestClock, turns } from "../../helpers/clock.ts";
import { createFakeDesktop } from "../fake-desktop.ts";

const start = () => {
  const fake = createFakeDesktop();
  const clock = createTestClock();
  const states: string[] = [];
  const service = superviseService({
    name: "agent",
    desktop: fake.desktop,
    clock,
    onTold: () => {},
    onChange: () => states.push(service.state()),
  });
  service.start({ type: "start" });
  return { fake, clock, states, service, agent: () => fake.service("agent"), count: () => fake.countOf("agent") };
};

test("a service that dies is started again after a pause that doubles up to a minute", async () => {
  const { clock, agent, count } = start();
  const pauses: number[] = [];
  for (let pause = firstPauseMs; pauses.length < 8; pause = Math.min(2 * pause, longestPauseMs)) {
    const before = count();
    agent().exit(1);
    await clock.advance(pause - 1);
    expect(count()).toBe(before);
    await clock.advance(1);
    expect(count()).toBe(before + 1);
    pauses.push(pause);
  }
  expect(pauses).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000]);
});

test("a service that was well for a minute begins with the first pause again", async () => {
  const { clock, agent, count } = start();
  agent().exit(1);
  await clock.advance(firstPauseMs);
  agent().tell({ type: "connected", nodeId: 1 });
  await clock.advance(wellAfterMs);
  agent().exit(1);
  await clock.advance(firstPauseMs);
  expect(count()).toBe(3);
});

test("it gets its first message at every start, and its words of failure are kept until it runs", async () => {
  const { clock, agent, service } = start();
  agent().tell({ type: "failed", words: "The disk is full" });
  agent().exit(1);
  expect([service.state(), service.problem()]).toEqual(["waiting", "The disk is full"]);
  await clock.advance(firstPauseMs);
  expect(agent().said).toEqual([{ type: "start" }]);
  agent().tell({ type: "connected", nodeId: 1 });
  expect([service.state(), service.problem()]).toEqual(["running", undefined]);
});

test("one that dies while it runs is said to have ended unexpectedly", () => {
  const { agent, service } = start();
  agent().tell({ type: "connected", nodeId: 1 });
  agent().exit(137);
  expect(service.problem()).toBe("The agent ended unexpectedly (status 137)");
});

test("stopping asks, and what does not end is killed", async () => {
  const { fake, clock, agent, service } = start();
  fake.state.isStubborn = true;
  const stopped = service.stop();
  await clock.advance(endPatienceMs - 1);
  expect([agent().said.at(-1), agent().isKilled()]).toEqual([{ type: "stop" }, false]);
  await clock.advance(1);
  await stopped;
  expect([agent().isKilled(), service.state(), clock.waiting()]).toEqual([true, "stopped", 0]);
});

test("a service that is started while it ends begins once it is gone, and alone", async () => {
  const { fake, clock, agent, count, service } = start();
  fake.state.isStubborn = true;
  const leaving = agent();
  const stopped = service.stop();
  service.start({ type: "start" });
  expect(count()).toBe(1);
  leaving.exit(0);
  await stopped;
  await clock.advance(longestPauseMs);
  expect([count(), service.state(), agent().said]).toEqual([2, "starting", [{ type: "start" }]]);
});

test("a service that is stopped while it waits for its restart stays stopped", async () => {
  const { clock, agent, count, service } = start();
  agent().exit(1);
  await service.stop();
  await clock.advance(longestPauseMs);
  expect([count(), service.state()]).toEqual([1, "stopped"]);
});

test("what a service says in no known words changes nothing", async () => {
  const { agent, service } = start();
  agent().tell({ type: "shouts" } as never); // as a service of another version might
  await turns();
  expect(service.state()).toBe("starting");
});
