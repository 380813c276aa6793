import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { takeBackup } from "../../../../coordinator/backup/backup.ts";
import { newestVersion } from "../../../../coordinator/store/sqlite/migrate.ts";
import { aFolder, aSmallJob, openTestFarm, removeFolder } from "../../../helpers/farm/farm.ts";
import { submitJob } from "../../../helpers/farm/submit-job.ts";
import { documentsOf, runHere } from "../../../helpers/processes/cli.ts";

test("a backup's farm is taken over in a copy, which is gone afterwards; what is no backup is refused", async () => {
  const folder = aFolder();
  const world = await openTestFarm(folder);
  await submitJob(world.farm, aSmallJob());
  await world.close();
  const backups = aFolder();
  const file = join(backups, "farm.backup");
  takeBackup(folder, file, 0);
  const { status, stdout } = await runHere(["rehearse", file, "--json"]);
  const schema = { from: newestVersion(), to: newestVersion() };
  expect([status, documentsOf(stdout)]).toEqual([0, [{ from: "0.1.0", to: "0.1.0", jobs: 1, schema }]]);
  expect(readdirSync(backups)).toEqual(["farm.backup"]);
  const refused = await runHere(["rehearse", join(folder, "farm.db")]);
  expect([refused.status, refused.stderr]).toEqual([1, expect.stringContaining("cannot be used as a backup")]);
  for (const each of [folder, backups]) removeFolder(each);
});

test("a clone is upgraded by other means, and says so", async () => {
  const folder = aFolder();
  for (const words of [["upgrade", "/x.deb"], ["rollback"]]) {
    const { status, stderr } = await runHere([...words, "--data", folder]);
    expect([status, stderr]).toEqual([1, expect.stringContaining("was not installed from a package")]);
  }
  removeFolder(folder);
});
