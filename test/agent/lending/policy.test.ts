import { describe, expect, test } from "vitest";
import { type Decision, decideLending } from "../../../agent/lending/policy.ts";
import type { ButtonPress, Sensed } from "../../../agent/lending/situation.ts";
import { gentleRules, headlessRules, type LendingAction, type LendingRules } from "../../../shared/lending/lending.ts";

const minute = 60_000;
/** A Thursday, 14:30. */
const now = Date.UTC(2026, 2, 12, 14, 30);

type Given = { rules?: Partial<LendingRules>; sensed?: Sensed; press?: LendingAction; canSuspend?: boolean };

/** Decides at so many milliseconds after the start, going on from an earlier decision. */
const decide = ({ rules, sensed = {}, press, canSuspend = true }: Given, before?: Decision, passed = 0): Decision => {
  const asked: ButtonPress = {
    rules: { ...gentleRules, noticeSec: 0, ...rules },
    press,
    sensed,
    canSuspend,
    moment: {
      now: now + passed,
      monotonic: passed,
      wall: { day: 3, minute: 14 * 60 + 30 + Math.floor(passed / minute) },
    },
    before: before?.memory,
  };
  return decideLending(asked);
};
const brief = ({ state, takes, fate }: Decision) => [state, takes, fate];

describe("when idle", () => {
  test("the owner's return suspends, the hold's end gives back, and idleness lends again", () => {
    const lending = decide({ sensed: { idleMs: 10 * minute } });
    expect(brief(lending)).toEqual(["lending", true, "run"]);

    const back = decide({ sensed: { idleMs: 0 } }, lending, 1000);
    expect(brief(back)).toEqual(["inUse", false, "suspend"]);
    expect(back.why).toBe("In use. Lending starts after 5 min without mouse or key");

    const held = decide({ sensed: { idleMs: 0 } }, back, 10 * minute);
    expect(brief(held)).toEqual(["inUse", false, "suspend"]);
    expect(brief(decide({ sensed: { idleMs: 0 } }, held, 10 * minute + 1000))).toEqual(["inUse", false, "giveBack"]);
    expect(brief(decide({ sensed: { idleMs: 5 * minute } }, held, 10 * minute))).toEqual(["lending", true, "run"]);
  });

  test("it is looked at again within a second, so that the owner never waits for two", () => {
    expect(decide({ sensed: { idleMs: 10 * minute } }).lookInMs).toBe(1000);
  });

  test("other programs' load counts as use, and ends only when it has gone down clearly", () => {
    const busy = decide({ sensed: { idleMs: 10 * minute, othersLoad: 0.6 } });
    expect(brief(busy)).toEqual(["busy", false, "suspend"]);
    expect(decide({ sensed: { idleMs: 11 * minute, othersLoad: 0.3 } }, busy, minute).state).toBe("busy");
    expect(decide({ sensed: { idleMs: 12 * minute, othersLoad: 0.2 } }, busy, minute).state).toBe("lending");
  });

  test("where nobody can tell whether somebody is there, load alone decides", () => {
    expect(decide({}).state).toBe("lending");
    expect(decide({ sensed: { othersLoad: 0.9 } }).state).toBe("busy");
  });
});

describe("the three ways", () => {
  const back = { sensed: { idleMs: 0 } };
  test.each([
    ["suspend", true, "suspend"],
    ["finish", true, "finish"],
    ["requeue", true, "giveBack"],
    // What cannot be suspended is never killed for that reason.
    ["suspend", false, "finish"],
  ] as const)("%s (the system can suspend: %s) is %s", (onReturn, canSuspend, fate) => {
    expect(decide({ ...back, canSuspend, rules: { onReturn } }).fate).toBe(fate);
  });

  test("a full disk and a closed lid let nothing go on, whatever the way", () => {
    const disk = { free: 1, total: 1e12, folder: "/scratch" };
    expect(decide({ rules: { onReturn: "finish" }, sensed: { disk } }).fate).toBe("suspend");
    expect(decide({ rules: { onReturn: "finish" }, sensed: { disk }, canSuspend: false }).fate).toBe("giveBack");
    expect(decide({ rules: { onReturn: "finish" }, sensed: { isAsleep: true } }).fate).toBe("suspend");
  });
});

describe("weekly hours", () => {
  test("outside the hours nothing starts, and the next hours are named", () => {
    const decision = decide({ rules: { lend: "hours" } });
    expect(brief(decision)).toEqual(["outOfHours", false, "suspend"]);
    expect(decision.why).toBe("Outside the planned hours: its hours begin at 19:00");
    expect(decision.until).toBe(Date.UTC(2026, 2, 12, 19));
  });

  test("inside the hours it lends to their end, whoever sits there", () => {
    const week = Array.from({ length: 7 }, () => `${"0".repeat(14)}11${"0".repeat(8)}`);
    const decision = decide({ rules: { lend: "hours", week }, sensed: { idleMs: 0 } });
    expect([decision.state, decision.why, decision.until]).toEqual([
      "lending",
      "Lending until 16:00",
      Date.UTC(2026, 2, 12, 16),
    ]);
  });

  test("a plan without hours says so", () => {
    const week = Array.from({ length: 7 }, () => "0".repeat(24));
    expect(decide({ rules: { lend: "hours", week } })).toMatchObject({
      until: null,
      why: "Outside the planned hours: its week plan has no hours",
    });
  });
});

