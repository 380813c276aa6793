import type { Store } from "../store.ts";
import type { Database } from "./connection/database.ts";

export const createDue = ({ ask }: Database): Store["due"] => ({
  expired: async (now) =>
    (await ask<{ id: number }>("SELECT id FROM jobs WHERE expiration_time <= $1 LIMIT 100", now)).map(({ id }) => id),
  oldFacts: async (until, most) =>
    (
      await ask<{ uri: string }>("SELECT uri FROM facts WHERE found <= $1 ORDER BY found, uri LIMIT $2", until, most)
    ).map(({ uri }) => uri),
  toBegin: (most) => ask(toBeginSql, most),
});

const toBeginSql = `SELECT id, priority FROM jobs
  WHERE begun = 0 AND NOT EXISTS (
    SELECT 1 FROM job_schedules WHERE job_id = jobs.id AND (paused IS NOT NULL OR start_after IS NOT NULL))
  ORDER BY priority DESC, id LIMIT $1`;
