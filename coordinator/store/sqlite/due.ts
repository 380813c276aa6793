import type { Store } from "../store.ts";
import type { Connections } from "./connections.ts";

export const createDue = ({ point }: Connections): Store["due"] => {
  const expired = point.prepare<[number], number>("SELECT id FROM jobs WHERE expiration_time <= ? LIMIT 100").pluck();
  const toBegin = point.prepare<[number], { id: number; priority: number }>(
    "SELECT id, priority FROM jobs WHERE begun = 0 ORDER BY priority DESC, id LIMIT ?",
  );
  const oldFacts = point
    .prepare<[number, number], string>("SELECT uri FROM facts WHERE found <= ? ORDER BY found, uri LIMIT ?")
    .pluck();
  return {
    expired: async (now) => expired.all(now),
    oldFacts: async (until, most) => oldFacts.all(until, most),
    toBegin: async (most) => toBegin.all(most),
  };
};
