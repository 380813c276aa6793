import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { toldCommand } from "../../../../cli/command/told-command.ts";
import { AppError } from "../../../../shared/basics/errors.ts";
import { openTestCoordinator } from "../../../helpers/farm/coordinator.ts";
import { aFolder, removeFolder } from "../../../helpers/farm/farm.ts";
import { documentsOf, runHere } from "../../../helpers/processes/cli.ts";

let folder: string;
beforeEach(() => {
  folder = aFolder();
});
afterEach(() => removeFolder(folder));

const at = (name: string) => join(folder, name);
const open = (name: string) => openTestCoordinator(join(at(name), "coordinator"));
/** Until the farm has taken what commands left. */
const taken = async ({ clock }: Awaited<ReturnType<typeof open>>, name: string) => {
  for (let tries = 0; tries < 100 && readdirSync(join(at(name), "coordinator/audit")).length > 0; tries += 1)
    await clock.advance(5000);
  expect(readdirSync(join(at(name), "coordinator/audit"))).toEqual([]);
};
/** What the audit of a running farm says of these commands, and of itself. */
const audited = async (name: string, farm: Awaited<ReturnType<typeof open>>) => {
  const run = (...words: string[]) => runHere(["audit", ...words, "--data", at(name)], { clock: farm.clock });
  const lines = documentsOf((await run("--export")).stdout).map(({ action, who, outcome, about }) => {
    const told = String(about)
      .replaceAll(folder, "")
      .replace(/^line=[0-9a-f]{16} /, "")
      .replace(/ user=\S+$/, "");
    return `${action} ${who} ${outcome} ${told}`;
  });
  const { status } = await run("--verify");
  return { status, lines: lines.filter((line) => /^(?:backup|restore|rehearse|upgrade|rollback) /.test(line)).sort() };
};

test("backup, rehearse and restore leave their lines, done or refused, and the chain stays whole", async () => {
  const farm = await open("farm");
  const clock = farm.clock;
  const run = (...words: string[]) => runHere(words, { clock });
  expect((await run("backup", at("one.backup"), "--data", at("farm"))).status).toBe(0);
  expect((await run("backup", at("none/one.backup"), "--data", at("farm"))).status).toBe(1);
  expect((await run("backup", "--check", at("one.backup"), "--data", at("farm"))).status).toBe(0);
  expect((await run("rehearse", at("one.backup"), "--data", at("farm"))).status).toBe(0);
  expect((await run("restore", at("one.backup"), "--data", at("farm"))).status).toBe(1);
  expect((await run("restore", at("one.backup"), "--revoke", "--data", at("other"))).status).toBe(0);
  expect((await run("restore", at("nothing.backup"), "--data", at("third"))).status).toBe(1);
  expect(existsSync(at("third"))).toBe(false);
  await taken(farm, "farm");
  expect(await audited("farm", farm)).toEqual({
    status: 0,
    lines: [
      "backup this machine UNAVAILABLE file=/none/one.backup",
      "backup this machine done file=/one.backup jobs=0",
      "rehearse this machine done file=/one.backup from=0.1.0 to=0.1.0 jobs=0",
      "restore this machine CONFLICT file=/one.backup revoke=false",
    ],
  });
  await farm.coordinator.close();
  // The other farm has not run yet: its first start tells how it came to be.
  const other = await open("other");
  const { status, lines } = await audited("other", other);
  expect([status, lines]).toEqual([
    0,
    [expect.stringMatching(/^restore this machine done file=\/one.backup revoke=true made=2026\S+ jobs=0$/)],
  ]);
  await other.coordinator.close();
});

test("a deed that fails is told with its code, and one of a folder without a farm leaves nothing", async () => {
  const farm = await open("farm");
  const call = { env: { SUDO_USER: "ada" }, clock: farm.clock };
  const upgrade = { action: "upgrade", about: { to: "2.0.0" } };
  const fail = (problem: Error) => () => Promise.reject(problem);
  const told = { dataDir: at("farm"), ...upgrade };
  await expect(toldCommand(call, told, fail(new AppError("CONFLICT", "no")))).rejects.toThrow("no");
  await expect(toldCommand(call, told, fail(new Error("a bug")))).rejects.toThrow("a bug");
  expect(
    await toldCommand(
      call,
      { ...told, action: "rollback" },
      () => 7,
      (done) => ({ done }),
    ),
  ).toBe(7);
  expect(await toldCommand(call, { ...told, dataDir: at("empty") }, () => 8)).toBe(8);
  expect(existsSync(at("empty"))).toBe(false);
  await taken(farm, "farm");
  expect((await audited("farm", farm)).lines).toEqual([
    "rollback this machine done to=2.0.0 done=7",
    "upgrade this machine CONFLICT to=2.0.0",
    "upgrade this machine INTERNAL to=2.0.0",
  ]);
  await farm.coordinator.close();
});
