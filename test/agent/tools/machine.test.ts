import { cpus, tmpdir } from "node:os";
import { expect, test } from "vitest";
import { silentLog } from "../../../agent/log.ts";
import { readMachine } from "../../../agent/tools/machine.ts";

test.runIf(process.platform === "linux")("a Linux machine tells its distribution and its processor", async () => {
  const { cpu, os } = await readMachine(silentLog, tmpdir());
  expect(cpu).toBe(cpus()[0]?.model);
  expect(os).toMatch(/^[A-Z][\w/ ]+ \d/);
});
