import Database from "better-sqlite3";

/** Tables with a row for each job that waits for its turn, and the column that names the job. */
const tables = { jobs: "id", job_definitions: "job_id", job_schedules: "job_id" } as const;

/**
 * Copies job 1, the only one, until there is one for each name: to submit tens of thousands takes many minutes. Nobody may have the
 * database open.
 */
export const copyJob = (database: string, names: readonly string[]): void => {
  const db = new Database(database);
  const columnsOf = (table: string, key: string): string =>
    db
      .prepare<[string], { name: string }>("SELECT name FROM pragma_table_info(?)")
      .all(table)
      .flatMap(({ name }) => (name === key ? [] : [name]))
      .join(", ");
  const copies = Object.entries(tables).map(([table, key]) => {
    const columns = columnsOf(table, key);
    return db.prepare(
      `INSERT INTO ${table} (${key}, ${columns}) SELECT $id, ${columns} FROM ${table} WHERE ${key} = 1`,
    );
  });
  const rename = db.prepare("UPDATE jobs SET name = $name WHERE id = $id");
  db.transaction(() => {
    for (const [at, name] of names.entries()) {
      const id = at + 1;
      if (id > 1) for (const copy of copies) copy.run({ id });
      rename.run({ id, name });
    }
    db.exec(`DELETE FROM job_counts;
      INSERT INTO job_counts SELECT status, coalesce(substatus, ''), count(*) FROM jobs GROUP BY 1, 2;
      UPDATE counters SET n = ${names.length} WHERE name = 'jobs'`);
  })();
  db.close();
};
