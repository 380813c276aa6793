import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fillJobs, readJobs } from "../../../bench/farms/fill.ts";
import { scratchFolder } from "../../../bench/farms/scratch.ts";
import { openSqlite } from "../../../coordinator/store/sqlite/open.ts";

test("the jobs of a bench fit into the coordinator's own database", async () => {
  using scratch = scratchFolder();
  const folder = join(scratch.path, "farm/coordinator");
  mkdirSync(folder, { recursive: true });
  await openSqlite(folder).close();
  fillJobs(scratch.path, 10);
  const db = readJobs(scratch.path);
  const count = (table: string) => db.prepare(`SELECT count(*) AS n FROM ${table}`).get();
  expect([count("jobs"), count("job_definitions"), count("tasks")]).toEqual([{ n: 10 }, { n: 10 }, { n: 10 }]);
  db.close();
});
