import { expect, test } from "vitest";
import { compareAttempts } from "../../../../../renderer/pages/job/log/compare.ts";
import { firstFault } from "../../../../../renderer/pages/job/log/log-lines.ts";
import type { AttemptRecord } from "../../../../../shared/model/attempt.ts";

const attempt = (more: Partial<AttemptRecord>): AttemptRecord => ({
  ...{ attempt: 1, node: "vfx-01", state: "failed", assigned: "2026-11-01T10:00:00.000Z" },
  ...{
    ended: "2026-11-01T10:00:40.000Z",
    ...{ cost: null, reached: null },
    failure: null,
    log: "$ ffmpeg -i a.mov b.mp4\nframe=1 speed=1.5x\n",
  },
  ...more,
});

test("two attempts differ in what they differ in, and are alike in the rest", () => {
  const failure = { cause: "media", message: "no moov atom", command: null, exit_code: 1 } as const;
  const one = attempt({ failure });
  const other = attempt({
    ...{ attempt: 2, node: "vfx-02", state: "published", cost: { wall_ms: 20_000, cpu_ms: 50_000, peak_memory: null } },
    log: "$ ffmpeg -i a.mov b.mp4\nframe=1 speed=1.5x\nframe=9 speed=3x\n",
  });
  const told = compareAttempts([one, other], []);
  expect(told.map(({ what, values, isSame }) => [what, ...values, isSame])).toEqual([
    ["Node", "vfx-01", "vfx-02", false],
    ["End", "failed: no moov atom", "published", false],
    ["Took", "40.0 s", "20.0 s", false],
    ["Processor", "–", "50.0 s", false],
    ["Speed", "1.5x", "3x", false],
    ["Commands", "ffmpeg -i a.mov b.mp4", "ffmpeg -i a.mov b.mp4", true],
  ]);
});

test("a lost attempt tells how far it came and how fast it was when it was last heard of", () => {
  const lost = attempt({ state: "lost", log: "", reached: { percent: 42, speed: 0.82 } });
  const unheard = attempt({ attempt: 2, state: "lost", log: "", reached: null });
  const told = compareAttempts([lost, unheard], []).map(({ what, values }) => [what, ...values]);
  expect(told).toContainEqual(["Speed", "0.82x", "–"]);
  expect(told).toContainEqual(["Came to", "42 %", "–"]);
});

test("the first line with a fault is no command that only names one", () => {
  expect(firstFault(["$ ffmpeg -loglevel error -i a", "frame=1", "a: Invalid data found", "Error opening"])).toBe(2);
  expect(firstFault(["$ ffmpeg -loglevel error", "done"])).toBe(-1);
});
