import { expect, test } from "vitest";
import { createAttemptLog } from "../../agent/attempt-log.ts";
import type { ResolvedFile } from "../../agent/path-resolver.ts";
import { waitForSources } from "../../agent/wait-for-sources.ts";
import { createTestClock, testStart } from "../helpers/clock.ts";

/** A source that is as the test says at each look. */
const waiting = async (waitSec: number, fileAt: (seconds: number) => Partial<ResolvedFile> | undefined) => {
  const clock = createTestClock();
  const abort = new AbortController();
  let ended: string | undefined;
  const stat = async (): Promise<ResolvedFile | undefined> => {
    const file = fileAt(clock.monotonic() / 1000);
    return file && { uri: "file:///in.mov", path: "/in.mov", size: 1, modified: testStart, ...file };
  };
  const work = { assets: { in: { uri: "file:///in.mov", waitSec } }, outputs: {}, steps: [] };
  const others = { isUnfinished: async () => false, whyIncomplete: async () => undefined };
  const done = waitForSources(work, { stat, ...others, clock, log: createAttemptLog(), signal: abort.signal }).then(
    () => {
      ended = "there";
    },
    (error: Error) => {
      ended = error.message;
    },
  );
  await clock.advance(0); // it has looked once
  return { clock, abort, done, ended: () => ended };
};

test("a source that was complete long ago is not waited for", async () => {
  const wait = await waiting(60, () => ({ modified: testStart - 3_600_000 }));
  expect(wait.ended()).toBe("there");
});

test("a source that arrives is taken once it has stopped growing", async () => {
  const wait = await waiting(60, (seconds) =>
    seconds < 10 ? undefined : { size: Math.min(seconds, 20), modified: testStart + Math.min(seconds, 20) * 1000 },
  );
  await wait.clock.advance(24_000);
  expect(wait.ended()).toBe(undefined);
  await wait.clock.advance(2000);
  expect(wait.ended()).toBe("there");
});

test.each([
  ["never comes", () => undefined, "file:///in.mov did not arrive within 30 s"],
  [
    "never ends",
    (seconds: number) => ({ size: seconds, modified: testStart + seconds * 1000 }),
    "file:///in.mov still grew after 30 s",
  ],
  ["stays empty", () => ({ size: 0 }), "file:///in.mov still grew after 30 s"],
])("a source that %s is given up", async (_what, fileAt, message) => {
  const wait = await waiting(30, fileAt);
  await wait.clock.advance(29_000);
  expect(wait.ended()).toBe(undefined);
  await wait.clock.advance(2000);
  expect(wait.ended()).toBe(message);
});

test.each([
  ["ahead", 3_600_000],
  ["back", -3_600_000],
])("a clock that is set an hour %s meanwhile neither takes a source that grows nor gives it up", async (_, jump) => {
  const grows = (seconds: number) => ({
    size: Math.min(seconds, 20),
    modified: testStart + Math.min(seconds, 20) * 1000,
  });
  const wait = await waiting(60, (seconds) => (seconds < 2 ? undefined : grows(seconds)));
  wait.clock.jump(jump);
  await wait.clock.advance(24_000);
  expect(wait.ended()).toBe(undefined);
  await wait.clock.advance(2000);
  expect(wait.ended()).toBe("there");
});

test("a stop ends the waiting at once", async () => {
  const wait = await waiting(3600, () => undefined);
  await wait.clock.advance(1500);
  wait.abort.abort();
  await wait.done;
  expect([wait.ended(), wait.clock.waiting()]).toEqual(["This operation was aborted", 0]);
});
