import { describe, expect, onTestFinished, test } from "vitest";
import { openLedger } from "../../../agent/lending/ledger.ts";
import { createLending } from "../../../agent/lending/lending.ts";
import type { Sensed } from "../../../agent/lending/situation.ts";
import { silentLog } from "../../../agent/log.ts";
import { createSuspension } from "../../../agent/process/suspension.ts";
import {
  gentleRules,
  type LendingAction,
  type LendingRules,
  type LocalTask,
  type Standing,
} from "../../../shared/lending/lending.ts";
import { aFolder } from "../../helpers/agent/agent-fixture.ts";
import { createTestClock, turns } from "../../helpers/clock.ts";

const minute = 60_000;
/** Local time, because people's hours are: a Thursday, 14:30. */
const thursday = new Date(2026, 2, 12, 14, 30).getTime();

type Given = {
  readonly rules?: Partial<LendingRules>;
  readonly press?: LendingAction;
  readonly sensed?: Sensed;
  readonly tasks?: number;
  readonly platform?: NodeJS.Platform;
};

/** A workstation on a made clock: its senses are what the test says, its tasks are numbers, its signals are noted. */
const aWorkstation = async ({ rules, press, sensed = {}, tasks = 2, platform = "linux" }: Given = {}) => {
  const folder = await aFolder();
  const clock = createTestClock(thursday);
  const ledger = await openLedger(`${folder.path}/lent.json`, clock, silentLog);
  const machine = { sensed: { idleMs: 30 * minute, ...sensed } as Sensed, running: tasks };
  const story: string[] = [];
  let states: Standing[] = [];
  const note = (what: string) => story.push(`${clock.monotonic() / 1000} s: ${what}`);
  const suspension = createSuspension({
    clock,
    signal: (_pid, name) => note(name) > 0,
    platform,
  });
  suspension.enter(100);
  const lending = createLending({
    clock,
    rules: { ...gentleRules, noticeSec: 0, ...rules },
    press,
    senses: {
      read: () => ({ sensed: machine.sensed }),
      tell: (told) => {
        machine.sensed = { ...machine.sensed, ...told };
      },
    },
    suspension,
    ledger,
    platform,
    running: () =>
      Array.from(
        { length: machine.running },
        (_, taskId): LocalTask => ({ taskId, name: "", percent: 1, workedMs: 0 }),
      ),
    giveBack: async (why) => {
      note(`given back (${why})`);
      machine.running = 0;
    },
    onStanding: (standing) => {
      states = [...states, standing];
      note(`${standing.state}${standing.takes ? "" : ", takes nothing"}${standing.isSuspended ? ", suspended" : ""}`);
    },
    onPressSpent: () => note("the press is spent"),
  });
  onTestFinished(async () => {
    await lending.stop();
    await folder.remove();
  });
  lending.start();
  return { clock, machine, lending, ledger, story, states: () => states, suspension };
};

const inUse = "In use. Lending starts after 5 min without mouse or key";

describe("an owner who returns", () => {
  test("has the machine within two seconds, and the tasks go on when they leave before the hold ends", async () => {
    const { clock, machine, story } = await aWorkstation();
    await clock.advance(10_300);
    machine.sensed = { idleMs: 0 };
    await clock.advance(2000);
    expect(story).toEqual(["0 s: lending", "11 s: SIGSTOP", "11 s: inUse, takes nothing, suspended"]);

    machine.sensed = { idleMs: 5 * minute };
    await clock.advance(2000);
    expect(story.slice(3)).toEqual(["13 s: SIGCONT", "13 s: lending"]);
  });

  test("and stays keeps it: after the hold the tasks go elsewhere", async () => {
    const { clock, machine, story } = await aWorkstation();
    machine.sensed = { idleMs: 0 };
    await clock.advance(12 * minute);
    expect(story).toEqual([
      "0 s: lending",
      "1 s: SIGSTOP",
      "1 s: inUse, takes nothing, suspended",
      `601 s: given back (${inUse})`,
      "601 s: inUse, takes nothing",
      "601 s: SIGCONT",
    ]);
  });

  test("is not kept waiting for the next look where the desktop tells", async () => {
    const { clock, lending, story } = await aWorkstation();
    await clock.advance(100);
    lending.tell({ idleMs: 0 });
    expect(story.slice(1)).toEqual(["0.1 s: SIGSTOP", "0.1 s: inUse, takes nothing, suspended"]);
  });

  test("may have tasks finish, or give them back at once", async () => {
    const finishing = await aWorkstation({ rules: { onReturn: "finish" } });
    finishing.machine.sensed = { idleMs: 0 };
    await finishing.clock.advance(30 * minute);
    expect(finishing.story).toEqual(["0 s: lending", "1 s: inUse, takes nothing"]);

    const requeuing = await aWorkstation({ rules: { onReturn: "requeue" } });
    requeuing.machine.sensed = { idleMs: 0 };
    await requeuing.clock.advance(2000);
    expect(requeuing.story).toEqual(["0 s: lending", `1 s: given back (${inUse})`, "1 s: inUse, takes nothing"]);
  });

  test("on Windows lets them finish: nothing is killed because it cannot be suspended", async () => {
    const { clock, machine, story } = await aWorkstation({ platform: "win32" });
    machine.sensed = { idleMs: 0 };
    await clock.advance(30 * minute);
    expect(story).toEqual(["0 s: lending", "1 s: inUse, takes nothing"]);
  });
});

