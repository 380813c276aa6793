import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { createBackgroundValue } from "../../../agent/lending/background-value.ts";
import { fullestDisk } from "../../../agent/lending/disks.ts";
import { createFarmTime } from "../../../agent/lending/farm-time.ts";
import { activeWindow, isPresenting, isScreenKeptAwake, queryFullScreen } from "../../../agent/lending/full-screen.ts";
import { queryGpu } from "../../../agent/lending/gpu.ts";
import { createInputWatch, inputInterrupts, macIdleMs } from "../../../agent/lending/input.ts";
import { createLoadMeter } from "../../../agent/lending/load.ts";
import { createSenses } from "../../../agent/lending/senses.ts";
import type { Run } from "../../../agent/process/run.ts";
import { createTestClock, testStart, turns } from "../../helpers/clock.ts";

const aFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "mediafarm-senses-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
};

/** Programs that answer what the test says, by their whole command. */
const answering = (answers: Record<string, string>): Run => {
  const run: Run = async ({ command, args }) => {
    const stdout = answers[[command, ...args].join(" ")];
    return {
      exitCode: stdout === undefined ? 1 : 0,
      signal: null,
      stdout: stdout ?? "",
      stderrTail: "",
      timedOut: false,
      wallMs: 1,
    };
  };
  return run;
};

describe("whether somebody is there", () => {
  const interrupts = (count: number) =>
    `           CPU0  CPU1\n  1:   ${count}   7  IO-APIC  1-edge  i8042\n 29: 99 1 PCI-MSI xhci_hcd\n`;

  test("macOS says it in nanoseconds", () => {
    expect(macIdleMs('  | |   "HIDIdleTime" = 61234000000\n')).toBe(61_234);
    expect(macIdleMs("nothing of that")).toBeUndefined();
  });

  test("Linux counts what its own keyboard and mouse report, and leaves USB aside", () => {
    expect(inputInterrupts(interrupts(5))).toBe(12);
    expect(inputInterrupts(" 29: 99 1 PCI-MSI xhci_hcd\n")).toBeUndefined();
  });

  test("Linux goes by the newest of keys on terminals and of its own keyboard", async () => {
    const folder = aFolder();
    const clock = createTestClock();
    mkdirSync(join(folder, "pts"));
    const typed = (name: string, agoMs: number) => {
      writeFileSync(join(folder, "pts", name), "");
      utimesSync(join(folder, "pts", name), new Date(testStart - agoMs), new Date(testStart));
    };
    typed("0", 600_000);
    typed("1", 60_000);
    typed("ptmx", 0);
    const file = join(folder, "interrupts");
    writeFileSync(file, interrupts(5));
    const look = createInputWatch({
      clock,
      run: answering({}),
      platform: "linux",
      devFolder: folder,
      interruptsFile: file,
    });
    expect(await look()).toBe(60_000);
    await clock.advance(5000);
    writeFileSync(file, interrupts(6));
    expect(await look()).toBe(0);
    await clock.advance(2000);
    expect(await look()).toBe(2000);
  });

  test("a machine without terminals and such a keyboard tells nothing, and Windows neither", async () => {
    const folder = aFolder();
    const needs = {
      clock: createTestClock(),
      run: answering({}),
      devFolder: folder,
      interruptsFile: join(folder, "none"),
    };
    expect(await createInputWatch({ ...needs, platform: "linux" })()).toBeUndefined();
    expect(await createInputWatch({ ...needs, platform: "win32" })()).toBeUndefined();
  });
});

describe("whether a program fills the screen", () => {
  const root = "xprop -root _NET_ACTIVE_WINDOW";
  const ofWindow = "xprop -id 0x3c00007 _NET_WM_STATE";
  const active = "_NET_ACTIVE_WINDOW(WINDOW): window id # 0x3c00007\n";

  test.each([
    [true, { [root]: active, [ofWindow]: "_NET_WM_STATE(ATOM) = _NET_WM_STATE_FULLSCREEN\n" }],
    [false, { [root]: active, [ofWindow]: "_NET_WM_STATE(ATOM) = _NET_WM_STATE_MAXIMIZED_VERT\n" }],
    [undefined, { [root]: "_NET_ACTIVE_WINDOW(WINDOW): window id # 0x0\n" }],
    [undefined, {}],
  ])("X11 tells by the active window: %s", async (isFull, answers) => {
    expect(await queryFullScreen(answering(answers as Record<string, string>), "linux", { DISPLAY: ":0" })).toBe(
      isFull,
    );
  });

  test("without a display nobody is asked", async () => {
    expect(await queryFullScreen(answering({ [root]: active }), "linux", {})).toBeUndefined();
  });

  test("the answers of the three systems are read, and nonsense is not believed", () => {
    expect([activeWindow(active), activeWindow("nonsense")]).toEqual(["0x3c00007", undefined]);
    expect(isScreenKeptAwake("   PreventUserIdleDisplaySleep    1\n")).toBe(true);
    expect(isScreenKeptAwake("   PreventUserIdleDisplaySleep    0\n")).toBe(false);
    expect(isScreenKeptAwake("")).toBeUndefined();
    expect(["2", "3\r\n", "4", "5", "x"].map(isPresenting)).toEqual([true, true, true, false, undefined]);
  });
});

