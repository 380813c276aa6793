import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Run } from "../../../agent/process/run.ts";
import { installService, removeService, stateOf } from "../../../cli/service/control.ts";
import { madeBy, type ServiceFile } from "../../../cli/service/service.ts";

let folder: string;
let file: ServiceFile;
let ran: string[];
let failing: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "mediafarm-test-"));
  [ran, failing] = [[], "nothing"];
  file = {
    ...{ path: join(folder, "units/mediafarm.service"), text: `# ${madeBy}\n` },
    ...{
      install: [
        ["manage", "reload"],
        ["manage", "start"],
      ],
      remove: [["manage", "stop"]],
      status: ["manage", "ask"],
    },
  };
});
afterEach(() => rmSync(folder, { recursive: true }));

const run: Run = async ({ command, args }) => {
  ran.push([command, ...args].join(" "));
  const exitCode = args.includes(failing) ? 3 : 0;
  return {
    exitCode,
    signal: null,
    stdout: "",
    stderrTail: exitCode ? "no such unit\n" : "",
    timedOut: false,
    wallMs: 1,
  };
};

test("a service is written, started, asked for and removed", async () => {
  expect(await stateOf(file, run)).toEqual({ isInstalled: false, isRunning: false });
  await installService(file, run);
  expect(readFileSync(file.path, "utf8")).toBe(file.text);
  expect(await stateOf(file, run)).toEqual({ isInstalled: true, isRunning: true });
  failing = "ask";
  expect(await stateOf(file, run)).toEqual({ isInstalled: true, isRunning: false });
  await removeService(file, run);
  expect([existsSync(file.path), ran]).toEqual([
    false,
    ["manage reload", "manage start", "manage ask", "manage ask", "manage stop"],
  ]);
});

test("what the system says against it is told with the command", async () => {
  failing = "start";
  await expect(installService(file, run)).rejects.toThrow("manage start failed: no such unit");
});

test("a file of somebody else is neither replaced nor deleted", async () => {
  await installService(file, run);
  writeFileSync(file.path, "[Unit]\nDescription=mine\n");
  await expect(installService(file, run)).rejects.toThrow(/was not made by this command/);
  await expect(removeService(file, run)).rejects.toThrow(/was not made by this command/);
  expect(readFileSync(file.path, "utf8")).toContain("mine");
});

test("a service that is not there cannot be removed", async () => {
  await expect(removeService(file, run)).rejects.toThrow(/There is no such service/);
});
