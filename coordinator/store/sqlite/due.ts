import type { Store } from "../store.ts";
import type { Connections } from "./connections.ts";

export const createDue = ({ point, reader }: Connections): Store["due"] => {
  const expired = point.prepare<[number], number>("SELECT id FROM jobs WHERE expiration_time <= ? LIMIT 100").pluck();
  const oldFacts = point
    .prepare<[number, number], string>("SELECT uri FROM facts WHERE found <= ? ORDER BY found, uri LIMIT ?")
    .pluck();
  return {
    expired: async (now) => expired.all(now),
    oldFacts: async (until, most) => oldFacts.all(until, most),
    // On the reader's thread: it passes over all that are paused, and they may be many.
    toBegin: (most) => reader.all(toBeginSql, [most]),
  };
};

const toBeginSql = `SELECT id, priority FROM jobs
  WHERE begun = 0 AND NOT EXISTS (
    SELECT 1 FROM job_schedules WHERE job_id = id AND (paused IS NOT NULL OR start_after IS NOT NULL))
  ORDER BY priority DESC, id LIMIT ?`;