test("weekly hours that end during a task hold it, give it back, and lend again when they begin", async () => {
  const week = Array.from({ length: 7 }, () => `${"0".repeat(14)}1${"0".repeat(9)}`); // 14 to 15 h
  const { clock, machine, story } = await aWorkstation({ rules: { lend: "hours", week }, sensed: { idleMs: 0 } });
  await clock.advance(29 * minute);
  expect(story).toEqual(["0 s: lending"]);
  await clock.advance(12 * minute);
  expect(story.slice(1)).toEqual([
    "1800 s: SIGSTOP",
    "1800 s: outOfHours, takes nothing, suspended",
    "2400 s: given back (Outside the planned hours: its hours begin at 14:00 tomorrow)",
    "2400 s: outOfHours, takes nothing",
    "2400 s: SIGCONT",
  ]);
  machine.running = 0;
  clock.jump(23 * 60 * minute);
  await clock.advance(1000);
  expect(story.at(-1)).toContain("lending");
});

test("a disk that fills suspends the tasks and says why; it frees, and they go on by themselves", async () => {
  const disk = (free: number) => ({ free, total: 1e12, folder: "/scratch" });
  const { clock, machine, story, states } = await aWorkstation({
    rules: { lend: "always", minDisk: 10e9, onReturn: "finish" },
  });
  machine.sensed = { disk: disk(9e9) };
  await clock.advance(61_000);
  expect(story).toEqual(["0 s: lending", "1 s: SIGSTOP", "1 s: diskLow, takes nothing, suspended"]);
  expect(states().at(-1)?.why).toBe("/scratch has 9.0 GB free. Lending resumes by itself above 12.0 GB");
  machine.sensed = { disk: disk(13e9) };
  await clock.advance(1000);
  expect(story.slice(3)).toEqual(["62 s: SIGCONT", "62 s: lending"]);
});

test("a lid that closes stops the tasks at once, and they go on when it opens", async () => {
  const { clock, lending, story } = await aWorkstation({ rules: { lend: "always" } });
  lending.tell({ isAsleep: true });
  clock.jump(3 * 60 * minute); // the machine slept: people's time went on
  lending.tell({ isAsleep: false });
  await clock.advance(1000);
  expect(story).toEqual([
    "0 s: lending",
    "0 s: SIGSTOP",
    "0 s: asleep, takes nothing, suspended",
    "0 s: SIGCONT",
    "0 s: lending",
  ]);
});

test("a pulled plug holds the tasks until it is back", async () => {
  const { lending, story } = await aWorkstation({ rules: { lend: "always" } });
  lending.tell({ isOnBattery: true });
  lending.tell({ isOnBattery: false });
  expect(story.slice(1)).toEqual([
    "0 s: SIGSTOP",
    "0 s: battery, takes nothing, suspended",
    "0 s: SIGCONT",
    "0 s: lending",
  ]);
});

test("stopping for an hour holds the tasks, gives them back, and ends by itself", async () => {
  const { clock, lending, machine, story } = await aWorkstation({ rules: { lend: "always" } });
  const rules = { ...gentleRules, noticeSec: 0, lend: "always" } as const;
  lending.set({ rules, press: { do: "stop", until: clock.now() + 60 * minute } });
  await clock.advance(61 * minute);
  expect(story).toEqual([
    "0 s: lending",
    "0 s: SIGSTOP",
    "0 s: stopped, takes nothing, suspended",
    "600 s: given back (Stopped until 15:30)",
    "600 s: stopped, takes nothing",
    "600 s: SIGCONT",
    "3600 s: the press is spent",
    "3600 s: lending",
  ]);
  expect(machine.running).toBe(0);
});

test("the notice stands before work starts, and nothing is taken meanwhile", async () => {
  const { clock, lending, story } = await aWorkstation({ rules: { noticeSec: 30 }, tasks: 0 });
  expect(lending.refusal()).toBe("Lending starts soon");
  await clock.advance(31_000);
  expect(story.map((line) => line.replace(/^\S+ s: /, ""))).toEqual([
    "SIGSTOP",
    "soon, takes nothing",
    "SIGCONT",
    "lending",
  ]);
  expect(lending.refusal()).toBeUndefined();
});

test("only time in which tasks work counts as given, day by day", async () => {
  const { clock, machine, ledger } = await aWorkstation({ rules: { lend: "always" } });
  await clock.advance(60 * minute);
  machine.running = 0;
  await clock.advance(60 * minute);
  machine.running = 1;
  machine.sensed = { isFullScreen: true };
  await clock.advance(5 * minute);
  ledger.taskEnded({ name: "a", how: "done", workedMs: 1 });
  ledger.taskEnded({ name: "b", how: "givenBack", workedMs: 1 });
  const [day] = ledger.days();
  expect([day?.day, Math.round((day?.lentMs ?? 0) / minute), day?.tasks]).toEqual(["2026-03-12", 60, 1]);
  expect(ledger.ended().map(({ name, how }) => [name, how])).toEqual([
    ["b", "givenBack"],
    ["a", "done"],
  ]);
});

test("what was given is there at the next start", async () => {
  const folder = await aFolder();
  onTestFinished(() => folder.remove());
  const clock = createTestClock(thursday);
  const path = `${folder.path}/lent.json`;
  const ledger = await openLedger(path, clock, silentLog);
  ledger.lent(5000);
  await ledger.keep();
  await turns();
  expect((await openLedger(path, clock, silentLog)).days()).toEqual([{ day: "2026-03-12", lentMs: 5000, tasks: 0 }]);
});
