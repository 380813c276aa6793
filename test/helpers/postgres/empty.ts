import type { Database } from "../../../coordinator/store/postgres/connection/database.ts";

/** Removes all rows, so that a store on the database is a new one: making the tables anew takes a hundred times as long. */
export const emptyTables = async ({ ask }: Pick<Database, "ask">): Promise<void> => {
  await ask(`DO $$ DECLARE name TEXT; BEGIN
    SET LOCAL session_replication_role = replica; -- foreign keys do not matter where everything goes
    FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' LOOP
      IF name NOT IN ('lead', 'counters', 'lease', 'schema_version') THEN EXECUTE format('DELETE FROM %I', name); END IF;
    END LOOP;
    UPDATE lead SET epoch = 0, batch = 0;
    UPDATE counters SET n = 0;
    UPDATE lease SET holder = NULL, address = NULL, term = 0, until = '-infinity';
  END $$;`);
};
