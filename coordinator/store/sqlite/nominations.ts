import type { Store } from "../store.ts";
import type { Connections } from "./connections.ts";
import { createOperation } from "./operation.ts";

export const createNominations = ({ writer, point }: Connections): Pick<Store, "nominate" | "forgetSubmissions"> => {
  const expired = point.prepare<[number], number>("SELECT id FROM jobs WHERE expiration_time <= ? LIMIT 100").pluck();
  const toBegin = point.prepare<[number], { id: number; priority: number }>(
    "SELECT id, priority FROM jobs WHERE begun = 0 ORDER BY priority DESC, id LIMIT ?",
  );
  const forget = writer.prepare("DELETE FROM submissions WHERE created <= ?");
  return {
    nominate: {
      expired: async (now) => expired.all(now),
      toBegin: async (most) => toBegin.all(most),
    },
    forgetSubmissions: createOperation(writer)((until) => {
      forget.run(until);
    }),
  };
};