describe("the machine's load", () => {
  const aMeter = (isTold = true) => {
    const clock = createTestClock();
    const now = { idle: 0, busy: 0, farm: 0 as number | undefined };
    const meter = createLoadMeter({
      clock,
      farmMs: () => (isTold ? now.farm : undefined),
      cores: () => [{ times: { idle: now.idle, user: now.busy } }],
    });
    meter();
    const pass = async (ms: number, busy: number, farm: number) => {
      await clock.advance(ms);
      now.busy += ms * busy;
      now.idle += ms * (1 - busy);
      now.farm = (now.farm ?? 0) + ms * farm;
      return meter();
    };
    return pass;
  };

  test("is split into the farm's and everybody else's", async () => {
    const pass = aMeter();
    expect(await pass(10_000, 0.9, 0.6)).toMatchObject({ cpu: 0.9, farmCpu: 0.6 });
    expect((await pass(20_000, 0.9, 0.6))?.othersLoad).toBeCloseTo(0.3);
  });

  test("of others is known only after half a minute, and a single busy second does not show", async () => {
    const pass = aMeter();
    expect((await pass(10_000, 0, 0))?.othersLoad).toBeUndefined();
    for (let turn = 0; turn < 5; turn += 1) await pass(10_000, 0, 0);
    expect((await pass(1000, 1, 0))?.othersLoad).toBeLessThan(0.05);
  });

  test("of others is unknown while nobody tells the farm's part", async () => {
    const pass = aMeter(false);
    await pass(30_000, 0.9, 0.9);
    expect(await pass(30_000, 0.9, 0.9)).toMatchObject({ cpu: 0.9, memory: expect.any(Number) });
    expect((await pass(1000, 0.9, 0.9))?.othersLoad).toBeUndefined();
  });

  test("the farm's time goes on over programs that end", () => {
    let pids = [7];
    const times: Record<number, number> = { 7: 100, 8: 50 };
    const farmTime = createFarmTime(
      () => pids,
      (pid) => times[pid],
      true,
    );
    expect(farmTime()).toBe(100);
    times[7] = 300;
    pids = [7, 8];
    expect(farmTime()).toBe(350);
    pids = [8];
    times[8] = 60;
    expect(farmTime()).toBe(360);
  });

  test("where a system does not tell it, it is known only while no program runs", () => {
    let pids: number[] = [];
    const farmTime = createFarmTime(
      () => pids,
      () => undefined,
      false,
    );
    expect(farmTime()).toBe(0);
    pids = [7];
    expect(farmTime()).toBeUndefined();
  });
});

describe("slow questions", () => {
  test("are asked in the background, at most so often, one at a time", async () => {
    const clock = createTestClock();
    const waiting: ((value: number) => void)[] = [];
    const read = createBackgroundValue(clock, 1000, () => new Promise<number>((resolve) => waiting.push(resolve)));
    expect([read(), read(), waiting.length]).toEqual([undefined, undefined, 1]);
    await clock.advance(5000);
    expect([read(), waiting.length]).toEqual([undefined, 1]); // a share that does not answer is not asked again
    waiting[0]?.(7);
    await turns();
    expect(read()).toBe(7);
  });

  test("that fail tell nothing", async () => {
    const read = createBackgroundValue(createTestClock(), 1000, () => Promise.reject(new Error("no such thing")));
    read();
    await turns();
    expect(read()).toBeUndefined();
  });

  test("the fullest disk is the one that counts; what is not there is left out", async () => {
    const folder = aFolder();
    expect(await fullestDisk([folder, join(folder, "missing")])).toMatchObject({ folder, total: expect.any(Number) });
    expect(await fullestDisk([join(folder, "missing")])).toBeUndefined();
  });
});

test("a desktop's word counts before the machine's own, and only while it is fresh", async () => {
  const clock = createTestClock();
  const senses = createSenses({
    clock,
    run: answering({}),
    folders: [aFolder()],
    farmMs: () => 0,
    platform: "win32",
    display: {},
  });
  const idle = () => senses.read({ fullScreen: false, battery: false }).sensed.idleMs;
  expect(idle()).toBeUndefined();
  senses.tell({ idleMs: 1234, isAsleep: true });
  expect(idle()).toBe(1234);
  await clock.advance(11_000);
  expect(idle()).toBeUndefined();
  expect(senses.read({ fullScreen: false, battery: false }).sensed.isAsleep).toBe(true);
});

describe("how busy the GPUs are", () => {
  const asked = "nvidia-smi --query-gpu=utilization.gpu --format=csv,noheader,nounits";
  const none = "/nowhere";

  test("the busiest card counts, whichever driver tells of it", async () => {
    const folder = aFolder();
    const told = (card: string, percent: string) => {
      mkdirSync(join(folder, card, "device"), { recursive: true });
      writeFileSync(join(folder, card, "device/gpu_busy_percent"), percent);
    };
    told("card0", "12\n");
    told("card1", "41\n");
    told("card1-HDMI-A-1", "99\n");
    expect(await queryGpu(answering({ [asked]: "88\n" }), folder, none)).toBe(0.41);
    expect(await queryGpu(answering({ [asked]: "7\n88\n" }), folder, folder)).toBe(0.88);
  });

  test("a machine without a driver that tells has no figure", async () => {
    const folder = aFolder();
    expect(await queryGpu(answering({}), none, none)).toBeUndefined();
    expect(await queryGpu(answering({ [asked]: "[N/A]\n" }), none, folder)).toBeUndefined();
    expect(await queryGpu(answering({}), none, folder)).toBeUndefined();
  });
});
