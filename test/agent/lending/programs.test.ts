import { spawn } from "node:child_process";
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { parsePs, parseTasklist, programAmong, queryPrograms } from "../../../agent/lending/programs.ts";
import { memoryOf, memoryOfAll } from "../../../agent/process/memory.ts";

test.each([
  ["Nuke", "Nuke15.1v2", true],
  ["nuke.exe", "Nuke15.1.exe", true],
  ["Resolve", "DaVinci Resolve", true],
  ["After Effects", "Adobe After Effects 2026", true],
  ["c++", "c++", true],
  ["Nuke", "NukeStudio", false],
  ["Resolve", "systemd-resolved", false],
  ["Maya", "maya.bin", true],
  ["Märchen", "märchen", true],
  ["", "anything", false],
])("%s means %s: %s", (wanted, running, is) => {
  expect(programAmong([wanted], ["bash", running])).toBe(is ? wanted : undefined);
});

test("what ps and tasklist print", () => {
  const ps = "    1 /sbin/launchd\n  412 /Applications/DaVinci Resolve/DaVinci Resolve.app/Contents/MacOS/Resolve\n\n";
  expect(parsePs(ps)).toEqual([
    { pid: 1, name: "launchd" },
    { pid: 412, name: "Resolve" },
  ]);
  const tasklist = '"Nuke15.1.exe","4312","Console","1","1,234,567 K"\r\n"System","4","Services","0","12 K"\r\n';
  expect(parseTasklist(tasklist)).toEqual([
    { pid: 4312, name: "Nuke15.1.exe" },
    { pid: 4, name: "System" },
  ]);
});

const noRun = () => Promise.reject(new Error("nothing is started on Linux"));

test.skipIf(process.platform !== "linux")(
  "a program of Linux is found by its file's name, one of the farm is not",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "mediafarm-programs-"));
    const file = join(folder, "a-program-with-a-long-name");
    copyFileSync("/bin/sleep", file);
    const child = spawn(file, ["60"]);
    onTestFinished(() => {
      child.kill("SIGKILL");
      rmSync(folder, { recursive: true, force: true });
    });
    await new Promise((resolve) => child.once("spawn", resolve));
    const pid = child.pid ?? 0;
    expect(await queryPrograms(noRun as never, "linux", () => [])).toContain("a-program-with-a-long-name");
    expect(await queryPrograms(noRun as never, "linux", () => [pid])).not.toContain("a-program-with-a-long-name");
    expect(memoryOf(pid)).toBeGreaterThan(100_000);
  },
);

test("the memory of programs is a sum, and unknown where none is known", () => {
  const known = (pid: number) => (pid < 10 ? pid * 1000 : undefined);
  expect(memoryOfAll([1, 2, 30], known)).toBe(3000);
  expect(memoryOfAll([30], known)).toBeUndefined();
  expect(memoryOfAll([], known)).toBeUndefined();
});
