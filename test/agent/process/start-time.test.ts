import { expect, test, vi } from "vitest";
import { createRun } from "../../../agent/process/run.ts";
import { processStart } from "../../../agent/process/start-time.ts";
import { systemClock } from "../../../shared/basics/system-clock.ts";
import { refuseOnce } from "../../helpers/agent/refuse-once.ts";

const env = { PATH: process.env.PATH ?? "" };
const run = createRun({ clock: systemClock, env });

test.runIf(process.platform === "linux")("a process that ends while it is looked at counts as gone", async () => {
  refuseOnce("readFile", "ESRCH");
  expect(await processStart(process.pid, run)).toBeUndefined();
  expect(await processStart(process.pid, run)).toMatch(/^\d+$/);
});

test.runIf(process.platform === "linux")("programs stay tied to the agent when notes on disk fail", async () => {
  const note = vi.fn(() => Promise.reject(new Error("no disk")));
  const tied = createRun({ clock: systemClock, env, children: { note } });
  const { stdout } = await tied({ command: "setpriv", args: ["--dump"] });
  expect(stdout).toMatch(/Parent death signal: KILL/);
  expect(note).not.toHaveBeenCalled();
});