describe("the owner's presses", () => {
  const always = { rules: { lend: "always" } } as const;

  test("stopping until tomorrow holds until then and is spent afterwards", () => {
    const press = { do: "stop", until: Date.UTC(2026, 2, 13, 6) } as const;
    const stopped = decide({ ...always, press });
    expect([stopped.state, stopped.why, stopped.isPressSpent]).toEqual([
      "stopped",
      "Stopped until 06:00 tomorrow",
      false,
    ]);
    const after = decide({ ...always, press }, stopped, 16 * 60 * minute);
    expect([after.state, after.isPressSpent]).toEqual(["lending", true]);
  });

  test("stopping without an end lasts", () => {
    const press = { do: "stop", until: null } as const;
    expect(decide({ ...always, press }, undefined, 1e9)).toMatchObject({ state: "stopped", isPressSpent: false });
  });

  test("lending now wins over use and hours, not over a full disk or the battery", () => {
    const press = { do: "lend", until: null } as const;
    expect(decide({ press, sensed: { idleMs: 0 } }).state).toBe("lending");
    expect(decide({ press, rules: { lend: "hours" } }).state).toBe("lending");
    expect(decide({ press, sensed: { isOnBattery: true } }).state).toBe("battery");
    expect(decide({ press, sensed: { disk: { free: 1, total: 1e12, folder: "/" } } }).state).toBe("diskLow");
    expect(decide({ press, rules: { lend: "never" } }).state).toBe("never");
  });

  test('"not now" passes over this time and is spent when the owner has been back', () => {
    const press = { do: "skip" } as const;
    const skipped = decide({ press, sensed: { idleMs: 6 * minute } });
    expect([skipped.state, skipped.isPressSpent]).toEqual(["stopped", false]);
    expect(decide({ press, sensed: { idleMs: 0 } }, skipped, minute).isPressSpent).toBe(true);
  });
});

describe("the notice", () => {
  const rules = { noticeSec: 30 };
  const away = { rules, sensed: { idleMs: 10 * minute } };

  test("stands for its seconds before work starts, and once", () => {
    const soon = decide(away);
    expect([soon.state, soon.until, soon.takes]).toEqual(["soon", now + 30_000, false]);
    expect(decide(away, soon, 29_000).state).toBe("soon");
    const lending = decide(away, soon, 30_000);
    expect(lending.state).toBe("lending");
    expect(decide(away, lending, 40_000).state).toBe("lending");
  });

  test("starts anew when the owner came back meanwhile", () => {
    const soon = decide(away);
    const back = decide({ rules, sensed: { idleMs: 0 } }, soon, 10_000);
    expect(decide(away, back, 400_000).until).toBe(now + 430_000);
  });

  test("is left out where the owner starts lending", () => {
    expect(decide({ ...away, press: { do: "lend", until: null } }).state).toBe("lending");
  });
});

describe("machine", () => {
  test("a full disk says which and when it goes on, and needs a fifth more to go on", () => {
    const disk = (free: number) => ({ free, total: 1e12, folder: "/scratch" });
    const always = { rules: { lend: "always", minDisk: 10e9 } } as const;
    const low = decide({ ...always, sensed: { disk: disk(9e9) } });
    expect([low.state, low.why]).toEqual([
      "diskLow",
      "/scratch has 9.0 GB free. Lending resumes by itself above 12.0 GB",
    ]);
    expect(decide({ ...always, sensed: { disk: disk(11e9) } }, low, minute).state).toBe("diskLow");
    expect(decide({ ...always, sensed: {} }, low, minute).state).toBe("diskLow");
    expect(decide({ ...always, sensed: { disk: disk(12e9) } }, low, minute).state).toBe("lending");
    expect(decide({ ...always, sensed: { disk: disk(11e9) } }).state).toBe("lending");
  });

  test("of a small disk a twentieth stays free", () => {
    const disk = (free: number) => ({ free, total: 20e6, folder: "/" });
    expect(decide({ rules: headlessRules, sensed: { disk: disk(2e6) } }).state).toBe("lending");
    expect(decide({ rules: headlessRules, sensed: { disk: disk(0.9e6) } }).state).toBe("diskLow");
  });

  test("a program that the owner named stops lending while it runs, unless they press to lend", () => {
    const rules = { notWhile: ["Resolve", "Nuke"] };
    const sensed = { programs: ["bash", "Nuke15.1v2"], idleMs: 1e9 };
    const blocked = decide({ rules, sensed });
    expect([blocked.state, blocked.why, blocked.takes]).toEqual(["program", "Nuke is running", false]);
    expect(decide({ rules, sensed: { ...sensed, programs: ["NukeStudio", "unresolved"] } }).state).toBe("lending");
    expect(decide({ rules, sensed, press: { do: "lend", until: null } }).state).toBe("lending");
    expect(decide({ sensed }).state).toBe("lending");
  });

  test("a hold says when it ends, to the second", () => {
    const back = decide({ sensed: { idleMs: 0 } }, decide({ sensed: { idleMs: 1e9 } }), 1000);
    expect(back.heldUntil).toBe(now + 1000 + 10 * minute);
    expect(decide({ sensed: { idleMs: 0 } }, back, 11 * minute + 1000).heldUntil).toBe(null);
    expect(decide({ rules: { onReturn: "finish" }, sensed: { idleMs: 0 } }).heldUntil).toBe(null);
  });

  test("battery and full screen count unless the rules say otherwise", () => {
    expect(decide({ sensed: { isOnBattery: true, idleMs: 1e9 } }).state).toBe("battery");
    expect(decide({ rules: { onBattery: true }, sensed: { isOnBattery: true, idleMs: 1e9 } }).state).toBe("lending");
    expect(decide({ sensed: { isFullScreen: true, idleMs: 1e9 } }).state).toBe("fullScreen");
    expect(decide({ rules: { inFullScreen: true }, sensed: { isFullScreen: true, idleMs: 1e9 } }).state).toBe(
      "lending",
    );
  });
});
