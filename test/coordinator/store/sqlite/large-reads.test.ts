import { expect, test } from "vitest";
import { aReport } from "../../../helpers/farm/farm.ts";
import { useFarm } from "../../../helpers/farm/farm-story.ts";
import { stored } from "../../../helpers/farm/stored.ts";
import { endOwnWatch, watchOwnLoop } from "../../../helpers/loop/in-process.ts";

const { world, farm, report, toCopy } = useFarm();
const copies = 5000;

/** Makes many rows of those that there are, with keys of their own. */
const multiply = (table: string, key: string, other?: string): void => {
  const db = stored(farm());
  const names = db.all<{ name: string }>(`SELECT name FROM pragma_table_info('${table}')`).map(({ name }) => name);
  const values = names.map((name) => (name === key || name === other ? `${name} + nr.value * 1000` : name));
  db.exec(
    `INSERT INTO ${table} (${names.join(", ")}) SELECT ${values.join(", ")} FROM ${table},
       (WITH RECURSIVE up(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM up WHERE value < ${copies}) SELECT value FROM up) AS nr
     WHERE ${key} < 1000`,
  );
};
const divide = (): void => {
  const db = stored(farm());
  for (const sql of ["DELETE FROM attempts WHERE counter > 1000", "DELETE FROM tasks WHERE id > 1000"]) db.exec(sql);
};

test("what a result is made of, and the tasks, of a job of ten thousand tasks are read while others have the loop", async () => {
  const node = await world().node();
  const { jobId, copy } = await toCopy(node);
  await report(node, aReport(copy));
  multiply("tasks", "id");
  multiply("attempts", "counter", "task_id");
  watchOwnLoop();
  // The first time may take longer.
  for (let nr = 0; nr < 3; nr += 1) {
    const found = await farm().store.jobs.report(jobId);
    expect([found?.tasks.length, found?.attempts.length]).toEqual(Array(2).fill(2 + 2 * copies));
    expect(await farm().store.jobs.tasks(jobId)).toHaveLength(2 + 2 * copies);
  }
  expect(endOwnWatch()).not.toThrow();
  divide();
}, 120_000);
