import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openTestCoordinator, type TestCoordinator } from "../../../helpers/farm/coordinator.ts";
import { aFolder, removeFolder } from "../../../helpers/farm/farm.ts";
import { documentsOf, runHere } from "../../../helpers/processes/cli.ts";

let folder: string;
let farm: TestCoordinator;

beforeEach(async () => {
  folder = aFolder();
  farm = await openTestCoordinator(join(folder, "coordinator"));
});
afterEach(async () => {
  await farm.coordinator.close();
  removeFolder(folder);
});

const run = (...words: string[]) => runHere([...words, "--data", folder], { clock: farm.clock });
const lines = async (...words: string[]) => documentsOf((await run("audit", "--json", ...words)).stdout);

test("the audit of a farm is listed, searched, exported and whole", async () => {
  await run("people", "add", "Ben");
  await farm.api("DELETE", "/jobs/999");
  const all = await lines();
  expect(all.map(({ action, who, outcome }) => `${action} ${who} ${outcome}`).toReversed()).toEqual([
    "start the coordinator done",
    "login a stranger done",
    "createPerson this machine done",
    "resetPerson this machine done",
    expect.stringMatching(/^deleteJob .*\(api user 1\) NOT_FOUND$/),
  ]);
  expect((await lines("--text", "ben")).map(({ about }) => about)).toEqual([...["name=Ben", "name=Ben role=operator"]]);
  expect((await lines("--refused", "--take", "1")).map(({ about }) => about)).toEqual(["job_id=999"]);
  const exported = (await run("audit", "--export")).stdout;
  expect(documentsOf(exported)).toEqual(all.toReversed());
  expect(await run("audit", "--verify")).toEqual({
    status: 0,
    stdout: "The audit is whole: 5 lines, 1 to 5\n",
    stderr: "",
  });
});

test("a changed line is found in the farm and in an exported file", async () => {
  await run("people", "add", "Ben");
  const file = join(folder, "audit.jsonl");
  const verify = () => runHere(["audit", "--verify", file], {});
  writeFileSync(file, (await run("audit", "--export")).stdout);
  expect((await verify()).status).toBe(0);
  const text = readFileSync(file, "utf8");
  writeFileSync(file, text.replace("role=operator", "role=owner"));
  expect(await verify()).toMatchObject({ status: 1, stdout: expect.stringContaining("Line 3 was altered") });
  writeFileSync(file, text.split("\n").toSpliced(1, 1).join("\n"));
  expect(await verify()).toMatchObject({ status: 1, stdout: expect.stringContaining("Line 2 is missing") });
  const db = new Database(join(folder, "coordinator/farm.db"));
  db.exec("DELETE FROM trail WHERE id = 2");
  db.close();
  expect(await run("audit", "--verify")).toMatchObject({
    ...{ status: 1, stdout: "The audit was changed. Line 2 is missing (4 lines, 1 to 4)\n" },
  });
});
