import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { movedTables } from "../../../../coordinator/store/move/tables.ts";
import { openSqlite } from "../../../../coordinator/store/sqlite/open.ts";
import { aFolder, aSmallJob, openTestFarm, removeFolder } from "../../../helpers/farm/farm.ts";
import { submitJob } from "../../../helpers/farm/submit-job.ts";
import { runHere } from "../../../helpers/processes/cli.ts";

let root: string;
let [from, to] = ["", ""];
beforeEach(async () => {
  root = aFolder();
  [from, to] = [join(root, "old"), join(root, "new")];
  const folder = join(from, "coordinator");
  for (const each of [folder, join(to, "coordinator")]) mkdirSync(each, { recursive: true });
  const { farm, close } = await openTestFarm(folder);
  await submitJob(farm, aSmallJob());
  await close();
});
afterEach(() => removeFolder(root));

test("each table is a line for people: its rows and the beginning of its hash", async () => {
  const { status, stdout, stderr } = await runHere(["move-store", from, to]);
  expect([status, stderr]).toEqual([0, ""]);
  const lines = stdout.split("\n");
  const isAbout = movedTables.map(({ name }, at) =>
    new RegExp(`^${name}: \\d+ rows, [0-9a-f]{16}$`).test(lines[at] ?? ""),
  );
  expect(isAbout).not.toContain(false);
  expect(lines.slice(movedTables.length)).toEqual(["The farm has moved: both stores hold the same rows.", ""]);
});

test("a key that is none is told as that, and not as another farm's", async () => {
  for (const key of ["abc", Buffer.alloc(31).toString("base64"), Buffer.alloc(33).toString("base64")]) {
    const { status, stderr } = await runHere(["move-store", from, to], { env: { MEDIAFARM_SECRET_KEY: key } });
    expect([status, stderr]).toEqual([1, expect.stringContaining("it must be 32 bytes in base64")]);
  }
});

test("a backup of the farm that has moved away is told as one of before, until the farm runs there again", async () => {
  const [old, file] = [["--data", from], join(root, "a.backup")];
  const said = async (...words: string[]) => {
    const { status, stderr } = await runHere(["backup", file, ...words]);
    return [status, stderr.replace(/\(from=.*?\)/, "(…)")];
  };
  const warning = expect.stringMatching(
    /^Warning: this farm began to move to another store \(…\), and did not run here/,
  );
  expect(await said(...old)).toEqual([0, ""]);
  await runHere(["move-store", from, to]);
  expect(await said(...old)).toEqual([0, warning]);
  expect(await said("--check")).toEqual([0, warning]);
  expect(await said("--data", to)).toEqual([0, ""]);
  const again = openSqlite(join(from, "coordinator"));
  await again.trail.add([{ at: 9, who: "it", origin: "", action: "start", outcome: "done", about: "" }], 100);
  await again.close();
  expect(await said(...old)).toEqual([0, ""]);
});
