import type { Store } from "../store.ts";
import type { Connections } from "./connections.ts";
import { createOperation } from "./operation.ts";

/** Free pages that stay for later writes, and how many are released at a time: a few milliseconds' work. */
const keptPages = 1000;
const pagesAtOnce = 250;

export const createDue = ({
  writer,
  point,
}: Connections): Pick<Store, "due" | "forgetSubmissions" | "giveBackSpace"> => {
  const expired = point.prepare<[number], number>("SELECT id FROM jobs WHERE expiration_time <= ? LIMIT 100").pluck();
  const toBegin = point.prepare<[number], { id: number; priority: number }>(
    "SELECT id, priority FROM jobs WHERE begun = 0 ORDER BY priority DESC, id LIMIT ?",
  );
  let lastFacts = "";
  const facts = point.prepare<[string, number], { uri: string; found: number }>(
    "SELECT uri, found FROM facts WHERE uri > ? ORDER BY uri LIMIT ?",
  );
  const forget = writer.prepare("DELETE FROM submissions WHERE created <= ?");
  return {
    due: {
      expired: async (now) => expired.all(now),
      oldFacts: async (until, lookedAt) => {
        const rows = facts.all(lastFacts, lookedAt);
        lastFacts = rows.length < lookedAt ? "" : (rows.at(-1)?.uri ?? "");
        return rows.flatMap(({ uri, found }) => (found <= until ? [uri] : []));
      },
      toBegin: async (most) => toBegin.all(most),
    },
    giveBackSpace: async () => {
      const free = writer.pragma("freelist_count", { simple: true }) as number; // always one
      if (free > keptPages) writer.pragma(`incremental_vacuum(${Math.min(pagesAtOnce, free - keptPages)})`);
    },
    forgetSubmissions: createOperation(writer)((until) => {
      forget.run(until);
    }),
  };
};
