import { expect, test } from "vitest";
import { createLog } from "../../agent/log.ts";
import { createAttemptLog } from "../../agent/steps/attempt-log.ts";
import { systemClock } from "../../shared/basics/system-clock.ts";

test("a line of the log is JSON with its fields, and no secret gets into it", () => {
  const lines: string[] = [];
  const clock = { ...systemClock, now: () => 0 };
  const log = createLog({ level: "info", clock, write: (line) => lines.push(line) }).child({ part: "session" });
  log.debug("not shown");
  log.warn("Refused", { hello: { credentials: { joinToken: "mfj1_x" } } });
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    {
      time: "1970-01-01T00:00:00.000Z",
      level: "warn",
      message: "Refused",
      part: "session",
      hello: { credentials: "[secret]" },
    },
  ]);
});

test("a long attempt's log keeps its command and its end", () => {
  const log = createAttemptLog();
  log.line("$ ffmpeg -i in");
  for (let line = 0; line < 40_000; line++) log.append(`line ${line}\n`);
  const text = log.text();
  expect(text.startsWith("$ ffmpeg -i in\n")).toBe(true);
  expect(text.endsWith("line 39999\n")).toBe(true);
  expect(text).toMatch(/… \d+ characters left out …/);
  expect(text.length).toBeLessThan(300_000);
});
