import { execFileSync } from "node:child_process";
import { linkSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openMade } from "../../../agent/roots/open-made.ts";

let folder: string;
let made: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "mediafarm-made-"));
  made = join(folder, "made");
  mkdirSync(made);
  writeFileSync(join(folder, "machine.key"), "secret");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("a plain file is read, and what is not there is undefined", async () => {
  writeFileSync(join(made, "film.mp4"), "film");
  await using file = await openMade(made, "film.mp4");
  expect(await file?.readFile("utf8")).toBe("film");
  expect(await openMade(made, "other.mp4")).toBeUndefined();
  expect(await openMade(join(made, "none"), "film.mp4")).toBeUndefined();
});

test.skipIf(process.platform === "win32")(
  "a link, a second name, a pipe and a folder are refused in words",
  async () => {
    symlinkSync(join(folder, "machine.key"), join(made, "link"));
    linkSync(join(folder, "machine.key"), join(made, "hard"));
    execFileSync("mkfifo", [join(made, "pipe")]);
    mkdirSync(join(made, "sub"));
    await expect(openMade(made, "link")).rejects.toThrow("link is a link");
    await expect(openMade(made, "hard")).rejects.toThrow("hard is a file with several names");
    await expect(openMade(made, "pipe")).rejects.toThrow("pipe is no regular file");
    await expect(openMade(made, "sub")).rejects.toThrow("sub is no regular file");
  },
);

test.runIf(process.platform === "linux")("a name that leads out of the folder is refused", async () => {
  mkdirSync(join(folder, "elsewhere"));
  renameSync(join(folder, "machine.key"), join(folder, "elsewhere", "machine.key"));
  symlinkSync(join(folder, "elsewhere"), join(made, "sub"));
  await expect(openMade(made, "sub/machine.key")).rejects.toThrow("in another folder");
});
